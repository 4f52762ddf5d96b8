"""Bytes on real sockets that are no frames, or frames that hold no message.

A connection that breaks the WebSocket protocol ends with the standard's code; a frame that holds no
message is refused, as everywhere (`test_bad_messages.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Final

import pytest
from server.harness import RunningServer, eventually, running_server
from server.malformed import ON_SOCKETS, SOAK, STILL, Event, frame
from server.raw_bytes import BINARY, CLOSE, CONTINUED, FIN, PING, TEXT, websocket
from server.raw_bytes import frame as framed

from catinthebox.server.access import rate_limits
from catinthebox.server.ops.limits import NO_LIMIT, Limits
from catinthebox.server.transport.uvicorn_protocols import WebSocketProtocol

RESERVED: Final = 0x40
SIZE: Final = Limits().frame_bytes
GARBAGE: Final[dict[str, tuple[bytes, set[int]]]] = {  # and how a connection may end upon it
    "no mask": (framed(b'{"type":"Ping"}', masked=False), {1002}),
    "a reserved bit": (framed(b'{"type":"Ping"}', FIN | TEXT | RESERVED), {1002}),
    **{f"opcode {code}": (framed(b"", FIN | code), {1002}) for code in (3, 7, 11, 15)},
    "a ping in pieces": (framed(b"", PING), {1002}),
    "a large ping": (framed(bytes(126), FIN | PING), {1002}),
    "an end without a beginning": (framed(b"{}", FIN | CONTINUED), {1002}),
    "a beginning in the middle": (framed(b"{", TEXT) + framed(b"{}"), {1002}),
    "too large": (framed(bytes(SIZE + 1)), {1009}),
    "announced as too large": (b"\x81\xff" + (2**62).to_bytes(8), {1009}),
    "announced as negative": (b"\x81\xff" + b"\xff" * 8, {1002, 1009}),
    "too large in pieces": (
        framed(bytes(SIZE // 2), TEXT) + framed(bytes(SIZE // 2 + 1), FIN | CONTINUED),
        {1009},
    ),
    "no UTF-8": (framed(b'{"type":"\xff"}'), {1007}),
    "a surrogate in UTF-8": (framed(b'"\xed\xa0\x80"'), {1007}),
    "no UTF-8 in pieces": (framed(b'"\xc3', TEXT) + framed(b'"', FIN | CONTINUED), {1007}),
    "a short close": (framed(b"\x03", FIN | CLOSE), {1002}),
    "a close with a code that is none": (framed(b"\x00\x01", FIN | CLOSE), {1002}),
    "a close that is no UTF-8": (framed(b"\x03\xe8\xff", FIN | CLOSE), {1002, 1007}),
    "HTTP": (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", {1002}),
}


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let connections go on that would be closed after twenty messages in vain."""
    monkeypatch.setattr(rate_limits, "REFUSED_MESSAGES", NO_LIMIT)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("sockets"), pace=STILL) as running:
        yield running


@pytest.mark.parametrize("name", GARBAGE)
def test_invalid_frames_end_the_connection(server: RunningServer, name: str) -> None:
    """With the code of the standard; others at the table do not notice."""
    garbage, codes = GARBAGE[name]
    table = server.open("Ada")
    before = server.snapshot(table, "Ada")
    with websocket(server, table, "Ada") as client:
        client.until("Snapshot")
        client.plain.sendall(garbage)
        assert client.messages()[1] in codes
    assert server.snapshot(table, "Ada") == before


@pytest.mark.usefixtures("patient")
def test_messages_that_arrive_together_are_separated(server: RunningServer) -> None:
    """However long they are, and whatever they are masked with: none is taken for a part of one."""
    table = server.open("Ada")
    with websocket(server, table, "Ada") as client:
        client.until("Snapshot")
        for size in range(126):
            nonsense = b"x" * (size % 8) + b"y" * (size - size % 8)
            for mask in (b"\x80" * 4, bytes(4), b"\xff" * 4):
                ping = b'{"type":"Ping"%s}' % (b" " * (122 - 15))
                client.plain.sendall(framed(nonsense, mask=mask) + framed(ping, mask=mask))
                answers = [answer["type"] for answer in client.until("Pong")]
                assert answers == ["Refused", "Pong"], (size, mask)


