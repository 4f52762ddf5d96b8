"""The review of a recorded game: every decision, judged by what its seat could know.

Each decision is analysed twice. A first look with careful rollouts covers all actions. Where the
action that was taken does not look best, a second look with another seed compares it with the best
ones alone, in more worlds: picking the best of many noisy means favours the lucky ones, and a
verdict must not rest on that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ..game import Action, Game, Phase, Play, Round
from ..game.round import Seat
from ..players import engine
from ..tactics import escape
from ..views import View
from .analysis import CAREFUL, FAULTS, Analysis, Judged, analyse
from .reasons import Reason, why
from .rollouts import Method

WORLDS: Final = 128  # of the first look
MORE: Final = 4  # times as many in the second one
RIVALS: Final = 3  # the best actions, with which the one that was taken is compared
POSITIONS: Final = 200_000  # of the search for a way around a paradox
TURNS: Final = 3  # turning points that are named
HALF: Final = 1.0  # points; a decision that loses so many counts half in the accuracy


@dataclass(frozen=True)
class JudgedDecision:
    """What a seat did, and what it was worth."""

    round: int  # its number, from 1
    step: int  # how many actions of the round came before
    seat: Seat
    action: Action
    first: Analysis  # of all actions
    second: Analysis | None  # of a few, in more worlds; None if the action looked best

    @property
    def analysis(self) -> Analysis:
        """The analysis that the verdict comes from."""
        return self.second or self.first

    @property
    def taken(self) -> Judged:
        """The action that was taken."""
        return self.analysis.of(self.action)

    @property
    def best(self) -> Judged:
        """The action that would have been best."""
        return self.analysis.best

    @property
    def verdict(self) -> str:
        """How the decision is judged."""
        return self.taken.verdict

    @property
    def loss(self) -> float:
        """What it cost; 0 if chance explains it as well."""
        return self.taken.loss if self.verdict not in ("best", "close") else 0.0

    @property
    def loss_within(self) -> float:
        """Half the width of the 95 % interval of what it cost; 0 if nothing was lost."""
        return self.taken.prospect.loss_within if self.loss else 0.0

    @property
    def expected(self) -> float:
        """The own points to expect after it."""
        return self.first.expected(self.first.of(self.action)).points

    @property
    def choice(self) -> bool:
        """Whether there was more than one legal action."""
        return len(self.first.options) > 1

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """What speaks for the best action, and what against it."""
        return why(self.analysis, self.best, self.taken)


@dataclass(frozen=True)
class SeatRound:
    """A round of a seat, in points ahead of the mean of the others."""

    seat: Seat
    points: int
    ahead: float  # how it ended
    deal: float  # what its cards were worth at its first decision, played as well as the coach can
    decisions: float  # what its own decisions cost; 0 or less
    bid: float | None  # the expected own points when it bid

    @property
    def rest(self) -> float:
        """What is left: what the others did, what was hidden, and what the coach does not know."""
        return self.ahead - self.deal - self.decisions


@dataclass(frozen=True)
class RoundReview:
    """A round: its decisions in order, its seats, and with hindsight, its paradox."""

    number: int
    decisions: tuple[JudgedDecision, ...]
    seats: tuple[SeatRound, ...]
    unavoidable: int | None  # after so many actions no plays could avoid the paradox any more


@dataclass(frozen=True)
class Review:
    """A whole game."""

    game: Game
    rounds: tuple[RoundReview, ...]

    @property
    def decisions(self) -> Iterator[JudgedDecision]:
        """All decisions in order."""
        for round in self.rounds:
            yield from round.decisions

    @cached_property
    def turning_points(self) -> tuple[JudgedDecision, ...]:
        """The decisions that cost most, the worst first."""
        costly = [one for one in self.decisions if one.verdict in FAULTS]
        costly.sort(key=lambda one: (one.verdict != "mistake", -one.loss))
        return tuple(costly[:TURNS])

    def accuracy(self, seat: Seat) -> float | None:
        """How well a seat played, from 0 to 100; None if it never had a choice.

        The mean over its decisions with a choice: 100 for one that lost nothing, half of it for
        each point that was lost.
        """
        mine = [one.loss for one in self.decisions if one.seat == seat and one.choice]
        return sum(100 * 2 ** (-loss / HALF) for loss in mine) / len(mine) if mine else None

    def count(self, seat: Seat, verdict: str) -> int:
        """Count the decisions of a seat with a verdict; those without a choice do not count."""
        mine = (one for one in self.decisions if one.seat == seat and one.choice)
        return sum(one.verdict == verdict for one in mine)


# ── Reviewing ────────────────────────────────────────────────────────────────────────────────


def review(
    game: Game,
    seats: Sequence[Seat] | None = None,
    worlds: int = WORLDS,
    seed: int = 0,
    method: Method = CAREFUL,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Review:
    """Review the decisions of some seats, or of all; `method` is that of the second look."""
    wanted = range(game.players) if seats is None else sorted(set(seats))
    total = sum(play.seat in wanted for round in game.rounds for play in round.actions)
    done, found = 0, []
    for number, whole in enumerate(game.rounds, start=1):
        decisions = []
        totals, left = totals_before(game, number), game.players - number
        for step, before, play in moments(whole):
            if play.seat not in wanted:
                continue
            view = View.of(before, play.seat, totals, left)
            lot = seed + 1_000 * number + step
            decisions.append(decide(view, play.action, number, step, worlds, lot, method))
            done += 1
            progress(done, total)
        rows = tuple(seat_round(whole, seat, decisions) for seat in wanted if whole.over)
        found.append(RoundReview(number, tuple(decisions), rows, unavoidable(whole)))
    return Review(game, tuple(found))


def decide(
    view: View, action: Action, number: int, step: int, worlds: int, seed: int, method: Method
) -> JudgedDecision:
    """Judge a decision."""
    assert view.seat is not None
    first = analyse(view, worlds, seed=seed)
    second = None
    if first.of(action).verdict not in ("best", "close"):
        rivals = [judged.action for judged in first.actions if judged.action != action][:RIVALS]
        favourite = max(first.actions, key=lambda judged: judged.prospect.chance).action
        few = {action, favourite, *rivals}
        again = seed ^ 0x5EED_0004 << 20
        second = analyse(view, MORE * worlds, seed=again, method=method, only=sorted(few))
    return JudgedDecision(number, step, view.seat, action, first, second)


def moments(whole: Round) -> Iterator[tuple[int, Round, Play]]:
    """Return the moments before every action of a round."""
    round = Round(whole.setup)
    for step, play in enumerate(whole.actions):
        yield step, round, play
        round = round.play(play.action, play.seat)


def totals_before(game: Game, number: int) -> tuple[int, ...]:
    """Return the totals of all seats before a round."""
    done = [round.scores for round in game.rounds[: number - 1]]
    return tuple(sum(row[seat] for row in done if row) for seat in range(game.players))


def seat_round(whole: Round, seat: Seat, decisions: Sequence[JudgedDecision]) -> SeatRound:
    """Account for a round of a seat."""
    assert whole.scores is not None
    mine = [one for one in decisions if one.seat == seat]
    others = (sum(whole.scores) - whole.scores[seat]) / (whole.players - 1)
    bids = [one.expected for one in mine if one.action.phase is Phase.BID]
    return SeatRound(
        seat,
        whole.scores[seat],
        whole.scores[seat] - others,
        mine[0].best.prospect.margin,
        0.0 - sum(one.loss for one in mine),
        bids[0] if bids else None,
    )


def unavoidable(whole: Round) -> int | None:
    """After how many actions of a round no plays of any seats could avoid its paradox any more.

    With all hands open, so it is hindsight. None: there was no paradox, or the exhaustive search
    gave up before it could tell.
    """
    if whole.paradox is None:
        return None
    rules = engine.tactics().escape
    size = len(whole.vector)
    stack, untried = engine.zeros(escape.PLAYS, size), engine.zeros(escape.PLAYS)
    latest = len(whole.actions)
    states = [(step, before) for step, before, _ in moments(whole) if before.phase is Phase.PLAY]
    for step, before in reversed(states):
        found = int(rules.escape(engine.row(before.vector), stack, untried, POSITIONS))
        if found != escape.NONE:
            return latest if found == escape.FOUND else None
        latest = step
    return latest
