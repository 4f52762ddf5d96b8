"""Messages that are almost right, made by damaging good ones, and a WebSocket without a network.

One seed is one sequence. What is by luck still a message is left out: the law is about those that
are none, and the JSON Schema of the protocol says which those are, not the code that is tested.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

import jsonschema_rs
from server.harness import Json, token
from starlette.types import Message, Scope
from starlette.websockets import WebSocket
from waiting import HANG

from catinthebox.server.composition import ServerParts
from catinthebox.server.http import documents
from catinthebox.server.http.app import websockets
from catinthebox.server.live.scheduler import Pace

SOAK: Final = 10 if os.environ.get("CATINTHEBOX_SOAK") else 1
ON_SOCKETS: Final = 5_000 * SOAK  # messages that go through a network
BLOCKS: Final = 1_500  # of memory that may be taken once all is warm, however many messages come
MEMORY: Final = 16 * 2**20  # and bytes, as the system counts them
HOUR_MS: Final = 3_600_000
# Without polling, nobody is found to be away.
STILL: Final = Pace(bot_ms=0, idle_ms=HOUR_MS, poll_ms=HOUR_MS)
"""Nothing happens by itself, however long a test takes."""

STREAM: Final = json.loads(documents.DOCUMENTS["stream"]())


def described(name: str) -> jsonschema_rs.Validator:
    """Return the schema of a part of the stream."""
    return jsonschema_rs.validator_for({**STREAM, "oneOf": [{"$ref": f"#/$defs/{name}"}]})


FROM_CLIENT: Final = described("FromClient")
FROM_SERVER: Final = described("FromServer")

COMMANDS: Final[tuple[Json, ...]] = (
    {"type": "Sit", "name": "Bohr", "seat": 1, "nonce": "ab" * 32},
    {"type": "AddBot", "seat": 2, "level": "gentle"},
    *({"type": name, "seat": 1} for name in ("RemoveBot", "Kick", "Host")),
    {"type": "Readmit", "name": "Bohr"},
    {"type": "Act", "action": "5b", "seat": 0, "turn": 41},
    {"type": "Rematch", "nonce": "cd" * 32},
    {"type": "Say", "text": "hello", "preset": True},
    *({"type": name} for name in ("Leave", "Close", "Start", "Ready", "Pause", "Resume")),
    *({"type": name} for name in ("AskUndo", "AgreeUndo", "RefuseUndo")),
)
GOOD: Final[tuple[Json, ...]] = (
    *({"type": "Do", "id": f"m{n}", "command": one} for n, one in enumerate(COMMANDS)),
    {"type": "Hello", "token": token("Ada"), "version": 7},
    {"type": "Ask", "id": "q1", "action": "5r"},
    {"type": "Resync"},
    {"type": "Ping"},
)
TEXTS: Final = tuple(json.dumps(message) for message in GOOD)

WILD: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 5, 1.5, -0.0, 2**53 + 1, -(2**63), 2**64, 10**400, 1e308),
    *("", "5b ", "rb", "Sit", "type", "🐈", "\x00", "\ud800", "a" * 65, "a|b", "x" * 9000),
    *([], [[]], [None], {}, {"type": "Ping"}, {"type": "Leave"}, {"": {}}, [{}] * 50),
)
KEYS: Final = ("type", "Type", "id", "seat", "", "__proto__", "constructor", "token", "\x00", "🐈")
JUNK: Final = (
    *("\x00", "\ufeff", "\u2028", "\ud800", "\udfff", "\\", '"', "{", "}", "[", "]", ",", ":"),
    *(
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999",
        "9" * 5000,
        "0x10",
        "'",
        "//",
        "/**/",
        "\\u",
        "\\ud",
    ),
)

Event: TypeAlias = dict[str, Any]
Damage: TypeAlias = Callable[[Random], str]


# ── Damage ───────────────────────────────────────────────────────────────────────────────────


def whole(rng: Random) -> Json:
    """A good message, to be damaged."""
    found: Json = json.loads(rng.choice(TEXTS))
    return found


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every holder in a value, with each of its keys."""
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    for key in keys:
        yield value, key
        yield from places(value[key])


