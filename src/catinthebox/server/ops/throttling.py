"""How fast, and how many at once: buckets for rates, counters for what is held.

A `Bucket` fills at a steady rate, and each take costs something. `Buckets` has one for each key,
such as an address or a seat. `HeldCount` counts what is held at once. Time is an argument, in
seconds.

>>> bucket = Bucket(rate=2, burst=3)
>>> [bucket.take(now) for now in (0.0, 0.0, 0.0, 0.0)]  # the fourth has to wait half a second
[0.0, 0.0, 0.0, 0.5]
>>> bucket.take(0.5)
0.0
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from heapq import nlargest
from math import inf
from typing import Final, Generic, TypeVar

from .limits import Rate

K = TypeVar("K", bound=Hashable)

GRAIN: Final = 1e-6  # the error of floating point; what is granted by it is owed, not forgotten
SPARE: Final = 8  # a full set of buckets drops at least one in this many


class Bucket:
    """A token bucket: allows `burst` at once, and `rate` a second in the long run.

    Whatever the times are, it never allows more than `burst`, plus `rate` for every second that the
    clock was seen to advance. If the clock is set back, the bucket continues from the new time.
    """

    __slots__ = ("_at", "_left", "burst", "rate")

    def __init__(self, rate: float, burst: float) -> None:
        if not (0 <= rate < inf and 0 < burst < inf):
            raise ValueError(f"a rate from 0 and a burst above 0, not {rate} and {burst}")
        self.rate = rate
        self.burst = burst
        self._left = float(burst)
        self._at = inf  # it is full before the first take

    def left(self, now: float) -> float:
        """Fill the bucket up to this moment, and return what it holds."""
        self.take(now, 0)
        return self._left

    def take(self, now: float, cost: float = 1) -> float:
        """Take `cost` and return 0.0, or take nothing and return the seconds to wait.

        They are `inf` if the bucket never holds as much.
        """
        if cost < 0:
            raise ValueError(f"a cost from 0, not {cost}")
        passed = now - self._at
        if passed > 0:
            self._left = min(self.burst, self._left + passed * self.rate)
        self._at = now
        missing = cost - self._left
        if missing <= GRAIN:
            self._left -= cost
            return 0.0
        return missing / self.rate if self.rate and cost <= self.burst else inf


class Buckets(dict[K, Bucket]):
    """A bucket for each key, made when it is first asked for; at most `most` of them.

    A bucket that is full again is the same as a new one and may be dropped. If there are too many
    others, the fullest are dropped: the emptiest are kept for the longest time, so nobody gets a
    new bucket by flooding the server with other keys.

    >>> buckets = Buckets[str](Rate(1, 2), most=100, clock=lambda: 0.0)
    >>> [buckets["ada"].take(0.0), buckets["ada"].take(0.0), buckets["ada"].take(0.0)]
    [0.0, 0.0, 1.0]
    >>> buckets["ben"].take(0.0)
    0.0
    """

    def __init__(self, rate: Rate, most: int, clock: Callable[[], float]) -> None:
        if most < 1:
            raise ValueError(f"room for at least one bucket, not {most}")
        super().__init__()
        self._rate = rate
        self._most = most
        self._clock = clock

    def __missing__(self, key: K) -> Bucket:
        if len(self) >= self._most:
            self._make_room(self._clock())
        bucket = self[key] = Bucket(self._rate.rate, self._rate.burst)
        return bucket

    def _make_room(self, now: float) -> None:
        """Drop the full buckets and, if those are few, the next fullest.

        Always many at once: to search all of them for every new key would be work that an attacker
        can cause.
        """
        left = {key: bucket.left(now) for key, bucket in self.items()}
        full = sum(amount >= self._rate.burst for amount in left.values())
        for key in nlargest(max(full, 1 + self._most // SPARE), left, key=left.__getitem__):
            del self[key]


class HeldCount(Generic[K]):
    """Counts what is held at once: at most `each` for a key, and `total` in all.

    >>> sockets = HeldCount[str](each=2, total=100)
    >>> sockets.enter("ada"), sockets.enter("ada"), sockets.enter("ada")
    (True, True, False)
    >>> sockets.leave("ada")
    >>> with sockets.inside("ada") as entered:
    ...     entered, sockets.count("ada")
    (True, 2)
    >>> sockets.total
    1
    """

    def __init__(self, each: int, total: int) -> None:
        self.total = 0
        self._each = each
        self._most = total
        self._counts: dict[K, int] = {}

    def count(self, key: K) -> int:
        """Return how many a key holds."""
        return self._counts.get(key, 0)

    @property
    def full(self) -> bool:
        """Whether no key can hold more."""
        return self.total >= self._most

    def enter(self, key: K) -> bool:
        """Hold one more, if that is not too many."""
        if self.full or self.count(key) >= self._each:
            return False
        self._counts[key] = self.count(key) + 1
        self.total += 1
        return True

    def leave(self, key: K) -> None:
        """Release one; a key that holds none is a bug."""
        count = self._counts.pop(key, 0) - 1
        if count < 0:
            raise RuntimeError("a key left that had not entered")
        if count:
            self._counts[key] = count
        self.total -= 1

    @contextmanager
    def inside(self, key: K) -> Iterator[bool]:
        """Hold one for the length of a block; if that is too many, hold none and yield false."""
        entered = self.enter(key)
        try:
            yield entered
        finally:
            if entered:
                self.leave(key)
