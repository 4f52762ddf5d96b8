"""Thousands of sockets on one core: the server beside a bare Starlette program and boardgame.io.

    python -m bench.load                        # 2,000 sockets, four at a table
    python -m bench.load --no-peers --seconds 5
    python -m bench.load --postgres postgresql://…/scratch  # yours, instead of one for now

Each server runs on one core, its players in a process on another. The rows take turns, and the best
span of each counts. First every table (or --moving) has a move in flight all the time: how many
moves arrive at all seats for each second of the server's CPU time? Then tables move at a steady
rate: how long does a move take to arrive at all seats? Compare rows of one run. It needs Linux.

boardgame.io plays the same game in memory, with hidden hands and four players. Its row with
tic-tac-toe is a footnote: that game has nothing to hide and little to decide.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

from bench.load_client import SEATS
from bench.load_rig import Contender, Rig, Span, allow_files, python
from bench.npm import Programs
from bench.store import postgres

SPANS = 5
IDLE = 46e6  # bytes that an idle server may hold
SPARE = 200  # files that are no sockets of players
OURS, BARE, PEER = "catinthebox", "bare Starlette", "boardgame.io"
SAME_GAME, TIC_TAC_TOE = f"{PEER}, the same game", f"{PEER}, tic-tac-toe"
PROMISES = {BARE: 0.5, SAME_GAME: 2.5}  # ours as a multiple of theirs
BOARDGAME = Programs.beside(PEER, "boardgame")
PRODUCTION = {"NODE_ENV": "production"}  # as its documentation wants it served


# ── Contenders ───────────────────────────────────────────────────────────────────────────────


def bare(tables: int, size: int) -> Contender:
    """A program that only sends."""
    return Contender(
        f"{BARE}, {SEATS} × {size:,} B",
        server=python("bench.load_bare", "{port}", "--bytes", str(size)),
        client=python("bench.load_client", "bare", "{url}", "--tables", str(tables)),
        tables=tables,
    )


def ours(tables: int, name: str, *options: str) -> Contender:
    """Our server."""
    return Contender(
        f"{OURS} ({name})",
        server=python("bench.load_ours", "{port}", *options),
        client=python("bench.load_client", "ours", "{url}", "--tables", str(tables)),
        tables=tables,
    )


def boardgame(sockets: int) -> Contender:
    """boardgame.io with our game: four players a match, hidden hands, everything in memory."""
    tables = sockets // SEATS
    return Contender(
        SAME_GAME,
        server=BOARDGAME.command("server.mjs", "{port}"),
        client=BOARDGAME.command("client.mjs", "{url}", str(tables), str(SEATS), "cat-in-the-box"),
        tables=tables,
        environment=PRODUCTION,
    )


def tic_tac_toe(sockets: int, seats: int) -> Contender:
    """boardgame.io with tic-tac-toe: two players and, with four seats, two who watch."""
    tables = sockets // seats
    return Contender(
        f"{TIC_TAC_TOE}, {seats} sockets",
        server=BOARDGAME.command("server.mjs", "{port}"),
        client=BOARDGAME.command("client.mjs", "{url}", str(tables), str(seats), "tic-tac-toe"),
        tables=tables,
        environment=PRODUCTION,
        renewed=True,
    )


def contenders(stack: ExitStack, options: argparse.Namespace) -> Iterator[Contender]:
    """Yield every contender that can be run."""
    yield ours(options.sockets // SEATS, "SQLite")
    try:
        address = stack.enter_context(postgres(options.postgres))
        yield ours(options.sockets // SEATS, "PostgreSQL", "--db", address)
    except (ImportError, OSError, RuntimeError, AssertionError) as error:
        print(f"skipped: PostgreSQL: {error}")
    yield bare(options.sockets // SEATS, options.bytes)
    if not options.no_peers and BOARDGAME.prepare():
        yield boardgame(options.sockets)
        yield tic_tac_toe(options.sockets, SEATS)


# ── Rows ─────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Row:
    """What a contender came to; its speed and its delays are those of the best span each."""

    name: str
    idle: int
    loaded: int = 0
    full: list[Span] = field(default_factory=list)  # all tables moving
    calm: list[Span] = field(default_factory=list)  # a steady rate

    @property
    def speed(self) -> float:
        """Moves for each second of the server's CPU time."""
        return max(span.moves_per_cpu for span in self.full)

    @property
    def size(self) -> str:
        """Bytes that the players were sent for each move, if they count them."""
        moves = sum(span.report.moves for span in self.full)
        size = sum(span.report.bytes for span in self.full)
        return f"{size / moves:,.0f}" if size else "?"


