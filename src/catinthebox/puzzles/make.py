"""Puzzles from self-play: a deal gives one, or none.

The deals of a seed are numbered. What a deal gives depends on its number, the seed and the number
of worlds, and on nothing else, so the order in which deals are worked on does not matter.

1. Bots play a round.
2. In every moment of its tricks the levels are asked, and careful players try every action. Moments
   in which all levels do the same, or in which no action stands out, are left.
3. The network plays on from the most promising ones, in a few worlds.
4. The best moment is analysed in `worlds` worlds, then in ten times as many with another seed. It
   is a puzzle if the same action is best both times, by half a point and beyond noise, and the
   reasons can be said; otherwise it is the next one's turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from ..arena.match import Terms, ready
from ..arena.table import Stopped, play_round
from ..coach import CAREFUL, NETWORK, Analysis, Judged, Reason, analyse, why
from ..coach.analysis import shares
from ..coach.review import moments
from ..game import Action, Color, Face, Phase, Round
from ..players import Budget
from ..players.player import never
from ..views import View
from .difficulty import STRENGTHS, rating
from .puzzle import MEASURED, Puzzle, Valued
from .themes import exact, opens_red, themes

LEVELS: Final = tuple(STRENGTHS)
SELF_PLAY: Final = {"uncanny": 4, "net:temperature=0.7": 2, "sharp": 2, "steady": 1}
"""Who plays the rounds, and how often."""
FACES: Final = {2: ("white",), 3: ("white", "purple"), 4: ("white", "purple"), 5: ("purple",)}
TABLES: Final = (2, 3, 4, 5, 4, 5)  # players; rounds of four and five give fewer puzzles

OPTIONS: Final = range(3, 11)  # legal actions
HANDS: Final = range(2, 6)  # cards in the hand of the seat: early moments hide too much …
RED_HANDS: Final = range(6, 8)  # … but later ones hardly ever ask whether to open red
RED_OPTIONS: Final = range(3, 19)
TRIES: Final = 4  # how often `sharp` is asked, whose search is drawn by lot
GLANCE: Final = 64  # worlds with careful players
SHORT: Final = 40  # worlds with the network
PROMISING: Final = 3  # moments of a round that are looked at with the network
GLANCE_LEAD: Final = 0.25  # points, below which a moment does not promise anything …
SHORT_LEAD: Final = 0.6
ENOUGH: Final = 1.5  # … and above which a lead makes a puzzle no better
LEAD: Final = 0.5  # … and below which it is no puzzle
SAFE: Final = 0.25  # the chance of a paradox above which a best action only limits the damage
POINTS: Final = 0.15  # own points that a best action may cost: it must not look like a sacrifice
WORLDS: Final = 128
TIMES: Final = 10

# What counts is the margin, not what the network likes.
BY_CAREFUL: Final = replace(CAREFUL, trust=1e9)
BY_NETWORK: Final = replace(NETWORK, trust=1e9)


@dataclass(frozen=True)
class Made:
    """What a deal gave."""

    deal: int
    puzzle: Puzzle | None


@dataclass(frozen=True)
class Moment:
    """A decision of a round."""

    round: Round
    view: View
    answers: tuple[Action, ...]  # of the levels
    found: tuple[dict[Action, float], ...]  # with which probability they do what
    look: Analysis  # the latest one

    @property
    def lead(self) -> float:
        """What the next best action costs."""
        return leading(self.look)

    @property
    def appeal(self) -> float:
        """What makes a good puzzle: a lead, up to a point, bots that miss it, certainty."""
        best, (_, *strong) = self.look.best.action, self.answers
        missed = sum(answer != best for answer in strong)
        return min(self.lead, ENOUGH) + missed + exact(self.look)


@dataclass(frozen=True)
class Maker:
    """Makes puzzles with so many worlds; a task of `arena.pool`."""

    worlds: int = WORLDS

    @property
    def key(self) -> str:
        """Its name, for errors."""
        return f"puzzles in {self.worlds} worlds"

    @property
    def again(self) -> int:
        """In how many worlds a puzzle is looked at once more."""
        return TIMES * self.worlds

    def play(self, terms: Terms, deal_number: int, stop: Callable[[], bool] = never) -> list[Made]:
        """Return what a deal gives."""
        search = _Search(self, f"puzzles {terms.seed} {deal_number}", deal_number, stop)
        return [Made(deal_number, search.puzzle())]


@dataclass(frozen=True)
class _Search:
    """The search for a puzzle in one deal."""

    maker: Maker
    key: str
    deal: int
    stop: Callable[[], bool]

    def puzzle(self) -> Puzzle | None:
        """Return the puzzle of the deal, if there is one."""
        found = sorted(self._moments(self._round()), key=lambda one: -one.appeal)[:PROMISING]
        looked = [replace(one, look=self._short(one.view)) for one in found]
        left = [one for one in looked if one.lead >= SHORT_LEAD and safe(one.look)]
        left.sort(key=lambda one: -one.appeal)
        return next(filter(None, map(self._verified, left)), None)

    def _verified(self, moment: Moment) -> Puzzle | None:
        """Return the puzzle of a moment, if it is one in many worlds, twice."""
        first = self._analysis(moment.view, self.maker.worlds, "first")
        if not convinces(first):
            return None
        again = self._analysis(moment.view, self.maker.again, "again")
        if not convinces(again) or again.best.action != first.best.action:
            return None
        return puzzle_of(self.deal, moment, again)

    def _round(self) -> Round:
        chance = Random(self.key)
        players = TABLES[self.deal % len(TABLES)]
        face = Face.named(chance.choice(FACES[players]))
        starter = chance.randrange(players)
        begun = Round.shuffled(players, chance, starter=starter, face=face)
        specs = chance.choices(list(SELF_PLAY), list(SELF_PLAY.values()), k=players)
        seats = [ready(spec, players)[seat] for seat, spec in enumerate(specs)]
        return play_round(begun, seats, Budget(cancelled=self.stop), self.key, names=specs).round

    def _moments(self, whole: Round) -> Iterator[Moment]:
        for step, before, play in moments(whole):
            if before.phase is not Phase.PLAY:
                continue
            view = View.of(before, play.seat)
            early = opens(view)
            if not early and not suits(view, HANDS, OPTIONS):
                continue
            self._check()
            answers = asked(view, f"{self.key} {step}")
            if len({most(taken) for taken in answers}) < 2:
                continue
            seed = Random(f"{self.key} {step} glance").getrandbits(62)
            look = analyse(view, GLANCE, seed=seed, method=BY_CAREFUL)
            if leading(look) >= GLANCE_LEAD and not (early and not opens_red(view, look.best)):
                yield Moment(before, view, tuple(map(most, answers)), answers, look)

    def _short(self, view: View) -> Analysis:
        return self._analysis(view, min(SHORT, self.maker.worlds), "short")

    def _analysis(self, view: View, worlds: int, look: str) -> Analysis:
        self._check()
        seed = Random(f"{self.key} {len(view.actions)} {look}").getrandbits(62)
        return analyse(view, worlds, seed=seed, method=BY_NETWORK)

    def _check(self) -> None:
        if self.stop():
            raise Stopped


def suits(view: View, hands: range, options: range) -> bool:
    """Whether a seat has some number of cards, and of legal actions."""
    return view.hand_sizes[view.turn or 0] in hands and len(view.legal) in options


def opens(view: View) -> bool:
    """Whether a seat may open red, early in a round."""
    red = any(action.color is Color.RED for action in view.legal)
    return red and not view.red_open and suits(view, RED_HANDS, RED_OPTIONS)


# ── Asking ───────────────────────────────────────────────────────────────────────────────────


def asked(view: View, key: str) -> tuple[dict[Action, float], ...]:
    """Return with which probability each of the levels takes which actions."""
    return tuple(dict(_asked(view, level, key)) for level in LEVELS)


def _asked(view: View, level: str, key: str) -> Iterator[tuple[Action, float]]:
    assert view.seat is not None
    if level == "uncanny":  # the others of its probabilities say how sure it is
        liked = shares(view)
        yield from ((action, liked[action.id]) for action in view.legal)
        return
    tries = TRIES if level == "sharp" else 1
    who = ready(level, view.players)[view.seat]
    taken = Counter(
        who.choose(view, Budget(), Random(f"{key} {level} {number}")) for number in range(tries)
    )
    yield from ((action, times / tries) for action, times in taken.items())


def most(taken: dict[Action, float]) -> Action:
    """Return the action that is taken most often."""
    return max(taken, key=lambda action: (taken[action], -action.id))


# ── Judging ──────────────────────────────────────────────────────────────────────────────────


def leading(analysis: Analysis) -> float:
    """Return what the next best action costs."""
    return min(judged.loss for judged in analysis.actions[1:])


def safe(analysis: Analysis) -> bool:
    """Whether the best action does not lead to a paradox too often."""
    return analysis.best.prospect.paradox <= SAFE


def convinces(analysis: Analysis) -> bool:
    """Whether one action is best by enough, beyond noise, and not at the cost of own points."""
    best, *others = analysis.actions
    clear = all(one.loss >= LEAD and one.verdict != "close" for one in others)
    return (
        clear
        and safe(analysis)
        and best.prospect.points >= max(one.prospect.points for one in others) - POINTS
    )


def puzzle_of(deal: int, moment: Moment, analysis: Analysis) -> Puzzle | None:
    """Make a puzzle, if there is a reason against every other action, and a theme."""
    best, *others = analysis.actions
    given = {one.action: why(analysis, best, one) for one in others}
    tempting = tempts(others, moment.found)
    if not all(map(weigh, given.values())):
        return None
    about = themes(analysis, best, tempting, given[tempting.action])
    if not about:
        return None
    found = [taken.get(best.action, 0.0) for taken in moment.found]
    view, round = moment.view, moment.round
    assert view.seat is not None
    return Puzzle(
        deal=deal,
        players=view.players,
        face=view.face.name,
        starter=round.starter,
        seat=view.seat,
        hands=round.setup.hands,
        aside=round.setup.aside,
        moves=round.moves,
        themes=about,
        rating=rating(found, len(analysis.actions)),
        answers=moment.answers,
        actions=tuple(Valued.of(one, given.get(one.action, ())) for one in analysis.actions),
    )


def tempts(others: Sequence[Judged], found: Sequence[dict[Action, float]]) -> Judged:
    """Return the wrong action that the levels take most often; of several, the least wrong."""
    return max(
        others, key=lambda one: (sum(taken.get(one.action, 0.0) for taken in found), -one.loss)
    )


def weigh(reasons: Sequence[Reason]) -> bool:
    """Whether the first, weightiest reason was measured and speaks for the best action."""
    return bool(reasons) and reasons[0].favours and reasons[0].code in MEASURED
