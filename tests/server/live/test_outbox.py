"""An outbox sends every frame once, in order, whether at once or after a wait."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from catinthebox.server.live.outbox import SLOW, Outbox


class Wire:
    """A connection whose client reads (`open`) or does not, and what arrived there."""

    def __init__(self) -> None:
        self.open = True
        self.opened = asyncio.Event()
        self.arrived: list[bytes] = []

    def set(self, open: bool) -> None:
        """Let the client read, or stop reading."""
        self.open = open
        if open:
            self.opened.set()
        else:
            self.opened.clear()

    def send_now(self, frame: bytes) -> bool:
        """Send a frame if the client reads."""
        if self.open:
            self.arrived.append(frame)
        return self.open

    async def write(self, outbox: Outbox) -> None:
        """Send what had to wait, as the writer of a connection does."""
        while frames := await outbox.take():
            for frame in frames:
                await self.opened.wait()
                self.arrived.append(frame)


STEPS = st.lists(st.sampled_from(["put", "put", "stop", "read", "turn"]), max_size=40)


@given(STEPS, st.booleans())
def test_frames_arrive_once_and_in_order(steps: list[str], direct: bool) -> None:
    """Whatever the client and the event loop do in between, with and without direct sending."""

    async def run() -> None:
        outbox, wire, count = Outbox(""), Wire(), 0
        wire.set(True)
        outbox.send_now = wire.send_now if direct else None
        writer = asyncio.create_task(wire.write(outbox))
        for step in steps:
            if step == "put":
                assert outbox.put(b"%d" % count)
                count += 1
            elif step == "turn":
                await asyncio.sleep(0)
            else:
                wire.set(step == "read")
        wire.set(True)
        outbox.end("over")
        await writer
        assert wire.arrived == [b"%d" % number for number in range(count)]

    asyncio.run(run())


def test_a_frame_is_sent_at_once_if_nothing_waits() -> None:
    """Then the writer has nothing to do, and no limit counts it."""
    outbox, wire = Outbox("", most=1), Wire()
    outbox.send_now = wire.send_now
    assert [outbox.put(b"a"), outbox.put(b"b")] == [True, True]
    assert (wire.arrived, outbox.waiting, outbox.size) == ([b"a", b"b"], 0, 0)


def test_a_frame_that_cannot_be_sent_waits_within_the_limit() -> None:
    """The next one is not sent before it; with too many of them the outbox ends."""
    outbox, wire = Outbox("", most=2), Wire()
    outbox.send_now = wire.send_now
    wire.set(False)
    assert outbox.put(b"a")
    wire.set(True)
    assert [outbox.put(b"b"), outbox.put(b"c")] == [True, False]
    assert (wire.arrived, outbox.ended) == ([], SLOW)