def swapped(rng: Random) -> str:
    """Something else in a place."""
    message = whole(rng)
    holder, key = rng.choice(list(places(message)))
    holder[key] = rng.choice(WILD)
    return json.dumps(message)


def removed(rng: Random) -> str:
    """A field less."""
    message = whole(rng)
    holder, key = rng.choice(list(places(message)))
    del holder[key]
    return json.dumps(message)


def added(rng: Random) -> str:
    """A field more, or one twice."""
    message = whole(rng)
    holder = rng.choice([message, message.get("command", message)])
    holder[rng.choice(KEYS)] = rng.choice(WILD)
    text = json.dumps(message)
    if rng.random() < 0.5:
        field = rng.choice([part for part in text.strip("{}").split(", ") if ": " in part])
        return text.replace("{", f"{{{field.strip('{}')}, ", 1)
    return text


def renamed(rng: Random) -> str:
    """Another tag, or another name of a field."""
    text, word = rng.choice(TEXTS), rng.choice(["Do", "Sit", "Hallo", "FROM", "Gone", "Here", ""])
    old = rng.choice([part for part in text.split('"')[1::2] if part])
    return text.replace(f'"{old}"', f'"{rng.choice([word, old.lower(), old.upper()])}"')


def deep(rng: Random) -> str:
    """Nested, also around the depth at which readers give up."""
    opening, closing = rng.choice([("[", "]"), ('{"a":', "}"), ('{"type":"Do","command":', "}")])
    around = rng.choice([rng.randrange(1, 60), rng.randrange(900, 1050), rng.randrange(1, 3000)])
    nested = opening * around + "1" + closing * rng.choice([around, around - 1])
    text = rng.choice(TEXTS)
    return rng.choice([nested, text.replace('"5b"', nested), text.replace('"hello"', nested)])


def cut(rng: Random) -> str:
    """The beginning, or the end."""
    text = rng.choice(TEXTS)
    place = rng.randrange(len(text))
    return rng.choice([text[:place], text[place:]])


def dirty(rng: Random) -> str:
    """Something in between that does not belong there."""
    text, junk = rng.choice(TEXTS), rng.choice(JUNK)
    place = rng.randrange(len(text) + 1)
    return text[:place] + junk + text[place + rng.randrange(3) :]


def flipped(rng: Random) -> str:
    """Other bits, as far as that is still a text."""
    line = bytearray(rng.choice(TEXTS).encode())
    for _ in range(rng.randrange(1, 4)):
        line[rng.randrange(len(line))] ^= 1 << rng.randrange(8)
    return line.decode("utf-8", rng.choice(["replace", "ignore", "surrogateescape"]))


def noise(rng: Random) -> str:
    """Nothing that anybody meant."""
    size = rng.choice([0, 1, 2, 10, 100])
    return "".join(
        chr(rng.choice([rng.randrange(128), rng.randrange(0x3000)])) for _ in range(size)
    )


def long(rng: Random) -> str:
    """Longer than anything that is allowed, if something lets it through."""
    size = rng.choice([8_193, 20_000, 70_000])
    return rng.choice(["x" * size, " " * size, json.dumps({**whole(rng), "x": "y" * size})])


USUAL: Final[tuple[Damage, ...]] = (
    *(swapped, removed, added, renamed, cut, dirty, flipped, swapped, added, dirty, flipped),
    noise,
)
RARE: Final[tuple[Damage, ...]] = (deep, long)  # some of these cost a thousand times as much


def frame(rng: Random) -> Event:
    """Something that arrives on a connection and is no message."""
    while True:
        text = rng.choice(RARE if rng.random() < 0.01 else USUAL)(rng)
        if rng.random() < 0.03:
            return {"type": "websocket.receive", "bytes": text.encode("utf-8", "surrogatepass")}
        if not meant(text):
            return {"type": "websocket.receive", "text": text}


