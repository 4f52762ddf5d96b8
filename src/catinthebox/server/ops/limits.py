"""All limits of the server, with reasons.

>>> Limits().frame_bytes, Limits.unlimited().socket_moves.rate > Limits().socket_moves.rate
(8192, True)
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Final, Self

KIB: Final = 1024
MIB: Final = 1024 * KIB
HOUR: Final = 3600.0
ANY: Final = 10**9


@dataclass(frozen=True)
class Rate:
    """A rate limit: a number per second in the long run, and `burst` at once."""

    rate: float
    burst: float


NO_LIMIT: Final = Rate(1e9, 1e9)


@dataclass(frozen=True)
class Limits:
    """Every limit of one server process; names that end in `_s` are seconds."""

    # One message. The largest honest command, a table with a face of its own, has 3 KiB.
    frame_bytes: int = 8 * KIB
    body_bytes: int = 16 * KIB  # a POST may carry settings and a few commands together
    head_bytes: int = 16 * KIB  # request line and headers; browsers send 1 to 2 KiB

    # Time. A slower client hangs, or wants to tie up resources.
    head_s: float = 10.0  # from connecting to the end of the request's head
    body_s: float = 10.0  # for a whole body: 16 KiB take a second on a bad mobile network
    hello_s: float = 10.0  # from the upgrade to the client's Hello
    heartbeat_s: float = 20.0  # mobile networks drop connections after 30 to 60 s of silence
    heartbeat_wait_s: float = 20.0  # for the answer; a phone that changes cells is offline for 10
    removal_s: float = 600.0  # how long a removal counts for others at the same address
    idle_s: float = 2 * HOUR  # without a command: a forgotten tab, which may reconnect
    write_s: float = 20.0  # to send one frame; the queue behind it has its own limit
    keep_alive_s: int = 5  # an idle HTTP connection between two requests
    closing_s: float = 10.0  # to close all connections when the server stops

    # How fast. People make a move in seconds; a quick bot, or a page that was offline, in bursts.
    socket_moves: Rate = Rate(10, 20)
    seat_moves: Rate = Rate(10, 20)  # the same for all sockets of a seat: more tabs, not more moves
    seat_chat: Rate = Rate(0.5, 5)  # nobody reads faster; for a seat and for its person
    address_chat: Rate = Rate(2, 20)  # a school class that chats
    address_moves: Rate = Rate(50, 200)  # a school class of 30 behind one address
    address_requests: Rate = Rate(20, 200)  # HTTP, apart from files
    address_files: Rate = Rate(100, 4_000)  # from memory; a browser keeps about 100: a school class
    address_sockets: Rate = Rate(5, 64)  # upgrades: all may reconnect at once after a restart
    address_misses: Rate = Rate(0.2, 20)  # wrong tokens and unknown tables: guesses
    table_sits: Rate = Rate(0.1, 10)  # of an address at one table, which has five seats
    address_tables: Rate = Rate(120 / HOUR, 30)  # a school class; each table takes disk space
    address_replays: Rate = Rate(1, 30)  # records and replays: a school class at once
    address_days: Rate = Rate(30 / HOUR, 30)  # entries on the table of the day: a school class

    # How many at once.
    sockets_per_address: int = 64  # a school class, with a second tab each
    streams_per_address: int = 32  # NDJSON: the bots of one person
    tables_per_address: int = 50  # opened by it, in memory and not over
    connections_per_person: int = 8  # at one table: tabs and devices
    spectators_per_table: int = 200  # each gets every move: this bounds the work of one move
    sockets: int = 5_000  # about 40 KiB of memory each, 200 MiB in all
    streams: int = 1_000
    arriving: int = 256  # beyond these limits, before it is known whether the client is a player
    arriving_per_address: int = 8  # the same for one address: as many as one person has windows
    tables: int = 2_000  # in memory; others are loaded from their logs when somebody connects
    bots_waiting: int = 1_000  # moves that wait for a process; beyond this a simple player moves
    replays_waiting: int = 16  # in the queue: at 20 to 60 ms each, one second
    replays_per_address: int = 4  # of those; all of different games, since each is rendered once
    day_checks_waiting: int = 32  # games for the table of the day: a school class
    day_entries: int = 10_000  # on the table of a day; it is read as a whole

    # What waits for slow clients. Clients share frames, so the memory is usually less than the sum.
    queue_frames: int = 256  # a round has about 60, so this is several rounds
    queue_bytes: int = 512 * KIB  # per connection
    queued_bytes: int = 256 * MIB  # of all connections; beyond this the longest queue is dropped

    # Caches.
    replays_bytes: int = 16 * MIB  # compressed, 3 to 15 KiB each: more than a thousand games

    # Memory for rate limits.
    buckets: int = 20_000  # of each kind, about 200 bytes each

    retry_after_s: int = 5  # for clients that are rejected because the server is full

    def __post_init__(self) -> None:
        bad = [f.name for f in fields(self) if not _positive(getattr(self, f.name))]
        if bad:
            raise ValueError(f"these limits must be above zero: {', '.join(bad)}")

    @classmethod
    def unlimited(cls) -> Self:
        """Return limits for a load test, in which all clients have one address.

        Sizes, queues and time-outs stay: they are part of what is measured.
        """
        limits = cls()
        rates = {f.name: NO_LIMIT for f in fields(cls) if isinstance(getattr(limits, f.name), Rate)}
        return replace(
            limits,
            **rates,  # type: ignore[arg-type]
            sockets_per_address=ANY,
            streams_per_address=ANY,
            tables_per_address=ANY,
            connections_per_person=ANY,
            spectators_per_table=ANY,
            sockets=ANY,
            streams=ANY,
            tables=ANY,
            bots_waiting=ANY,
            replays_waiting=ANY,
            replays_per_address=ANY,
            day_checks_waiting=ANY,
        )


def _positive(limit: float | Rate) -> bool:
    return limit.rate > 0 and limit.burst > 0 if isinstance(limit, Rate) else limit > 0
