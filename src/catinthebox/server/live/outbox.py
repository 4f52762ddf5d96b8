"""One connection as the hub sees it: a bounded queue of frames for one audience.

The hub puts frames in and never waits. A frame is sent at once if the connection can do that
(`send_now`) and nothing waits before it; otherwise the connection's writer takes it out. A client
that falls too far behind is dropped: it comes back, says which version it has seen, and goes on.

>>> outbox = Outbox("", most=2)
>>> outbox.put(b"one"), outbox.put(b"two"), outbox.put(b"three")
(True, True, False)
>>> outbox.ended
'line.slow'
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
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
        self.ended = ""  # the code of the reason, once the outbox has ended
        self.send_now: Callable[[bytes], bool] | None = None  # false: not now, it has to wait
        self.frames_sent = 0  # since the monitor of connections last looked
        self._most = most
        self._size = size
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._idle = True  # the writer has sent all that it took, and nothing waits
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
        """Send a frame, now or soon; if too much waits already, end instead, and return false."""
        if self.ended:
            return False
        if self._idle and self.send_now is not None and self.send_now(frame):
            self.frames_sent += 1
            return True
        if len(self._waiting) >= self._most or self._bytes + len(frame) > self._size:
            self.drop()
            return False
        self._idle = False
        self._waiting.append(frame)
        self._bytes += len(frame)
        self._something.set()
        return True

    def drop(self) -> None:
        """End it because its reader is too slow; the client will ask again for what it missed."""
        self._waiting.clear()
        self._bytes = 0
        self.end(SLOW)

    def end(self, why: str) -> None:
        """Accept nothing more; what waits is still sent."""
        self.ended = self.ended or why
        self._something.set()

    async def take(self) -> list[bytes]:
        """Wait for frames and return all of them; none at all once the outbox has ended.

        The caller must have sent what it took before, or frames would overtake each other.
        """
        self._idle = not self._waiting
        await self._something.wait()
        frames = list(self._waiting)
        self._waiting.clear()
        self._bytes = 0
        if not self.ended:
            self._something.clear()
        return frames
