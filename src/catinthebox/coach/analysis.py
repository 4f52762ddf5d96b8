"""What every legal action of a seat is worth: means over worlds that agree with its view.

All actions meet the same worlds and the same chance, so their differences are known better than
their values. With a number of worlds, an analysis depends on the view, the seed and the method
alone; with a time, on the clock, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, exp, log, sqrt
from statistics import NormalDist
from time import perf_counter
from typing import Any, Final

from ..game import ACTIONS, Action
from ..players import engine
from ..players.net import Net
from ..players.player import never
from ..tactics import prospects
from ..tactics.prospects import AHEAD, POINTS, SCORE
from ..views import View
from .calibration import (
    Expectation,
    bonus_lost,
    corrected_chance,
    corrected_points,
    left_of_round,
)
from .corrections import CORRECTIONS
from .rollouts import WHOLE, Method, Rollouts, rollouts

CAREFUL: Final = Method("careful")
MIXED: Final = Method("mixed", decisions=8, corrected=False)
NETWORK: Final = Method("network", decisions=WHOLE, witness=False, corrected=False)
METHODS: Final = {method.name: method for method in (CAREFUL, MIXED, NETWORK)}

DEFAULT: Final = 256  # worlds, if there is no limit
MOST: Final = 4096  # worlds of one analysis
SAMPLED: Final = 3  # worlds weighed for each one that is used
IMAGINED: Final = 3072  # worlds sampled at most; more tries use them again
WEIGHING: Final = 0.25  # of the time, about
FEW: Final = 8  # worlds in a first slice, while it is not known how long one takes

SURE: Final = 0.95  # of the intervals contain the truth
NORMAL: Final = NormalDist().inv_cdf((1 + SURE) / 2)
FINE: Final = 0.3  # points; a smaller loss is no fault
MISTAKE: Final = 1.0  # points; a loss that is clearly larger is a mistake
DOUBT: Final = 0.1  # the network's probability above which it does not speak against an action
LEAST: Final = 1e-12  # the lowest probability that differs from 0

VERDICTS: Final = ("best", "fine", "slip", "mistake", "close")
FAULTS: Final = ("slip", "mistake")


@dataclass(frozen=True)
class Prospect:
    """What is expected of one action. Shares are from 0 to 1."""

    action: Action
    points: float  # of this seat in this round
    within: float  # half the width of their 95 % interval
    margin: float  # own points less the mean of the others'
    margin_within: float
    loss: float  # of margin, against the best action; 0 or more
    loss_within: float  # in the same worlds
    paradox: float  # this seat causes one
    any_paradox: float
    bid: float  # the bonus is earned
    tricks: float
    group: float  # its largest one at the end
    wins: float  # the next trick that is completed
    dead: float  # own cards that cannot be played any more, when this seat next has to play
    denied: float  # bonus points of all others
    chance: float  # the network's probability
    scores: tuple[float, ...]  # of all seats


@dataclass(frozen=True)
class Judged:
    """An action, what is expected of it, and the verdict."""

    prospect: Prospect
    verdict: str  # one of VERDICTS
    gives: str | None  # the color that it gives up, by its letter

    @property
    def action(self) -> Action:
        """The action."""
        return self.prospect.action

    @property
    def loss(self) -> float:
        """How many points it costs."""
        return self.prospect.loss


class Analysis:
    """The analysis of one decision: its actions, the best first."""

    def __init__(self, view: View, method: Method, table: Ends, shares: dict[int, float]) -> None:
        self.view, self.method, self.table, self.shares = view, method, table, shares

    @property
    def worlds(self) -> int:
        """In how many worlds every action was tried."""
        return self.table.worlds

    @property
    def options(self) -> Sequence[int]:
        """The ids of the actions that were compared."""
        return self.table.options

    @cached_property
    def best_id(self) -> int:
        """The action that the others are judged against: the strongest player's choice.

        As in `players.net_search`, it has the highest sum of the logarithm of the network's
        probability and a multiple of its margin: where rollouts say little, the network decides.
        """
        return max(self.options, key=lambda number: (self._score(number), -number))

    def _score(self, number: int) -> float:
        trust = self.method.trust * self.table.mean(number, AHEAD) / (self.view.players - 1)
        return log(max(self.shares[number], LEAST)) + trust

    @cached_property
    def actions(self) -> tuple[Judged, ...]:
        """All actions: the best, then by what they cost."""
        found = [self._judged(number) for number in self.options]
        order = lambda one: (one.verdict != "best", one.loss, -one.prospect.margin, one.action.id)  # noqa: E731
        return tuple(sorted(found, key=order))

    @property
    def best(self) -> Judged:
        """The action that the others are judged against."""
        return self.actions[0]

    def of(self, action: Action) -> Judged:
        """What is expected of an action."""
        return next(judged for judged in self.actions if judged.action == action)

    def expected(self, judged: Judged) -> Expectation:
        """What to expect of an action: as found, or corrected for careful rollouts."""
        one, view = judged.prospect, self.view
        if not self.method.corrected:
            return Expectation(one.points, one.within, one.paradox, one.bid)
        slope = 1 + left_of_round(view) * CORRECTIONS[view.players].points[1]
        return Expectation(
            corrected_points(view, one.points),
            slope * one.within,
            self.chance(prospects.CAUSED, one.paradox),
            self.chance(prospects.KEPT, one.bid),
        )

    def chance(self, column: int, found: float) -> float:
        """What to expect of a chance: a paradox or a bonus is corrected, others are as found."""
        lines = CORRECTIONS[self.view.players]
        line = {prospects.CAUSED: lines.paradox, prospects.KEPT: lines.bonus}.get(column)
        lost = column == prospects.KEPT and bonus_lost(self.view)
        if line is None or lost or not self.method.corrected:
            return found
        return corrected_chance(self.view, found, self.worlds, line)

    def _judged(self, number: int) -> Judged:
        action, players = ACTIONS[number], self.view.players
        mean = {column: self.table.mean(number, column) for column in range(prospects.COLUMNS)}
        lost, error = self.table.difference(self.best_id, number, AHEAD)
        loss = max(0.0, lost / (players - 1))
        prospect = Prospect(
            action=action,
            points=mean[POINTS],
            within=NORMAL * self.table.error(number, POINTS),
            margin=mean[AHEAD] / (players - 1),
            margin_within=NORMAL * self.table.error(number, AHEAD) / (players - 1),
            loss=loss,
            loss_within=NORMAL * error / (players - 1),
            paradox=mean[prospects.CAUSED],
            any_paradox=mean[prospects.PARADOX_SEEN],
            bid=mean[prospects.KEPT],
            tricks=mean[prospects.TRICKS],
            group=mean[prospects.GROUP],
            wins=mean[prospects.WINS],
            dead=mean[prospects.DEAD],
            denied=mean[prospects.DENIED],
            chance=self.shares[number],
            scores=tuple(mean[SCORE + seat] for seat in range(players)),
        )
        noise = quantile(len(self.options) - 1) * error / (players - 1)
        verdict = "best" if number == self.best_id else judge(loss, noise)
        if verdict in FAULTS and self.method.witness and prospect.chance > DOUBT:
            verdict = "close"  # the rollouts speak against it, the network does not
        return Judged(prospect, verdict, gives(self.view, action))


def judge(loss: float, noise: float) -> str:
    """Judge an action that is not the best by its loss and the noise of the comparison.

    >>> judge(0.2, 0.3), judge(0.2, 0.1), judge(0.6, 0.5), judge(1.5, 0.9), judge(1.5, 0.4)
    ('close', 'fine', 'slip', 'slip', 'mistake')
    """
    if loss <= noise:
        return "close"
    if loss < FINE:
        return "fine"
    return "mistake" if loss - noise > MISTAKE else "slip"


def quantile(comparisons: int) -> float:
    """Return how many standard errors cover all of some comparisons, 19 times out of 20.

    >>> round(quantile(1), 2), round(quantile(10), 2)
    (1.96, 2.81)
    """
    return NormalDist().inv_cdf(1 - (1 - SURE) / 2 / max(comparisons, 1))


def gives(view: View, action: Action) -> str | None:
    """Return the letter of the color that an action gives up (R16)."""
    if action.color is None or not view.trick or view.seat is None:
        return None
    led = view.trick[0].action.color
    if led is None or led is action.color or led not in view.tokens[view.seat]:
        return None
    return led.letter


# ── Ends ─────────────────────────────────────────────────────────────────────────────────────


class Ends:
    """How the rounds ended that were played on: a row for each world and action.

    Worlds are chosen by their weights, so one of them may come more than once, and then its rows
    are alike. An error counts them together.
    """

    def __init__(self, rows: Any, options: Sequence[int], room: int) -> None:
        self.rows, self.options, self.worlds = rows, list(options), 0
        self.origins, self._sums = engine.zeros(len(rows) // len(options)), engine.zeros(room)
        self._places = {number: place for place, number in enumerate(self.options)}
        self._rules = engine.tactics().prospects

    def mean(self, number: int, column: int) -> float:
        """Return the mean of a column over all worlds."""
        return self._sum(number, column) / self.worlds

    def error(self, number: int, column: int) -> float:
        """Return the standard error of a mean."""
        return self._error(
            self._sum(number, column), self._places[number], prospects.NOBODY, column
        )

    def difference(self, one: int, other: int, column: int) -> tuple[float, float]:
        """Return the mean difference between two actions in the same worlds, and its error."""
        total = self._sum(one, column) - self._sum(other, column)
        error = self._error(total, self._places[one], self._places[other], column)
        return total / self.worlds, error

    def _sum(self, number: int, column: int) -> int:
        given = self.rows, self.worlds, len(self.options), self._places[number], column
        return int(self._rules.sum_column(*given))

    def _error(self, total: int, one: int, other: int, column: int) -> float:
        """Return the error of a mean: tries of one world are alike, and no better than others."""
        tries, rules, number = self.worlds, self._rules, self._different
        if tries < 2:
            return float("inf")
        given = self.rows, tries, len(self.options), one, other, column
        apart = (tries * int(rules.sum_squares(*given)) - total * total) / (tries - 1)
        alike = int(rules.sum_by_world(*given, total, self.origins, self._sums)) / tries / tries
        together = alike * number / (number - 1) if number > 1 else 0.0
        return sqrt(max(apart, together, 0.0)) / tries

    @cached_property
    def _different(self) -> int:
        """How many different worlds were tried; asked for after the last one."""
        return len({int(world) for world in self.origins[: self.worlds]})


# ── Thinking ─────────────────────────────────────────────────────────────────────────────────


def analyse(
    view: View,
    worlds: int | None = None,
    ms: float | None = None,
    seed: int = 0,
    method: Method = CAREFUL,
    only: Sequence[Action] = (),
    cancelled: Callable[[], bool] = never,
) -> Analysis:
    """Analyse the decision that the seat of a view has to make.

    `only` limits the analysis to some actions. Two worlds are tried at least, whatever the time.
    """
    begun = perf_counter()
    options = sorted(action.id for action in view.legal if not only or action in only)
    most = min(worlds or (MOST if ms else DEFAULT), MOST)

    def late(share: float = 1.0) -> bool:
        return cancelled() or (ms is not None and 1000 * (perf_counter() - begun) >= share * ms)

    room = min(SAMPLED * most, IMAGINED)
    source = rollouts(method, view, options, room, seed)
    ends = Ends(engine.zeros(most * len(options), prospects.COLUMNS), options, room)
    sampled = _sample(source, room, None if ms is None else lambda: late(WEIGHING))
    source.choose(sampled, ceil(sampled / SAMPLED))
    _try(source, ends, most, None if ms is None and cancelled is never else late)
    return Analysis(view, method, ends, shares(view))


def _sample(source: Rollouts, room: int, late: Callable[[], bool] | None) -> int:
    """Sample worlds until there is no room or no time for more; return how many."""
    if late is None:
        source.sample(0, room, never)
        return room
    sampled, size = 0, SAMPLED * FEW
    while sampled < room and (sampled == 0 or not late()):
        size = min(size, room - sampled)
        source.sample(sampled, size, never)
        sampled += size
        size *= 2
    return sampled


def _try(source: Rollouts, ends: Ends, most: int, late: Callable[[], bool] | None) -> None:
    """Try all actions in one world after another, until it is enough or late."""
    while ends.worlds < most and (late is None or ends.worlds < 2 or not late()):
        size = source.at_once if late is None else min(source.at_once, FEW)
        size = min(size, most - ends.worlds)
        source.play(ends.worlds, size, ends.rows, never)
        for place in range(ends.worlds, ends.worlds + size):
            ends.origins[place] = source.origin(place)
        ends.worlds += size


def shares(view: View) -> dict[int, float]:
    """Return the network's probability of every legal action, by id."""
    logits = Net().logits(view)
    most = max(logits[action.id] for action in view.legal)
    weights = {action.id: exp(logits[action.id] - most) for action in view.legal}
    whole = sum(weights.values())
    return {number: weight / whole for number, weight in weights.items()}
