"""Fair queues and fair rates between the tables that share one process.

`FairQueue` orders what waits. Everything in it belongs to a table, and a table to an owner: the
address that opened it. Its laws (tests/server/bots/test_fair_queue.py):

- *Work conserving*: a queue that is not empty always has a next item.
- *Order*: the items of one table leave in the order in which they came.
- *Tables with people first*: unwatched tables get one item of `SHARE` while others wait, not more.
- *No starvation*: they get one of `SHARE`, not less either.
- *Owners are equal*: among tables of one kind (watched, or not), between two items of an owner
  every other owner that waits gets one. However many tables an address opens, it has one share.
- *Tables of an owner are equal*, in the same way.

`FairPace` says how often a table may make a move so that all tables together do not exceed a
rate: owners have equal parts of it, and the tables of an owner have equal parts of that.

>>> queue = FairQueue[str]()
>>> for number in range(3):
...     queue.put(f"flood {number}", Place("203.0.113.9", f"table {number}"))
>>> queue.put("honest", Place("198.51.100.1", "table 9"))
>>> [queue.pop() for _ in range(4)]
['flood 0', 'honest', 'flood 1', 'flood 2']
>>> pace = FairPace(slot_ms=40)
>>> with pace.playing("203.0.113.9"), pace.playing("203.0.113.9"), pace.playing("198.51.100.1"):
...     pace.interval("203.0.113.9"), pace.interval("198.51.100.1")
(160, 80)
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Generic, NamedTuple, TypeVar

T = TypeVar("T")
V = TypeVar("V")

SHARE: Final = 8  # unwatched tables get one of this many items while watched ones wait


class Place(NamedTuple):
    """Where an item belongs: the owner, the table, and whether somebody is connected to it."""

    owner: str = ""
    table: str = ""
    watched: bool = True


class FairQueue(Generic[T]):
    """A queue that is fair between owners and between their tables. Every call takes O(1)."""

    def __init__(self) -> None:
        self._retries: deque[T] = deque()
        self._watched: _Rotation[T] = _Rotation()
        self._unwatched: _Rotation[T] = _Rotation()
        self._passed = 0  # watched items that left since an unwatched one did, while some waited

    def __len__(self) -> int:
        return len(self._retries) + len(self._watched) + len(self._unwatched)

    def put(self, item: T, place: Place) -> None:
        """Add an item; it waits behind those of its own table."""
        self._kind(place).put(item, place)

    def put_back(self, item: T) -> None:
        """Return an item that was taken before to the front: it has waited already."""
        self._retries.append(item)

    def pop(self) -> T:
        """Remove and return the next item; an empty queue is an `IndexError`."""
        if self._retries:
            return self._retries.popleft()
        if self._watched and (self._passed < SHARE - 1 or not self._unwatched):
            self._passed += bool(self._unwatched)
            return self._watched.pop()
        self._passed = 0
        return self._unwatched.pop()

    def contention(self, place: Place) -> int:
        """Return the number of shares, besides its own, that a table competes with now.

        A watched table shares it with the other owners that wait, and its owner's part with the
        owner's other tables; an unwatched one with everything that waits.
        """
        return self._watched.contention(place.owner) if place.watched else len(self)

    def _kind(self, place: Place) -> _Rotation[T]:
        return self._watched if place.watched else self._unwatched


class _Rotation(Generic[T]):
    """Round robin over owners, and for each of them over tables; both leave when they are empty."""

    def __init__(self) -> None:
        self._size = 0
        self._owners: OrderedDict[str, OrderedDict[str, deque[T]]] = OrderedDict()

    def __len__(self) -> int:
        return self._size

    def put(self, item: T, place: Place) -> None:
        tables = self._owners.setdefault(place.owner, OrderedDict())
        tables.setdefault(place.table, deque()).append(item)
        self._size += 1

    def pop(self) -> T:
        if not self._size:
            raise IndexError("pop from an empty queue")
        self._size -= 1
        owner, tables = next(iter(self._owners.items()))
        table, items = next(iter(tables.items()))
        item = items.popleft()
        _rotate(tables, table, bool(items))
        _rotate(self._owners, owner, bool(tables))
        return item

    def contention(self, owner: str) -> int:
        tables = len(self._owners.get(owner, ()))
        others = len(self._owners) - (owner in self._owners)
        return (others + 1) * (tables + 1) - 1


def _rotate(rotation: OrderedDict[str, V], key: str, waits: bool) -> None:
    """Move a key behind all others, or remove it if nothing of it waits any more."""
    if waits:
        rotation.move_to_end(key)
    else:
        del rotation[key]


class FairPace:
    """Shares a rate of one move in `slot_ms` milliseconds between owners, and between their tables.

    With `n` owners, a table of an owner with `m` tables makes a move every `n * m * slot_ms`
    milliseconds: the tables of every owner together make one in `n * slot_ms`, and all owners
    together one in `slot_ms`.
    """

    def __init__(self, slot_ms: float) -> None:
        self._slot_ms = slot_ms
        self._playing: Counter[str] = Counter()

    @contextmanager
    def playing(self, owner: str) -> Iterator[None]:
        """Count a table of an owner for as long as it makes a move."""
        self._playing[owner] += 1
        try:
            yield
        finally:
            self._playing[owner] -= 1
            if not self._playing[owner]:
                del self._playing[owner]

    def interval(self, owner: str) -> float:
        """Return the milliseconds that a move of an owner's table should take at least."""
        owners = len(self._playing) + (owner not in self._playing)
        return self._slot_ms * owners * max(1, self._playing[owner])