# ── What is a message after all ──────────────────────────────────────────────────────────────


def _once(pairs: list[tuple[str, Any]]) -> Json:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def meant(text: str) -> bool:
    """Whether the schema calls a text a message; in doubt (1.0 is an integer there) it does."""
    try:
        value = json.loads(text, object_pairs_hook=_once)
        return FROM_CLIENT.is_valid(value)
    except (ValueError, RecursionError):  # no JSON, no Unicode, no number that fits, too deep
        return False


# ── A WebSocket without a network ────────────────────────────────────────────────────────────


class Wire:
    """One connection to a server in this event loop: what is sent to it, and what it sends."""

    def __init__(self) -> None:
        self.sent: list[Json] = []
        self.close = 0  # the close code, once there is one
        self._coming: deque[Event] = deque([{"type": "websocket.connect"}])
        self._more = asyncio.Event()
        self._received = asyncio.Event()

    async def receive(self) -> Message:
        """Return what the server receives next."""
        while not self._coming:
            self._more.clear()
            await self._more.wait()
        return self._coming.popleft()

    async def send(self, message: Message) -> None:
        """Take what the server sends."""
        if message["type"] == "websocket.send":
            self.sent.append(json.loads(message["text"]))
        elif message["type"] == "websocket.close":
            self.close = message["code"]
            self._coming.append({"type": "websocket.disconnect", "code": self.close})
            self._more.set()
        self._received.set()

    def feed(self, *events: Event) -> None:
        """Queue events that the server will receive."""
        self._coming.extend(events)
        self._more.set()

    async def until(self, true: Callable[[], object]) -> None:
        """Wait until something is so, or the connection is closed."""
        async with asyncio.timeout(HANG):
            while not (true() or self.close):
                self._received.clear()
                await self._received.wait()

    async def answers(self, *events: Event) -> list[Json]:
        """Send something and a ping; give everything that comes before the answer to that."""
        before = len(self.sent)
        self.feed(*events, text(json.dumps({"type": "Ping"})))
        await self.until(lambda: self.sent[before:] and self.sent[-1]["type"] == "Pong")
        found = self.sent[before:]
        del self.sent[:]
        return found


def text(line: str) -> Event:
    """A text that arrives."""
    return {"type": "websocket.receive", "text": line}


SCOPE: Final[Scope] = {
    "type": "websocket",
    "path": "/api/v1/tables/x/socket",
    "query_string": b"",
    "headers": [],
    "client": ("203.0.113.9", 4711),
    "extensions": {"websocket.http.response": {}},
}


def connect(parts: ServerParts, table: str) -> tuple[Wire, asyncio.Task[None]]:
    """Open a connection; the task ends with it."""
    wire = Wire()
    websocket = WebSocket({**SCOPE, "path_params": {"key": table}}, wire.receive, wire.send)
    return wire, asyncio.create_task(websockets(parts).serve(websocket))


# ── Memory ───────────────────────────────────────────────────────────────────────────────────


def memory() -> int:
    """The memory of this process; 0 where the system does not say."""
    try:
        pages = Path("/proc/self/statm").read_text("ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


class Flat:
    """Measures memory after some messages, and insists that it does not grow after that."""

    def __init__(self, warm: int) -> None:
        self.warm = warm
        self.begin: tuple[int, int] | None = None

    def look(self) -> tuple[int, int]:
        """Count what is in use."""
        gc.collect()
        return sys.getallocatedblocks(), memory()

    def at(self, sent: int) -> None:
        """Remember how it was after so many messages."""
        if self.begin is None and sent >= self.warm:
            self.begin = self.look()

    def end(self) -> None:
        """Compare."""
        assert self.begin is not None
        blocks, size = self.look()
        assert blocks - self.begin[0] < BLOCKS, blocks - self.begin[0]
        assert size - self.begin[1] < MEMORY, size - self.begin[1]
