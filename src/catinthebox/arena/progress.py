"""Progress of a run, and its results so far: a bar on a terminal, otherwise a line at times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from math import sqrt
from time import monotonic
from typing import Final, TextIO

from .match import Match
from .results import SeatResult
from .statistics import differences

WIDTH: Final = 24
BAR_EVERY: Final = 0.2  # seconds
LINE_EVERY: Final = 30.0


class Running:
    """A mean and its spread, one value at a time."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, value: float) -> None:
        """Add a value."""
        self.count += 1
        away = value - self.mean
        self.mean += away / self.count
        self._squares += away * (value - self.mean)

    @property
    def margin(self) -> float | None:
        """Half of a 95 % interval by the normal approximation, as a rough estimate.

        None if there are fewer than two values.
        """
        if self.count < 2:
            return None
        return 1.96 * sqrt(self._squares / (self.count - 1) / self.count)


class Progress:
    """Reports how many deals are played; silent without a stream.

    The time left is estimated from the pace after start-up, which is over once as many deals are
    finished as run in parallel: by then all processes have started and players are compiled.
    `clock` returns seconds.
    """

    def __init__(
        self, stream: TextIO | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        self.stream = stream
        self.bar = stream is not None and stream.isatty()
        self.total = self.done = self.before = 0
        self.estimates: dict[str, Running] = defaultdict(Running)
        self._clock = clock
        self._reported_at = clock()
        self._side_by_side = 1
        self._warm: tuple[float, int] | None = None  # the end of start-up; deals done then

    def begin(
        self,
        total: int,
        rows: Sequence[SeatResult],
        matches: Sequence[Match],
        side_by_side: int = 1,
    ) -> None:
        """Start with the number of deals, and the rows of an earlier run."""
        self.total = total
        self._side_by_side = side_by_side
        self._reported_at = self._clock()
        for match in matches:
            self._count(match, [row for row in rows if row.match == match.key])
        self.before = self.done

    def finished(self, match: Match, rows: Sequence[SeatResult]) -> None:
        """Count the deals of some rows, and report if it is time."""
        self._count(match, rows)
        now = self._clock()
        if self._warm is None and self.done - self.before >= self._side_by_side:
            self._warm = now, self.done
        if self.stream is None:
            return
        if now - self._reported_at >= (BAR_EVERY if self.bar else LINE_EVERY) or self._full:
            self._reported_at = now
            self._report(match)

    def end(self) -> None:
        """Finish the line of the progress bar."""
        if self.bar and self.stream is not None and self.done:
            print(file=self.stream)

    @property
    def _full(self) -> bool:
        return self.bar and self.done == self.total

    def _count(self, match: Match, rows: Sequence[SeatResult]) -> None:
        self.done += len({row.deal for row in rows})
        if match.kind != "table":
            for value in differences(match, rows).values():
                self.estimates[match.key].add(value)

    def _report(self, match: Match) -> None:
        words = f"{self.done}/{self.total} deals, {self._left()}{self._estimate(match)}"
        if self.bar:
            filled = WIDTH * self.done // max(1, self.total)
            drawn = "█" * filled + "░" * (WIDTH - filled)
            print(f"\r{drawn} {words}\033[K", end="", file=self.stream, flush=True)
        else:
            print(words, file=self.stream, flush=True)

    def _left(self) -> str:
        if self.done == self.total:
            return "0:00 left"
        since, done = self._warm or (0.0, self.done)
        if done == self.done:
            return "estimating the time left"
        seconds = (self._clock() - since) / (self.done - done) * (self.total - self.done)
        return f"{int(seconds) // 60}:{int(seconds) % 60:02d} left"

    def _estimate(self, match: Match) -> str:
        if match.kind == "table":
            return ""
        so_far = self.estimates[match.key]
        margin = so_far.margin
        known = f"± {margin:.2f}" if margin is not None else "(an interval needs more deals)"
        return f", {match.key}: {so_far.mean:+.2f} {known}"
