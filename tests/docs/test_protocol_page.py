"""docs/protocol.md is true: its messages can be read, and it leaves nothing out."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from catinthebox.protocol.commands import ClientCommand, Command
from catinthebox.protocol.stream import FromClient, FromServer, read_message
from catinthebox.server.http.documents import ROUTES
from catinthebox.server.http.responses import ENDS, GONE
from catinthebox.server.http.routing import API
from catinthebox.server.live.live_table import KEPT
from catinthebox.server.ops.limits import Limits, Rate

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
SERVER = ROOT / "src" / "catinthebox" / "server"
EXAMPLES = [
    line
    for block in re.findall(r"^```json\n(.*?)^```", PAGE, flags=re.M | re.S)
    for line in block.splitlines()
]
TO_CLIENTS = msgspec.json.Decoder(FromServer)
CODE = re.compile(r'"((?:server|limit|line|http)\.[a-z_]+)"')
OF_ASGI = {"http.request", "http.disconnect"}


def kind(line: str) -> str:
    found: str = msgspec.json.decode(line)["type"]
    return found


@pytest.mark.parametrize("line", EXAMPLES, ids=kind)
def test_every_example_is_a_message(line: str) -> None:
    """As a client may send it, or as a server does."""
    try:
        read_message(line)
    except Exception:
        assert msgspec.json.encode(TO_CLIENTS.decode(line)).decode() == line


def test_every_message_and_command_is_there() -> None:
    """With an example each, apart from the two that fill a page."""
    shown = {kind(line) for line in EXAMPLES} | {"Snapshot", "Frame"}
    kinds = (*get_args(FromClient), *get_args(FromServer))
    assert shown == {one.__name__ for one in kinds}
    for command in get_args(ClientCommand):
        assert f"`{command.__name__}`" in PAGE
    unseen = {one.__name__ for one in get_args(Command)} - {
        one.__name__ for one in get_args(ClientCommand)
    }
    assert unseen == {"Here", "Gone"}


def test_every_path_is_there() -> None:
    """With the method by which it is asked for."""
    for route in ROUTES:
        path = route.path.removeprefix(API).replace("{key}", "KEY").replace("{code}", "CODE")
        path = path.replace("{number}", "N").replace("{date}", "DATE")
        shown = path if path in PAGE else path.replace("record.json", "record.cat`, `….json")
        assert shown in PAGE, route.path


def test_every_code_is_there() -> None:
    """Also those that are the server's alone."""
    text = "".join(path.read_text(encoding="utf-8") for path in SERVER.rglob("*.py"))
    for code in {*CODE.findall(text)} - OF_ASGI - {GONE}:
        assert f"`{code}`" in PAGE, code
    for code, (_, close) in ENDS.items():
        assert code == GONE or re.search(rf"^\|.*`{code}`.*\| {close} \|", PAGE, flags=re.M), code


def test_the_numbers_are_those_of_the_server() -> None:
    """Anyone who changes a limit changes the page."""
    limits, known = Limits(), {field.name for field in fields(Limits)}
    for name, sentence in {
        "frame_bytes": "| a message, a body | 8 KiB, 16 KiB |",
        "hello_s": "The first message, within 10 seconds",
        "heartbeat_s": "After 20 seconds without a message comes a `Beat`",
        "idle_s": "two hours without a command",
        "socket_moves": "| commands per connection, per seat | 10 a second, 20 at once |",
        "address_moves": "| commands per address | 50 a second, 200 at once |",
        "address_requests": "| requests per address | 20 a second, 200 at once |",
        "address_files": "| files of the browser client per address | 100 a second, 4,000 ",
        "address_tables": "| tables per address | 120 an hour, 30 at once; 50 unfinished |",
        "connections_per_person": "| connections of one person at a table | 8 |",
        "sockets_per_address": "| WebSockets, streams per address | 64, 32; ",
        "seat_chat": "| chat messages per seat, even if its person changes; per address | one ",
        "address_chat": "; 2 a second, 20 at once |",
        "address_replays": "| records and replays per address | 1 a second, 30 at once; 4 ",
        "address_days": "| games for the table of the day per address | 30 an hour, 30 at once |",
        "queue_frames": "| frames waiting for a slow reader | 256, or 512 KiB |",
    }.items():
        assert name in known
        assert sentence in PAGE
    assert (limits.frame_bytes, limits.body_bytes) == (8 * 1024, 16 * 1024)
    assert (limits.hello_s, limits.heartbeat_s, limits.idle_s) == (10, 20, 7200)
    assert limits.seat_moves == limits.socket_moves == Rate(10, 20)
    assert limits.address_moves == Rate(50, 200)
    assert (limits.address_requests, limits.address_files) == (Rate(20, 200), Rate(100, 4_000))
    assert (limits.address_tables.rate * 3600, limits.address_tables.burst) == (120, 30)
    assert (limits.tables_per_address, limits.connections_per_person) == (50, 8)
    assert (limits.sockets_per_address, limits.streams_per_address) == (64, 32)
    assert (limits.seat_chat, limits.address_chat) == (Rate(0.5, 5), Rate(2, 20))
    assert (limits.address_replays, limits.replays_per_address) == (Rate(1, 30), 4)
    assert (limits.queue_frames, limits.queue_bytes) == (256, 512 * 1024)
    assert f"remembers the last {KEPT} events" in PAGE
