"""The player `search`: repeatable, within its budget, right where the answer is known.

No test depends on how much a first thought counts or how many worlds are imagined.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import count
from math import ceil
from random import Random
from typing import NamedTuple

import pytest
from oracle import result
from policies import TABLES, moments, random_round
from sample_rounds import first_lead
from views.brute import tiny
from waiting import completed

from catinthebox import Action, Deck, Face, NotUnderstood, Phase, Round, Setup
from catinthebox.game.setup import allowed_bids
from catinthebox.players import Budget, player
from catinthebox.players import search as players_search
from catinthebox.players.search import Search, Thought
from catinthebox.tactics.rollout import POLICIES
from catinthebox.views import View

PLENTY = 40_000  # rollouts: much more than a first thought can outweigh
ZIGZAG = """face zigzag
r1 b1 r2 b2 r3 b3 r4 b4 r5 b5 r6 b6 r7 b7 r8 b8 r9 b9
g1 y1 g2 y2 g3 y3 g4 y4 g5 y5 g6 y6 g7 y7 g8 y8 g9 y9
"""


def think(search: Search, view: View, budget: Budget | None = None, seed: int = 1) -> Thought:
    """One decision."""
    return search.think(view, budget or Budget(), Random(seed))


def tries(thought: Thought) -> list[int]:
    """How often each of the actions was tried."""
    return [thought.tries(action) for action in thought.options]


def found(thought: Thought) -> tuple[object, ...]:
    """What is known after a decision."""
    numbers = [thought.found(action) for action in thought.options]
    return thought.best, thought.options, tries(thought), numbers


@cache
def asked(every: int = 5) -> tuple[View, ...]:
    """Views of seats that have to decide, at every table."""
    rng = Random(every)
    return tuple(
        View.of(round, seat)
        for table in TABLES
        for round, seat, _ in list(moments(random_round(*table, rng), rng))[::every]
    )


def several(every: int = 5) -> Iterator[View]:
    """Those that have a choice."""
    return (view for view in asked(every) if len(view.legal) > 1)


# ── The same again ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("beliefs", [True, False])
def test_the_same_chance_gives_the_same_choice(policy: str, beliefs: bool) -> None:
    """With a number of rollouts as budget, everything that is found is the same, and legal."""
    search = Search(rollouts=50, policy=policy, beliefs=beliefs)
    varied = 0
    for view in asked():
        one = think(search, view)
        assert found(one) == found(think(search, view))
        assert search.choose(view, Budget(), Random(1)) == one.best
        assert one.best in view.legal
        varied += one.best != think(search, view, seed=2).best
    assert varied > 0


@pytest.mark.long
def test_it_does_the_same_without_a_compiler(without_compiler: Callable[[], None]) -> None:
    """Interpreted it is slow, and just as clever: choice, rollouts and sums."""
    searches = [
        Search(rollouts=12),
        Search(rollouts=30, beliefs=False),
        Search(rollouts=12, beliefs=False, policy="follow"),
    ]
    asked = [(search, view) for search in searches for view in several(16)]
    compiled = [found(think(*pair)) for pair in asked]
    without_compiler()
    for pair, before in zip(asked, compiled, strict=True):
        assert found(think(*pair)) == before


# ── Budgets ──────────────────────────────────────────────────────────────────────────────────


def test_a_budget_from_outside_can_only_lower_its_own() -> None:
    """The smaller one counts, no matter who set it."""
    for view in several(9):
        small = found(think(Search(rollouts=40), view))
        assert found(think(Search(rollouts=4000), view, Budget(rollouts=40))) == small
        assert found(think(Search(rollouts=40), view, Budget(rollouts=4000))) == small
        assert found(think(Search(), view, Budget(rollouts=40))) == small


def least(options: int) -> int:
    """One rollout for each remaining action in every stage of halving."""
    total = 0
    while options > 1:
        total += options
        options = ceil(options / 2)
    return total


@pytest.mark.long
@pytest.mark.parametrize("rollouts", [1, 7, 60, 500, 3000])
def test_rollouts_stay_within_the_budget(rollouts: int) -> None:
    """Except for the least that is needed to compare; and most of a large budget is used."""
    for view in several(7):
        thought = think(Search(rollouts=rollouts), view)
        few = least(len(view.legal))
        assert thought.rollouts == sum(tries(thought))
        assert thought.rollouts <= max(rollouts, few) + few
        assert min(tries(thought)) >= (rollouts > 1)
        if rollouts >= 20 * few:
            assert thought.rollouts > rollouts / 3


def test_without_any_budget_it_ends() -> None:
    """It gives itself some rollouts; nobody has to name a limit."""
    view = next(several())
    assert 100 < think(Search(), view).rollouts < 100_000
    assert 100 < think(Search(), view, Budget(cancelled=lambda: False)).rollouts < 100_000


def test_a_budget_of_nothing_still_gives_an_answer() -> None:
    """A caller may have used everything up: one look at each action, no more."""
    for view in several(9):
        for nothing in (Budget(rollouts=0), Budget(ms=0), Budget(rollouts=0, ms=0.0)):
            thought = think(Search(rollouts=10_000), view, nothing)
            assert thought.best in view.legal
            if nothing.rollouts == 0:
                assert thought.rollouts <= least(len(view.legal))


def test_a_single_legal_action_needs_no_rollout() -> None:
    """Nothing is imagined where there is nothing to choose."""
    rng = Random(1)
    rounds = [at for _ in range(9) for at, _, _ in moments(random_round(3, "white", rng), rng)]
    forced = [at for at in rounds if at.phase is Phase.PLAY and len(at.legal) == 1]
    assert len(forced) > 3
    for at in forced:
        view = View.of(at, at.turn)
        thought = think(Search(rollouts=10**6), view)
        assert thought.rollouts == 0
        assert {thought.best} == set(view.legal)
        timed = think(Search(ms=60_000), view)
        assert (timed.rollouts, timed.best) == (0, thought.best)


@pytest.mark.timing
def test_a_time_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """No matter who sets it; by a clock that goes on by a millisecond whenever it is looked at."""
    milliseconds = count()
    monkeypatch.setattr(players_search, "perf_counter", lambda: next(milliseconds) / 1000)
    for view in list(several(9))[:8]:
        begin = next(milliseconds)
        assert think(Search(ms=5), view).best in view.legal
        assert think(Search(rollouts=10**6, ms=5), view).best in view.legal
        assert think(Search(), view, Budget(ms=5)).best in view.legal
        assert think(Search(ms=60_000), view, Budget(ms=5)).best in view.legal
        assert next(milliseconds) - begin < 4 * 5 * 5


LAST_PLAYS = """
from random import Random
from catinthebox import Deck, Round, Setup
from catinthebox.players import Budget
from catinthebox.players.search import Search
from catinthebox.views import View