def quickest(spans: list[Span]) -> Span:
    """Return the span in which even the slow moves were quick."""
    return min(spans, key=lambda span: span.report.p99)


def measure(rigs: list[Rig], options: argparse.Namespace) -> list[Row]:
    """Let the rigs take turns; a first turn warms them up and is not counted."""
    rows = [Row(rig.contender.name, rig.idle) for rig in rigs]
    for turn in range(SPANS + 1):
        for rig, row in zip(rigs, rows, strict=True):
            tables = rig.contender.tables
            full = rig.span(min(options.moving or tables, tables), 0, options.seconds)
            calm = rig.span(tables, options.rate, options.seconds)
            if turn:
                row.full.append(full)
                row.calm.append(calm)
                row.loaded = max(row.loaded, rig.memory())
    return rows


def table(rows: list[Row], rate: float) -> Iterator[str]:
    """Yield the lines of the table."""
    base = next(row.speed for row in rows if row.name.startswith(BARE))
    steady = f"{rate:,.0f} a second, ms"
    yield (
        f"{'':36}{'moves per':>11}{'of':>7}{'bytes':>8}{'moving all the time, ms':>24}"
        f"{steady:>19}{'MB':>12}"
    )
    yield (
        f"{'':36}{'CPU-second':>11}{'bare':>7}{'a move':>8}{'busy':>8}{'p50':>8}{'p99':>8}"
        f"{'p50':>11}{'p99':>8}{'idle':>7}{'loaded':>7}"
    )
    for row in rows:
        full, calm = quickest(row.full), quickest(row.calm).report
        yield (
            f"{row.name:36}{row.speed:11,.0f}{row.speed / base:7.2f}{row.size:>8}"
            f"{full.busy:8.0%}{full.report.p50 * 1e3:8.1f}{full.report.p99 * 1e3:8.1f}"
            f"{calm.p50 * 1e3:11.2f}{calm.p99 * 1e3:8.2f}"
            f"{row.idle / 1e6:7.0f}{row.loaded / 1e6:7.0f}"
        )


def bars(rows: list[Row]) -> Iterator[str]:
    """Yield every promise with what was measured; `<` marks one that was missed."""
    ours = next((row for row in rows if row.name.startswith(OURS)), None)
    if ours is None:
        return
    yield f"\n{'promised':45}{'measured':>10}{'promise':>12}"
    for row in rows:
        promise = next((PROMISES[name] for name in PROMISES if row.name.startswith(name)), None)
        if promise is not None:
            ratio = ours.speed / row.speed
            missed = "<" * (ratio < promise)
            yield f"{f'ours ÷ {row.name}':45}{ratio:10.2f}{promise:>9.1f} up {missed}"
    heavy = "<" * (ours.idle > IDLE)
    yield f"{'idle server, MB':45}{ours.idle / 1e6:10.0f}{f'up to {IDLE / 1e6:.0f}':>12} {heavy}"
    if small := next((row for row in rows if row.name.startswith(TIC_TAC_TOE)), None):
        yield f"\n{small.name}: ours is at {ours.speed / small.speed:.2f}, with a larger game"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each span")
    parser.add_argument("--sockets", type=int, default=2000)
    parser.add_argument("--moving", type=int, help="tables that move at once; all if not given")
    parser.add_argument("--rate", type=float, default=500.0, help="moves a second, calm spans")
    parser.add_argument("--bytes", type=int, default=910, help="in a frame of the bare program")
    parser.add_argument("--postgres", metavar="URL", help="of an empty database to play in")
    parser.add_argument("--no-peers", action="store_true", help="without boardgame.io")
    options = parser.parse_args()
    print(f"{options.sockets:,} sockets; one core for a server, one for players")
    allow_files(options.sockets + SPARE)
    with ExitStack() as stack:
        rigs = [stack.enter_context(Rig(who)) for who in contenders(stack, options)]
        rows = measure(rigs, options)
    print("\n".join((*table(rows, options.rate), *bars(rows))))


if __name__ == "__main__":
    main()
