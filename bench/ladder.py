"""The ladder of docs/strength.md: who beats whom, and by how much.

    python -m bench.ladder --jobs 16 --out ladder.csv             # plays, or goes on
    python -m bench.ladder --out ladder.csv --minutes 0 --table   # shows what was found
    python -m bench.ladder --out ladder.csv --minutes 0 --write docs/strength.md

Every pairing is played in both directions (one A among B, one B among A), on the same deals in
all seatings. A run can be stopped at any time; pairings advance side by side.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import NamedTuple

from catinthebox import __version__
from catinthebox.arena import Match, Terms, compare, directions, overall
from catinthebox.arena.pool import Task, rows_of
from catinthebox.arena.results import Results, SeatResult
from catinthebox.arena.statistics import Interval

SEED = "ladder"
QUICK, HALF, SLOW = 4000, 2000, 600  # rounds: of players that decide in under 5 ms … and others


class Pairing(NamedTuple):
    """Two players, and how many rounds they play against each other."""

    a: str
    b: str
    rounds: int
    about: str = "ladder"


PAIRINGS = (
    Pairing("follow", "random", QUICK),
    Pairing("modest", "follow", QUICK),
    Pairing("careful", "follow", QUICK),
    Pairing("careful", "modest", QUICK),
    Pairing("search:rollouts=200", "careful", QUICK),
    Pairing("search:rollouts=1000", "search:rollouts=200", HALF),
    Pairing("search:rollouts=5000", "search:rollouts=1000", 2 * SLOW),
    Pairing("ismcts:iterations=1000", "careful", QUICK),
    Pairing("ismcts:iterations=10000", "ismcts:iterations=1000", 2 * SLOW),
    Pairing("search:rollouts=1000", "ismcts:iterations=1000", HALF),
    Pairing("search:rollouts=5000", "ismcts:iterations=10000", SLOW),
    Pairing("search:ms=50", "careful", SLOW, "time"),
    Pairing("search:ms=50", "ismcts:ms=50", SLOW, "time"),
    Pairing("search:ms=20,beliefs=yes", "search:ms=20,beliefs=no", 2 * SLOW, "beliefs"),
    Pairing("sharp", "steady", SLOW, "levels"),
    Pairing("fierce", "sharp", SLOW, "levels"),
    Pairing("uncanny", "fierce", SLOW, "levels"),
)

TOPICS = tuple(dict.fromkeys(pairing.about for pairing in PAIRINGS))


def deals_of(players: int, pairing: Pairing) -> int:
    """Return how many deals make the rounds of a pairing: all seatings, both directions."""
    rounds = pairing.rounds
    if rounds == HALF and players <= 3:
        rounds = QUICK  # there a thousand rollouts take less than 5 ms
    return ceil(rounds / (players * len(directions(players, pairing.a, pairing.b))))


def tasks(tables: Sequence[int], done: set[tuple[str, int]]) -> list[Task[SeatResult]]:
    """Everything that is left to play; all pairings advance side by side."""
    found = []
    for players in tables:
        for pairing in PAIRINGS:
            deals = deals_of(players, pairing)
            for match in directions(players, pairing.a, pairing.b):
                found += [
                    (deal / deals, Task(match, Terms(SEED), (deal,)))
                    for deal in range(deals)
                    if (match.key, deal) not in done
                ]
    return [task for _, task in sorted(found, key=lambda pair: pair[0])]


def play(tables: Sequence[int], out: Path, jobs: int, minutes: float) -> list[SeatResult]:
    """Play for some time, or until everything is played."""
    end = time.monotonic() + 60 * minutes
    kept = Results(out, {"ladder": __version__, "seed": SEED})
    left = tasks(tables, kept.done)
    print(f"{len(left)} deals are left", flush=True)
    if minutes > 0 and left:
        for number, rows in enumerate(rows_of(left, jobs)):
            kept.add(rows)
            if number % 2000 == 0:
                print(f"{number} of {len(left)}", flush=True)
            if time.monotonic() > end:
                break
    kept.close()
    return kept.rows


# ── What was found ───────────────────────────────────────────────────────────────────────────


def cell(interval: Interval) -> str:
    """Write a difference with its interval."""
    return f"{interval.value:+.2f} ({interval.low:+.2f} to {interval.high:+.2f})"


def lines(rows: Sequence[SeatResult], tables: Sequence[int], about: str) -> Iterator[str]:
    """Write a table of Markdown: a line for every pairing at every table size."""
    by_match: dict[str, list[SeatResult]] = defaultdict(list)
    for row in rows:
        by_match[row.match].append(row)
    yield "| players | A | B | one A among B | one B among A, from A's side | together | rounds |"
    yield "|---|---|---|---|---|---|---|"
    for players in tables:
        for pairing in PAIRINGS:
            if pairing.about != about:
                continue
            matches = directions(players, pairing.a, pairing.b)
            if not all(by_match[match.key] for match in matches):
                continue
            yield line(players, pairing, matches, by_match)


def line(
    players: int,
    pairing: Pairing,
    matches: Sequence[Match],
    by_match: dict[str, list[SeatResult]],
) -> str:
    """Write a pairing."""
    found = [cell(compare(match, by_match[match.key]).difference) for match in matches]
    rows = [row for match in matches for row in by_match[match.key]]
    both = cell(overall(matches, rows)) if len(matches) > 1 else found[0]
    shown = [*found, ""][:2] if len(matches) > 1 else [found[0], "the same"]
    cells = [f"`{pairing.a}`", f"`{pairing.b}`", *shown, both, f"{len(rows) // players:,}"]
    return f"| {players} | {' | '.join(cells)} |"


def write(rows: Sequence[SeatResult], tables: Sequence[int], page: Path) -> None:
    """Put the tables into a page, each between its marks."""
    text = page.read_text("utf-8")
    for about in TOPICS:
        begin = f"<!-- {about} -->\n"
        before, mark, rest = text.partition(begin)
        _, end, after = rest.partition("<!-- end -->")
        if mark and end:
            body = "\n".join(["", *lines(rows, tables, about), "", ""])
            text = f"{before}{begin}{body}{end}{after}"
    page.write_text(text, "utf-8")


def main() -> None:
    """Play, show, or both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--table", action="store_true", help="print what was found")
    parser.add_argument("--write", type=Path, help="put it into a page", metavar="PAGE")
    options = parser.parse_args()
    rows = play(options.players, options.out, options.jobs, options.minutes)
    for about in TOPICS if options.table else ():
        print(f"\n{about}\n", *lines(rows, options.players, about), sep="\n")
    if options.write:
        write(rows, options.players, options.write)


if __name__ == "__main__":
    main()
