"""Makes as many puzzles as are wanted, on any pool; a run that was stopped goes on where it was."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from ..arena.match import Terms
from ..arena.pool import Task, rows_of
from ..game import NotUnderstood
from ..optional import load
from .make import LEVELS, Made, Maker
from .puzzle import PuzzleFile
from .working_file import WorkingFile

ONE_THREAD: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
OnProgress = Callable[[int, int], None]  # deals that are done, puzzles that are chosen


def collect(
    count: int,
    seed: str,
    maker: Maker,
    work: Path,
    *,
    jobs: int = 1,
    ray: bool = False,
    progress: OnProgress = lambda _deals, _puzzles: None,
) -> PuzzleFile:
    """Return the first puzzles of a seed; what was found is kept in the file `work`.

    The same count, seed and maker give the same puzzles, whatever the number of jobs and however
    often it was interrupted.
    """
    for name in ONE_THREAD:  # the matrices are small: threads would only wait for each other
        os.environ.setdefault(name, "1")
    load("numpy", extra="fast")  # missed now, not after the first deal
    settings = PuzzleFile(seed, maker.worlds, maker.again, LEVELS)
    kept = WorkingFile(work, settings)
    try:
        found = kept.chosen(count)
        progress(len(kept.done), len(found))
        if len(found) < count:
            with closing(rows_of(_tasks(kept, Terms(seed), maker), jobs, ray)) as rows:
                for some in rows:
                    kept.add(some)
                    found = kept.chosen(count)
                    progress(len(kept.done), len(found))
                    if len(found) == count:
                        break
    finally:
        kept.close()
    if len(found) < count:
        raise NotUnderstood("input.file", f"{work}: the run ended with {len(found)} puzzles")
    return settings.holding(found)


def _tasks(kept: WorkingFile, terms: Terms, maker: Maker) -> Iterator[Task[Made]]:
    return (Task(maker, terms, (number,)) for number in kept.missing())
