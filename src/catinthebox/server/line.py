"""One connection as the hub sees it: what waits to be sent to one audience, and not too much of it.

The hub puts bytes in and never waits; whoever owns the connection takes them out. Mostly nothing
waits and the connection is free: then a frame goes straight to it (`at_once`). A reader that falls
too far behind is dropped: it comes back, says which version it has seen, and goes on there.

>>> line = Line("", most=2)
>>> line.put(b"one"), line.put(b"two"), line.put(b"three")
(True, True, False)
>>> line.over
'line.slow'
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

SLOW: Final = "line.slow"


class Line:
    """An outbox with a limit on frames and bytes."""

    def __init__(
        self, who: str, most: int = 256, size: int = 512 * 1024, address: str = ""
    ) -> None:
        self.who = who  # the hash of a token; empty for a spectator
        self.address = address  # what limits are kept under
        self.audience: int | None = None  # the seat that `who` has now
        self.player = False  # whether `who` has a seat, or is the host
        self.over = ""  # the code of the reason, once the line has ended
        self.at_once: Callable[[bytes], bool] | None = None  # sends a frame, if it can
        self._most = most
        self._size = size
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._something = asyncio.Event()
        self._taken = False  # frames are in the hands of whoever took them

    @property
    def waiting(self) -> int:
        """How many frames wait."""
        return len(self._waiting)

    @property
    def size(self) -> int:
        """How many bytes they have."""
        return self._bytes

    def put(self, frame: bytes) -> bool:
        """Let a frame be sent; false, and the end of the line, if too much waits already."""
        if self.over:
            return False
        if self.at_once is not None and not (self._waiting or self._taken) and self.at_once(frame):
            return True
        if len(self._waiting) >= self._most or self._bytes + len(frame) > self._size:
            self.drop()
            return False
        self._waiting.append(frame)
        self._bytes += len(frame)
        self._something.set()
        return True

    def drop(self) -> None:
        """End it since its reader is too slow; what it has not got yet, it will ask for again."""
        self._waiting.clear()
        self._bytes = 0
        self.end(SLOW)

    def end(self, why: str) -> None:
        """Let nothing more be sent; what waits still is."""
        self.over = self.over or why
        self._something.set()

    async def take(self) -> list[bytes]:
        """Wait for frames and give all of them; none at all once the line has ended."""
        self._taken = False
        await self._something.wait()
        frames = list(self._waiting)
        self._taken = True  # nothing may overtake them
        self._waiting.clear()
        self._bytes = 0
        if not self.over:
            self._something.clear()
        return frames