def stream(rng: Random) -> tuple[bytes, list[str]]:
    """Frames of many sizes, pings between the pieces of others; and the answers to them."""
    frames, answers = b"", []
    for _ in range(40):
        ping = b'{"type":"Ping"%s}' % (b" " * rng.choice([0, 1, 50, 110, 111, 112, 300]))
        good = rng.random() < 0.7
        answers.append("Pong" if good else "Refused")
        text, mask = ping if good else ping[1:], rng.randbytes(4)
        cuts = sorted(rng.randrange(len(text)) for _ in range(rng.choice([0, 0, 0, 1, 3])))
        for number, (begin, end) in enumerate(pairwise([0, *cuts, len(text)])):
            first = (TEXT if number == 0 else CONTINUED) | (FIN if number == len(cuts) else 0)
            frames += framed(text[begin:end], first, mask=mask)
            if rng.random() < 0.2:
                frames += framed(rng.randbytes(rng.randrange(126)), FIN | PING, mask=mask)
    return frames, answers


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("seed", range(12 * SOAK))
def test_it_does_not_matter_how_the_bytes_come(server: RunningServer, seed: int) -> None:
    """In one piece, byte by byte, cut anywhere: the same messages are read, once and in order."""
    rng = Random(seed)
    frames, answers = stream(rng)
    table = server.open("Ada")
    loop = server.uvicorn.servers[0].get_loop()
    with websocket(server, table, "Ada") as client:
        client.until("Snapshot")
        eventually(lambda: len(sockets(server)) == 1)
        (socket,) = sockets(server)
        most = rng.choice([1, 3, 8, 60, 500, len(frames)])
        while frames:
            size = rng.randrange(1, most + 1)
            loop.call_soon_threadsafe(socket.data_received, frames[:size])
            frames = frames[size:]
        received = [client.until("Pong", "Refused")[-1]["type"] for _ in answers]
        assert received == answers


def sockets(server: RunningServer) -> list[WebSocketProtocol]:
    """The connections that have become WebSockets."""
    return [
        one for one in server.uvicorn.server_state.connections if isinstance(one, WebSocketProtocol)
    ]


@pytest.mark.long
@pytest.mark.usefixtures("patient")
def test_what_is_no_message_is_refused_on_real_sockets(server: RunningServer) -> None:
    """As texts, as bytes, in pieces; from time to time the bytes themselves are damaged."""
    rng, sent, ends = Random(7), 0, Counter[int]()
    table = server.open("Ada")
    before = server.snapshot(table, "Ada")
    while sent < ON_SOCKETS:
        with websocket(server, table, "Ada") as client:
            client.until("Snapshot")
            count = rng.randrange(1, 80)
            for event in (small(rng) for _ in range(count)):
                client.plain.sendall(in_frames(rng, event))
            client.plain.sendall(framed(b'{"type":"Ping"}'))
            *answers, _ = client.until("Pong")
            assert [answer["type"] for answer in answers] == ["Refused"] * count
            damaged = bytearray(in_frames(rng, small(rng)))
            damaged[rng.randrange(min(2, len(damaged)))] ^= 1 << rng.randrange(8)
            client.plain.sendall(damaged + framed(b"\x03\xe8", FIN | CLOSE))
            client.plain.shutdown(1)
            messages, code = client.messages()
            assert all(message["type"] == "Refused" for message in messages), messages
            ends[code] += 1
            sent += count + 1
    assert set(ends) <= {1000, 1002, 1006, 1007, 1009}, ends
    assert server.snapshot(table, "Ada") == before
    with server.client(table, "Ada") as good:
        good.do("m1", type="Say", text="hello")
        assert good.receive("Done")["id"] == "m1"


def small(rng: Random) -> Event:
    """A message that is none, of a size that is let through."""
    while True:
        event = frame(rng)
        if event.get("text") is None or len(payload(event)) <= SIZE:
            return event


def payload(event: Event) -> bytes:
    """The bytes of a message; a text is UTF-8 here, as far as it can be."""
    found: bytes = event.get("bytes") or event.get("text", "").encode("utf-8", "replace")
    return found[:SIZE]


def in_frames(rng: Random, event: Event) -> bytes:
    """Write a message as one frame, or as several."""
    opcode, whole = TEXT if "text" in event else BINARY, payload(event)
    if rng.random() < 0.8:
        return framed(whole, FIN | opcode)
    cut = rng.randrange(len(whole) + 1)
    return framed(whole[:cut], opcode) + framed(whole[cut:], FIN | CONTINUED)
