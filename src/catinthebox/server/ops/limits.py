"""How much of anything one visitor may have: how fast, how many at once; all numbers in one place.

A `Bucket` fills at a steady rate; each take costs something. `Buckets` keeps one for each socket,
seat or address. `HeldCount` counts what is held at once. `Trusted` and `address_key` decide which
address a request counts for. `Limits` has all the numbers. Time is an argument, in seconds.

>>> bucket = Bucket(rate=2, burst=3)
>>> [bucket.take(now) for now in (0.0, 0.0, 0.0, 0.0)]  # the fourth must wait for half a second
[0.0, 0.0, 0.0, 0.5]
>>> bucket.take(0.5)
0.0
>>> address_key("2001:db8:7:8:9::1"), address_key("203.0.113.9")
('2001:db8:7:8::/64', '203.0.113.9')
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from heapq import nlargest
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from math import inf
from typing import Final, Generic, Self, TypeAlias, TypeVar

K = TypeVar("K", bound=Hashable)

GRAIN: Final = 1e-6  # floating point loses this much; what is granted so is owed, not forgotten
SPARE: Final = 8  # a full set of buckets makes room for one in so many


# ── How fast ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Rate:
    """So many a second in the long run, and so many at once."""

    rate: float
    burst: float


class Bucket:
    """Lets `burst` through at once, and `rate` a second in the long run.

    Whatever the times are, no more passes than `burst` and `rate` for every second that the clock
    was seen to go forward. A clock that is set back costs nobody anything: it goes on from there.
    """

    __slots__ = ("_at", "_left", "burst", "rate")

    def __init__(self, rate: float, burst: float) -> None:
        if not (0 <= rate < inf and 0 < burst < inf):
            raise ValueError(f"a rate from 0 and a burst above 0, not {rate} and {burst}")
        self.rate = rate
        self.burst = burst
        self._left = float(burst)
        self._at = inf  # nothing has flowed in before the first look

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


class Buckets(Generic[K]):
    """A bucket for each key, at most `most` of them.

    A bucket that is full again says nothing and is forgotten. If there are too many others, the
    fullest go: whoever has emptied theirs is remembered longest, so nobody gets a new one by
    coming under many other names.

    >>> buckets = Buckets[str](Rate(1, 2), most=100)
    >>> [buckets.take("ada", 0.0), buckets.take("ada", 0.0), buckets.take("ada", 0.0)]
    [0.0, 0.0, 1.0]
    >>> buckets.take("ben", 0.0)
    0.0
    """

    def __init__(self, rate: Rate, most: int) -> None:
        if most < 1:
            raise ValueError(f"room for at least one bucket, not {most}")
        self._rate = rate
        self._most = most
        self._buckets: dict[K, Bucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def __contains__(self, key: K) -> bool:
        return key in self._buckets

    def take(self, key: K, now: float, cost: float = 1) -> float:
        """Take from the bucket of a key, as `Bucket.take` does."""
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= self._most:
                self._make_room(now)
            bucket = self._buckets[key] = Bucket(self._rate.rate, self._rate.burst)
        return bucket.take(now, cost)

    def _make_room(self, now: float) -> None:
        """Drop the full ones and, if those are few, the next fullest.

        Always many at once: looking at all of them for every newcomer would be work that an
        attacker can order.
        """
        left = {key: bucket.left(now) for key, bucket in self._buckets.items()}
        full = sum(amount >= self._rate.burst for amount in left.values())
        for key in nlargest(max(full, 1 + self._most // SPARE), left, key=left.__getitem__):
            del self._buckets[key]


# ── How many at once ─────────────────────────────────────────────────────────────────────────


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
        """How many a key holds."""
        return self._counts.get(key, 0)

    @property
    def full(self) -> bool:
        """Whether nobody at all can enter."""
        return self.total >= self._most

    def enter(self, key: K) -> bool:
        """Hold one more, if that is not too many."""
        if self.full or self.count(key) >= self._each:
            return False
        self._counts[key] = self.count(key) + 1
        self.total += 1
        return True

    def leave(self, key: K) -> None:
        """Release one; a key that holds none is a mistake of ours."""
        count = self._counts.pop(key, 0) - 1
        if count < 0:
            raise RuntimeError("something left that never entered")
        if count:
            self._counts[key] = count
        self.total -= 1

    @contextmanager
    def inside(self, key: K) -> Iterator[bool]:
        """Hold one for a while; false if that is too many, and then nothing is held."""
        entered = self.enter(key)
        try:
            yield entered
        finally:
            if entered:
                self.leave(key)


# ── Whose ────────────────────────────────────────────────────────────────────────────────────

Address: TypeAlias = IPv4Address | IPv6Address
LOCAL: Final = "local"  # a peer without an address: a unix socket
UNIX: Final = "unix"


@dataclass(frozen=True)
class Trusted:
    """The proxies that are believed about whom they speak for.

    `X-Forwarded-For` is a list to which every proxy adds the address that it was called from, so
    only its right end is worth something, as far as each hop is one of ours. Anybody can write the
    rest. A peer that is not a proxy of ours is not asked at all.

    >>> trusted = Trusted.parse(["127.0.0.1", "10.0.0.0/8"])
    >>> trusted.address("127.0.0.1", ["6.6.6.6, 203.0.113.9, 10.0.0.2"])
    '203.0.113.9'
    >>> trusted.address("198.51.100.1", ["203.0.113.9"])
    '198.51.100.1'
    """

    networks: tuple[IPv4Network | IPv6Network, ...] = ()
    unix: bool = False  # whoever can open our unix socket, which is a file with permissions

    @classmethod
    def parse(cls, texts: Iterable[str]) -> Self:
        """Read addresses, networks and the word `unix`; an error names all that are none."""
        words = list(texts)
        networks, bad = [], []
        for word in words:
            try:
                networks += [ip_network(word)] if word != UNIX else []
            except ValueError:
                bad.append(word)
        if bad:
            raise ValueError(f"not an address, a network or 'unix': {', '.join(map(repr, bad))}")
        return cls(tuple(networks), UNIX in words)

    def address(self, peer: str | None, forwarded: Sequence[str] = ()) -> str:
        """Return whom a connection comes from: `peer`, or what proxies of ours say of it."""
        hops = [hop for line in forwarded for hop in line.split(",")]
        found, believed = _address(peer), self.believes(peer)
        while hops and believed:
            hop = _address(hops.pop().strip(" \t"))
            if hop is None:  # a proxy of ours that says nothing we understand speaks for itself
                break
            found, believed = hop, self._ours(hop)
        return LOCAL if found is None else str(found)

    def believes(self, peer: str | None) -> bool:
        """Whether whoever is connected is a proxy of ours."""
        return self.unix if peer is None else self._ours(_address(peer))

    def _ours(self, hop: Address | None) -> bool:
        return hop is not None and any(hop in network for network in self.networks)


def _address(text: str | None) -> Address | None:
    """Read an address as everybody writes it, and only so: no port, no brackets, no name."""
    try:
        found = ip_address(text or "")
    except ValueError:
        return None
    if isinstance(found, IPv6Address):
        return found.ipv4_mapped or IPv6Address(int(found))  # without the name of an interface
    return found


def address_key(address: str) -> str:
    """Return what stands for a visitor: an IPv4 address, or the /64 that one IPv6 visitor has.

    A household, or a single machine, is given 2**64 IPv6 addresses; a limit for each of them would
    be none.
    """
    found = _address(address)
    if isinstance(found, IPv6Address):
        return str(IPv6Network((int(found) >> 64 << 64, 64)))
    return LOCAL if found is None else str(found)


# ── All the numbers ──────────────────────────────────────────────────────────────────────────

KIB: Final = 1024
MIB: Final = 1024 * KIB
HOUR: Final = 3600.0
FREELY: Final = Rate(1e9, 1e9)
ANY: Final = 10**9


@dataclass(frozen=True)
class Limits:
    """Every limit of the server, for one process; `_s` is seconds.

    >>> Limits().frame_bytes, Limits.unlimited().socket_moves.rate > Limits().socket_moves.rate
    (8192, True)
    """

    # One message. The largest honest command, a table with a face of its own, has 3 KiB.
    frame_bytes: int = 8 * KIB
    body_bytes: int = 16 * KIB  # a POST may carry settings and a few wishes together
    head_bytes: int = 16 * KIB  # request line and headers; browsers send 1 to 2 KiB

    # Time. Whoever is slower than this is stuck, or wants to hold something of ours for nothing.
    head_s: float = 10.0  # from connecting to the end of the request's head
    body_s: float = 10.0  # for all of a body: 16 KiB take a second on a bad telephone line
    hello_s: float = 10.0  # from the upgrade to the message that says who it is
    heartbeat_s: float = 20.0  # below the 30 to 60 s after which phones' networks forget a line
    heartbeat_wait_s: float = 20.0  # for the answer; a phone that changes cells is away for 10
    removal_s: float = 600.0  # how long a removal counts for others at the same address
    idle_s: float = 2 * HOUR  # without a command: a tab that was forgotten. It may come back
    write_s: float = 20.0  # for one frame to leave; the queue behind it has its own limit
    keep_alive_s: int = 5  # an idle HTTP connection between two requests
    closing_s: float = 10.0  # for lines to say good-bye when the server stops

    # How fast. People make a move in seconds; a quick bot, or a page that was offline, in bursts.
    socket_moves: Rate = Rate(10, 20)
    seat_moves: Rate = Rate(10, 20)  # the same for all sockets of a seat: more tabs, not more moves
    seat_chat: Rate = Rate(0.5, 5)  # nobody reads faster; of a seat, and of whoever has it
    address_chat: Rate = Rate(2, 20)  # a class room that talks; past that, one person as many
    address_moves: Rate = Rate(50, 200)  # a class room of 30 behind one address
    address_requests: Rate = Rate(20, 200)  # HTTP; opening the page costs some 20 at once
    address_sockets: Rate = Rate(5, 64)  # upgrades: all may come back at once after a restart
    address_misses: Rate = Rate(0.2, 20)  # wrong tokens and unknown tables: somebody guesses
    table_sits: Rate = Rate(0.1, 10)  # of an address at one table, which has five seats
    address_tables: Rate = Rate(120 / HOUR, 30)  # tables opened: a class room, each on the disk
    address_replays: Rate = Rate(1, 30)  # records and replays: a class room looks at a game at once

    # How many at once.
    sockets_per_address: int = 64  # a class room, with a second tab each
    streams_per_address: int = 32  # NDJSON: bots of one person
    tables_per_address: int = 50  # that it opened, that are in memory and not over
    lines_per_seat: int = 8  # tabs and devices of one person
    spectators_per_table: int = 200  # each of them is told every move: this bounds one move's work
    sockets: int = 5_000  # about 40 KiB each, so 200 MiB
    streams: int = 1_000
    arriving: int = 256  # sockets, and streams, beyond that: it is not known yet who has a seat
    arriving_per_address: int = 8  # the same for one address: as many as a person has windows
    tables: int = 2_000  # in memory; others are read again from the log when somebody comes
    bots_waiting: int = 1_000  # moves that wait for a process; past this a modest bot answers
    replays_waiting: int = 16  # for the one that is being made: at 20 to 60 ms each, a second
    replays_per_address: int = 4  # of those; different games, since the same one is made once

    # What waits for slow readers. Frames are shared by an audience, so the sum is rarely real.
    queue_frames: int = 256  # a round has about 60, so a whole round behind and more
    queue_bytes: int = 512 * KIB  # per line
    queued_bytes: int = 256 * MIB  # in all lines together; past this the longest queue is dropped

    # What is kept although it could be made again.
    replays_bytes: int = 16 * MIB  # packed, 3 to 15 KiB each: more than a thousand games

    # Books kept about visitors.
    buckets: int = 20_000  # of each sort, about 200 bytes each

    retry_after_s: int = 5  # what a server that is full tells those it turns away

    def __post_init__(self) -> None:
        bad = [f.name for f in fields(self) if not _positive(getattr(self, f.name))]
        if bad:
            raise ValueError(f"a limit is above zero: {', '.join(bad)}")

    @classmethod
    def unlimited(cls) -> Self:
        """Return limits for a load test, in which everybody comes from one address.

        Sizes, queues and time-outs stay: they are part of what is measured.
        """
        limits = cls()
        rates = {f.name: FREELY for f in fields(cls) if isinstance(getattr(limits, f.name), Rate)}
        return replace(
            limits,
            **rates,  # type: ignore[arg-type]
            sockets_per_address=ANY,
            streams_per_address=ANY,
            tables_per_address=ANY,
            lines_per_seat=ANY,
            spectators_per_table=ANY,
            sockets=ANY,
            streams=ANY,
            tables=ANY,
            bots_waiting=ANY,
            replays_waiting=ANY,
            replays_per_address=ANY,
        )


def _positive(limit: float | Rate) -> bool:
    return limit.rate > 0 and limit.burst > 0 if isinstance(limit, Rate) else limit > 0