setup = Setup(("56", "36", "29"), deck=Deck(9, 3), discarded=True, bids=(1, 1, 1))
view = View.of(Round(setup).replay("5b 6b"), 2)
for ms in (1, 5, 30, 120):
    for rollouts in (None, 10**6):
        assert Search(rollouts, ms).choose(view, Budget(), Random(1)) in view.legal
print("fine")
"""


@pytest.mark.process
def test_a_time_gives_no_more_room_than_there_is() -> None:
    """Where a rollout costs next to nothing, more of them than anybody expects fit into a time.

    In a process of its own: what is written out of bounds would end it.
    """
    assert completed([sys.executable, "-c", LAST_PLAYS]) == "fine\n"


class Patience:
    """Somebody who asks to stop, after being asked so often; counts the questions."""

    def __init__(self, patient: int) -> None:
        self.patient = patient
        self.asked = 0

    def __call__(self) -> bool:
        """Answer, and count."""
        self.asked += 1
        return self.asked > self.patient


@pytest.mark.parametrize("patient", [0, 1, 3, 10])
def test_a_search_stops_soon_when_cancelled(patient: int) -> None:
    """A few more questions at most, and the answer is legal; so is it if there is no clock."""
    for view in list(several(9))[:10]:
        for search in (Search(rollouts=10**6), Search(ms=600_000)):
            stop = Patience(patient)
            thought = think(search, view, Budget(cancelled=stop))
            assert thought.best in view.legal
            assert stop.asked <= patient + 4
            assert thought.rollouts <= 1000 * (patient + 1)  # it asks often enough
            assert min(tries(thought)) >= 1  # and has looked at everything


def test_being_asked_changes_nothing() -> None:
    """Nobody stops: the same is found."""
    for view in list(several(9))[:6]:
        calm = think(Search(rollouts=3000), view, Budget(cancelled=lambda: False))
        assert found(calm) == found(think(Search(rollouts=3000), view))


# ── Where the answer is known ────────────────────────────────────────────────────────────────


class Last(NamedTuple):
    """A moment of which nothing but one play is left: its ends are known, whatever is hidden."""

    round: Round
    seat: int
    ends: dict[Action, tuple[int, ...]]

    def margin(self, action: Action) -> int:
        """The lead over all others."""
        scores = self.ends[action]
        return sum(scores[self.seat] - other for other in scores)

    def share(self, action: Action, totals: Sequence[int]) -> float:
        """The share in the victory if the game ends here (R3)."""
        _, winners = result([[*totals], [*self.ends[action]]])
        return (self.seat in winners) / len(winners)

    def leading(self) -> set[Action]:
        """The plays with the largest lead."""
        best = max(map(self.margin, self.ends))
        return {action for action in self.ends if self.margin(action) == best}

    def winning(self, totals: Sequence[int]) -> set[Action]:
        """The plays with the largest share."""
        best = max(self.share(action, totals) for action in self.ends)
        return {action for action in self.ends if self.share(action, totals) == best}


def late(players: int, rng: Random) -> Round:
    """A round with cards to spare, so that there is a choice to the end, and with bids that fit.

    It begins after the discards, and bids bind nobody: so they can be made when all is known.
    """
    deck = [str(rank) for rank in range(1, 10)] * 5
    rng.shuffle(deck)
    hands = tuple("".join(deck[6 * seat : 6 * seat + 6]) for seat in range(players))
    aside = "".join(deck[-3:]) if players == 2 else ""
    face = Face.named(rng.choice(("white", "purple")))
    setup = Setup(hands, rng.randrange(players), face, aside, Deck(9, 7), discarded=True)
    round = Round(setup)
    while not round.over and not at_last(round):
        round = round.play(rng.choice(sorted(round.legal)))
    allowed = allowed_bids(players)
    fitting = [won if won in allowed else rng.choice(allowed) for won in round.won if allowed]
    if round.turn is not None and fitting:
        fitting[round.turn] = rng.choice(allowed)
    return Round(replace(setup, bids=tuple(fitting))).replay(round.moves)


def at_last(round: Round) -> bool:
    """Whether one play is left of a round: everybody else holds one card (R19)."""
    return sum(map(len, round.hands)) == round.players + 1


@cache
def last_plays(number: int = 40) -> tuple[Last, ...]:
    """Last plays that matter, for every number of players."""
    rng = Random(number)
    lasts: list[Last] = []
    while len(lasts) < number:
        round = late(2 + len(lasts) % 4, rng)
        if round.turn is not None:
            ends = {action: round.play(action).scores or () for action in round.legal}
            last = Last(round, round.turn, ends)
            lasts += [last] if len(last.leading()) < len(ends) else []
    return tuple(lasts)


def choice(last: Last, totals: tuple[int, ...] = (), rounds_left: int = 0) -> Action:
    """What the player does with plenty of rollouts."""
    view = View.of(last.round, last.seat, totals, rounds_left)
    return think(Search(rollouts=PLENTY), view).best


def test_the_last_play_is_the_best_one() -> None:
    """Nothing is left to guess: the play with the largest lead."""
    for last in last_plays():
        assert choice(last) in last.leading()


def torn(last: Last) -> tuple[int, ...] | None:
    """Totals with which no play of the largest lead wins most; None if there are none.

    One rival is as close as can be, everybody else is far behind.
    """
    for rival in set(range(last.round.players)) - {last.seat}:
        for ahead in range(-20, 21):
            totals = [0] * last.round.players
            totals[last.seat], totals[rival] = 50, 50 + ahead
            if not last.winning(totals) & last.leading():
                return tuple(totals)
    return None


@pytest.mark.long
@pytest.mark.clause("R3")
def test_in_the_last_round_it_plays_for_the_game() -> None:
    """Where the lead in the round and the victory of the game disagree, the victory counts."""
    checked = set[int]()
    number = 0
    for last in last_plays(200):
        totals = torn(last)
        if totals is not None:
            assert choice(last, totals) in last.winning(totals)
            assert choice(last, totals, 1) in last.leading()  # another round follows
            assert choice(last) in last.leading()  # a round by itself
            checked.add(last.round.players)
            number += 1
    assert number > 3
    assert checked <= {3, 4, 5}  # with one rival, the lead in the round is the lead over it


@pytest.mark.clause("R3")
def test_it_knows_how_ties_are_broken() -> None:
    """Equal totals: the final round decides, so more points for both may be worth nothing."""
    rng = Random(4)
    ties = 0
    for last in last_plays():
        for _ in range(60):
            totals = tuple(rng.randrange(12) for _ in range(last.round.players))
            wholes = [
                [a + b for a, b in zip(totals, scores, strict=True)]
                for scores in last.ends.values()
            ]
            tied = any(sums.count(max(sums)) > 1 for sums in wholes)
            if tied and len(last.winning(totals)) < len(last.ends):
                assert choice(last, totals) in last.winning(totals)
                ties += 1
                break
    assert ties > 10


def test_it_takes_the_trick_it_has_promised() -> None:
    """One trick left, one bid, none won, the last to play: anything that wins, nothing else."""
    round = first_lead("56 36 29", bids=(1, 1, 1)).replay("5b 6b")
    thought = think(Search(rollouts=2000), View.of(round, 2))
    assert thought.best.notation in {"9b", "9r", "2r"}


# ── Other tables ─────────────────────────────────────────────────────────────────────────────

STUDY = (
    first_lead("56 36 29", bids=(1, 1, 1)),
    first_lead("11234 22345", turned="345", ranks=5),
    first_lead("998 112 233", starter=2, bids=(1, 3, 4), face="purple"),
    Round(Setup(("112", "222"), aside="111", deck=Deck(2, 3))),
    Round(Setup(("11111", "22222", "33333", "44444", "55555"), deck=Deck(9, 5))),
    Round(Setup(("11223344556677", "11223344556677"), deck=Deck(9, 14))),
    Round.shuffled(2, Random(1), face=Face.named("purple")),
    Round.shuffled(5, Random(1), face=Face.parse(ZIGZAG), starter=3),
)


@pytest.mark.parametrize("start", STUDY, ids=lambda start: str(start.setup.hands))
def test_it_plays_at_tables_made_up_for_study(start: Round) -> None:
    """Positions after the discards, other decks, other faces: legal to the end."""
    for search in (Search(rollouts=30), Search(rollouts=30, beliefs=False, policy="follow")):
        round = start
        for seed in count():
            if round.over:
                break
            seat = round.to_act[-1]
            action = think(search, View.of(round, seat), seed=seed).best
            round = round.play(action, seat)
        assert round.scores is not None


def test_it_is_legal_with_tiny_decks() -> None:
    """Where play has proved something about a hidden hand, too."""
    rng = Random(5)
    for _ in range(150):
        round = tiny(rng)
        for seat in round.to_act:
            view = View.of(round, seat)
            assert think(Search(rollouts=12), view).best in view.legal


# ── What it refuses ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("search:rollouts=0", "search:rollouts=0.*: .*1 to "),
        ("search:rollouts=-5", "rollouts=-5"),
        ("search:rollouts=1.5", "rollouts=1.5 should be a whole number"),
        ("search:rollouts=", "should be a whole number"),
        ("search:ms=0", "search:ms=0.*: .*ms=0"),
        ("search:ms=-1", "search:ms=-1.*: .*ms=-1"),
        ("search:ms=nan", "search:ms=nan.*: .*ms=nan"),
        ("search:ms=soon", "ms=soon should be a number"),
        ("search:policy=wild", r"no policy .*wild.*; there are auto, random, follow, careful"),
        ("search:beliefs=maybe", "beliefs=maybe should be yes or no"),
        ("search:foo=1", r"no parameter foo=1; there are rollouts=…"),
        ("search:rollouts", "no parameter rollouts"),
        ("nobody", "no player nobody; there are .*random, follow"),
        ("Search", "no player Search"),
        ("careful:slips=2", "slips is a share from 0 to 1"),
        ("random:slips=1", "no parameter slips=1; there are none"),
    ],
)
def test_bad_parameters_are_refused_in_words(wrong: str, said: str) -> None:
    """By the registry, in a sentence that says what there is."""
    with pytest.raises(NotUnderstood, match=said) as caught:
        player(wrong)
    assert caught.value.code == "input.player"
    assert len(str(caught.value)) < 200


def test_good_parameters_are_understood() -> None:
    """A text names the same player as its class does."""
    text = "search:rollouts=60,ms=2.5,policy=follow,beliefs=no"
    assert player(text) == Search(rollouts=60, ms=2.5, policy="follow", beliefs=False)
    assert player("search") == Search()


@pytest.mark.parametrize("spec", ["search", "search:ms=5", "careful", "follow", "modest"])
def test_a_spectator_is_refused(spec: str) -> None:
    """A view of nobody decides nothing."""
    view = View.of(Round.shuffled(3, Random(1)))
    with pytest.raises(AssertionError, match="a spectator does not play"):
        player(spec).choose(view, Budget(), Random(1))
