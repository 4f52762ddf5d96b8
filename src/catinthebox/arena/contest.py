"""Plays matches, several at once, on any pool; a run that was stopped can be continued.

>>> rows = contest([Match(2, ("follow", "random"))], Terms(seed="7"), deals=3)
>>> len(rows), rows[0].deal, rows[-1].deal
(12, 0, 2)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .. import __version__
from .match import Match, Terms
from .pool import Task, chunk, rows_of
from .progress import Progress
from .results import Results, SeatResult, Unit


def contest(
    matches: Sequence[Match],
    terms: Terms,
    deals: int,
    *,
    jobs: int = 1,
    ray: bool = False,
    out: Path | None = None,
    progress: Progress | None = None,
) -> list[SeatResult]:
    """Play all matches over the first deals of a seed; return their rows in order.

    Deals that the file `out` already holds are not played again; it may hold more deals.
    """
    matches = list(dict.fromkeys(matches))
    kept = Results(out, settings(matches, terms)) if out else None
    rows = kept.rows if kept else []
    progress = progress or Progress()
    side_by_side = jobs * chunk(deals * len(matches), jobs)
    progress.begin(len(matches) * deals, _within(rows, deals), matches, side_by_side)
    tasks = missing(matches, terms, deals, kept.done if kept else set(), jobs)
    by_key = {match.key: match for match in matches}
    try:
        for found in rows_of(tasks, jobs, ray) if tasks else ():
            kept.add(found) if kept else rows.extend(found)
            progress.finished(by_key[found[0].match], found)
        if kept and (tasks or kept.waiting):
            kept.finish()
    finally:
        progress.end()
        if kept:
            kept.close()
    return sorted(_within(rows, deals), key=lambda row: row.place)


def settings(matches: Sequence[Match], terms: Terms) -> dict[str, str]:
    """Return the settings that all results in a file must share; the number of deals may grow."""
    faces = dict.fromkeys(terms.board(match.players) for match in matches)
    return {
        "version": __version__,
        "matches": ", ".join(match.key for match in matches),
        "seed": terms.seed,
        "face": ", ".join(face.name if face.standard else str(face) for face in faces),
    }


def missing(
    matches: Sequence[Match], terms: Terms, deals: int, done: set[Unit], jobs: int = 1
) -> list[Task[SeatResult]]:
    """Return the remaining tasks, interleaved so that all estimates improve together."""
    size = chunk(deals * len(matches), jobs)
    tasks: list[Task[SeatResult]] = []
    for first in range(0, deals, size):
        for match in matches:
            numbers = range(first, min(first + size, deals))
            left = tuple(number for number in numbers if (match.key, number) not in done)
            if left:
                tasks.append(Task(match, terms, left))
    return tasks


def _within(rows: Sequence[SeatResult], deals: int) -> list[SeatResult]:
    return [row for row in rows if row.deal < deals]
