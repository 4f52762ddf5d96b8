"""One connection as the hub sees it: what waits to be sent to one audience, and not too much of it.

The hub puts bytes in and never waits; the connection's writer takes them out. A client that falls
too far behind is dropped: it comes back, says which version it has seen, and goes on there.

>>> outbox = Outbox("", most=2)
>>> outbox.put(b"one"), outbox.put(b"two"), outbox.put(b"three")
(True, True, False)
>>> outbox.over
'line.slow'
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

SLOW: Final = "line.slow"


class Outbox:
    """An outbox with a limit on frames and bytes."""

    def __init__(
        self, who: str, most: int = 256, size: int = 512 * 1024, address: str = ""
    ) -> None:
        self.who = who  # the hash of a token; empty for a spectator
        self.address = address  # what limits are kept under
        self.audience: int | None = None  # the seat that `who` has now
        self.player = False  # whether `who` has a seat, or is the host
        self.over = ""  # the code of the reason, once the outbox has ended
        self._most = most
        self._size = size
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._something = asyncio.Event()

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
        await self._something.wait()
        frames = list(self._waiting)
        self._waiting.clear()
        self._bytes = 0
        if not self.over:
            self._something.clear()
        return frames
