"""Search: what an end is worth, which worlds are imagined, what trying actions adds up to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from inspect import signature
from itertools import pairwise
from random import Random
from types import ModuleType
from typing import NamedTuple

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import result
from policies import TABLES, moments, random_round
from sample_rounds import finish, first_lead, game_moments, normal_ends, story
from views.brute import tiny
from views.proved import PROVED

from catinthebox import ACTIONS, Game, Phase, Round, Setup
from catinthebox.fast import cpu
from catinthebox.game.hands import unpacked
from catinthebox.rules.chance import seeded, step
from catinthebox.rules.layout import DISCARD, HAND, MAX_SEATS, SIZE, State
from catinthebox.rules.playout import choose_action
from catinthebox.rules.sight import observe
from catinthebox.rules.worlds import unseen
from catinthebox.tactics import ismcts, search
from catinthebox.tactics.careful import RATINGS, careful_action
from catinthebox.tactics.rollout import CAREFUL, POLICIES
from catinthebox.tactics.search import VICTORY
from catinthebox.tactics.weights import WEIGHTS
from catinthebox.views import View

Numbers = list[int]

# ── What an end is worth ─────────────────────────────────────────────────────────────────────


@cache
def ends(number: int = 40) -> tuple[Round, ...]:
    """Rounds that are over, some by a paradox, some not, at every table."""
    rng = Random(number)
    rounds = [finish(random_round(*table, rng), rng) for table in TABLES for _ in range(number)]
    return (*rounds, *(end for players in (2, 3, 4, 5) for end in normal_ends(players)))


def scores(round: Round) -> tuple[int, ...]:
    """The points of a round that is over."""
    assert round.scores is not None
    return round.scores


def plain_margin(round: Round, seat: int) -> int:
    """Own points less each of the others'."""
    mine = scores(round)[seat]
    return sum(mine - other for other in scores(round))


def plain_share(round: Round, seat: int, totals: Sequence[int]) -> int:
    """The share in the victory, by the naive reading of the rules (R3)."""
    _, winners = result([[*totals], [*scores(round)]])
    return VICTORY // len(winners) if seat in winners else 0


def some_totals(players: int, rng: Random) -> list[int]:
    """Totals before the last round, close to each other."""
    return [rng.randrange(rng.choice((1, 4, 12))) for _ in range(players)]


@pytest.mark.clause("R23", "R24", "R25", "R26")
def test_the_margin_is_the_lead_over_all_others() -> None:
    """On rounds that ended in every way."""
    for end in ends():
        touch = end.face.touch
        margins = [search.margin(end.vector, seat, touch) for seat in range(end.players)]
        assert margins == [plain_margin(end, seat) for seat in range(end.players)]
        assert sum(margins) == 0


@pytest.mark.clause("R3")
def test_the_victory_is_shared_as_the_rules_say() -> None:
    """Totals first, then the final round, then shared; the shares are whole and add up."""
    rng = Random(1)
    shared = broken = 0
    for end in ends():
        for _ in range(5):
            totals = some_totals(end.players, rng)
            found = [
                search.victory(end.vector, seat, end.face.touch, totals, [9] * RATINGS)
                for seat in range(end.players)
            ]
            assert found == [plain_share(end, seat, totals) for seat in range(end.players)]
            assert sum(found) == VICTORY
            shared += VICTORY not in found
            whole = [a + b for a, b in zip(totals, scores(end), strict=True)]
            broken += VICTORY in found and whole.count(max(whole)) > 1
    assert shared > 5
    assert broken > 20


@pytest.mark.clause("R3")
def test_the_victory_is_that_of_a_whole_game() -> None:
    """At the end of real games it names the winners that the game names."""
    rng = Random(2)
    games = [story()]
    for players, face in TABLES * 2:
        *_, game = game_moments(Game.new(players, face=face), rng)
        games.append(game)
    for game in games:
        last = game.rounds[-1]
        before = [sum(points) for points in zip(*game.scores[:-1], strict=True)]
        winners = [
            seat
            for seat in range(game.players)
            if search.victory(last.vector, seat, last.face.touch, before, [0] * RATINGS)
        ]
        assert tuple(winners) == game.winners


def utility(round: Round, seat: int, totals: Sequence[int], aim: int) -> int:
    """What an end is worth to a seat."""
    return search.utility(round.vector, seat, round.face.touch, totals, aim, [0] * (2 * MAX_SEATS))


@pytest.mark.clause("R3")
def test_in_the_last_round_the_victory_comes_first() -> None:
    """A larger share is worth more than any margin; among equal shares the margin decides."""
    rng = Random(3)
    for players in (2, 3, 4, 5):
        rounds = [end for end in ends() if end.players == players]
        for _ in range(500):
            one, other = rng.choice(rounds), rng.choice(rounds)
            totals, seat = some_totals(players, rng), rng.randrange(players)
            worth = [utility(end, seat, totals, search.WIN) for end in (one, other)]
            order = [
                (plain_share(end, seat, totals), plain_margin(end, seat)) for end in (one, other)
            ]
            assert (worth[0] > worth[1]) == (order[0] > order[1])
            assert worth == [sum(pair) for pair in order]
            assert utility(one, seat, totals, search.AHEAD) == plain_margin(one, seat)
            own = (one.players - 1) * scores(one)[seat]
            assert utility(one, seat, totals, search.POINTS) == own


def test_the_worth_of_an_end_is_the_same_compiled() -> None:
    """Margin, victory and their sum."""
    compiled = cpu.tactics().search
    rng = Random(4)
    for end in ends(10):
        totals = some_totals(end.players, rng)
        array, touch = numpy.array(end.vector), numpy.array(end.face.touch)
        scratch = numpy.zeros(RATINGS, dtype=numpy.int64)
        for seat in range(end.players):
            for aim in (search.POINTS, search.AHEAD, search.WIN):
                row = numpy.array(totals)
                found = compiled.utility(array, seat, touch, row, aim, scratch)
                assert int(found) == utility(end, seat, totals, aim)


# ── Worlds ───────────────────────────────────────────────────────────────────────────────────


def seen(world: State, seat: int) -> State:
    """What a seat sees of a world."""
    v = [0] * SIZE
    observe(world, seat, v)
    return v


def imagined(view: View, number: int, seed: int) -> list[State]:
    """Worlds for a view."""
    worlds = [[-1] * SIZE for _ in range(number)]
    search.imagine(view.vector, view.proved, seed, worlds, 0, number)
    return worlds


@pytest.mark.long
@pytest.mark.clause("R33")
@settings(deadline=None, derandomize=True, max_examples=120)
@given(st.sampled_from(TABLES), st.integers(0, 2**32), st.data())
def test_imagined_worlds_agree_with_the_view(
    table: tuple[int, str], seed: int, data: st.DataObject
) -> None:
    """Seen from the seat, each of them is the view, slot by slot; every card lies somewhere."""
    rng = Random(seed)
    asked = [(at, seat) for at, seat, _ in moments(random_round(*table, rng), rng)]
    round, seat = data.draw(st.sampled_from(asked))
    view = View.of(round, seat)
    worlds = imagined(view, 12, seed)
    for world in worlds:
        assert seen(world, seat) == view.vector
        assert round_of(view, world).vector == world
    assert worlds == imagined(view, 12, seed)


def test_imagined_worlds_agree_with_what_play_has_proved() -> None:
    """Tiny decks, positions for study, red leads and seats that were not stuck (R14b, R20)."""
    rng = Random(5)
    positions = [tiny(rng) for _ in range(120)] + [at for some in PROVED.values() for at in some]
    for at in positions:
        for seat in range(at.players):
            view = View.of(at, seat)
            if not at.over:
                for world in imagined(view, 8, seat + 1):
                    assert seen(world, seat) == view.vector
                    if not at.setup.discarded:
                        assert round_of(view, world).vector == world


def test_different_worlds_are_imagined() -> None:
    """Each row has chance of its own, and each seed has."""
    view = View.of(Round.shuffled(4, Random(1)), 0)
    worlds = imagined(view, 30, 1)
    assert len({tuple(world) for world in worlds}) == 30
    assert worlds != imagined(view, 30, 2)


def round_of(view: View, world: State) -> Round:
    """A round that has come to this world by what was seen."""
    dealt = view.dealt
    hands = []
    for seat in range(view.players):
        played = [play.action.rank for play in view.actions if play.seat == seat]
        aside = [world[DISCARD + seat]] if world[DISCARD + seat] else []
        cards = [*unpacked(world[HAND + seat]), *aside, *filter(None, played)]
        hands.append("".join(map(str, cards)))
    left = "".join(map(str, unpacked(unseen(world))[: dealt.face_down]))
    setup = Setup(tuple(hands), view.starter, view.face, dealt.turned_up + left, dealt.deck)
    round = Round(setup)
    for seat in range(view.players):
        if world[DISCARD + seat]:
            round = round.play(f"-{world[DISCARD + seat]}", seat)
    for seat, action in view.actions:
        round = round.play(action, seat)
    return round


# ── Trying actions ───────────────────────────────────────────────────────────────────────────

PARAMETERS = tuple(signature(search.try_actions).parameters)
WIDE = 40  # worlds at most


class Trial(NamedTuple):
    """A decision to be tried out."""

    view: View
    worlds: list[State]
    chosen: Numbers
    actions: Numbers
    policy: int
    totals: Numbers
    last: bool
    seed: int


def trial(round: Round, seat: int, rng: Random, policy: str, worlds: int = 4) -> Trial:
    """Some worlds for a moment, in any order, some of them twice."""
    totals = some_totals(round.players, rng)
    view = View.of(round, seat, tuple(totals))
    seed = rng.getrandbits(62)
    chosen = [rng.randrange(worlds) for _ in range(rng.randrange(1, 2 * worlds))]
    table = imagined(view, worlds, seed)
    actions = [action.id for action in view.legal]
    return Trial(view, table, chosen, actions, POLICIES[policy], totals, rng.random() < 0.5, seed)


def tried(module: ModuleType, at: Trial, cuts: Sequence[int], explore: int = 0) -> Numbers:
    """What every action adds up to, tried in slices; of any module with `try_actions`."""
    lists = module is search

    def row(numbers: Sequence[int]) -> object:
        return [*numbers] if lists else numpy.array(numbers, dtype=numpy.int64)

    def room(number: int) -> object:
        return row([0] * number)

    rollouts = cuts[-1] * len(at.actions) + len(at.actions) + 1
    given: dict[str, object] = {
        "worlds": at.worlds if lists else numpy.array(at.worlds),
        "chosen": row(at.chosen),
        "drawn": len(at.chosen),
        "seat": at.view.seat,
        "branches": room(len(at.actions)),
        "options": len(at.actions),
        "policy": at.policy,
        "weights": row(WEIGHTS[at.view.players]),
        "touch": row(at.view.face.touch),
        "totals": row(at.totals),
        "aim": search.WIN if at.last else search.AHEAD,
        "exploration": explore,
        "seed": at.seed,
        "tree": room(ismcts.tree_slots(rollouts)),
        "roots": room(ismcts.root_slots(rollouts)),
        "u": room(SIZE),
        "ends": room(RATINGS),
        "ratings": room(4 * RATINGS),
    }
    branches, options = given["branches"], len(at.actions)
    module.open_branches(given["tree"], at.view.seat, row(at.actions), branches, options)
    for first, last in pairwise([0, *cuts]):
        given |= {"first": first, "count": last - first}
        module.try_actions(*(given[name] for name in PARAMETERS))
    tree: Numbers = given["tree"]  # type: ignore[assignment]
    return [int(tree[node + ismcts.TOTAL]) for node in given["branches"]]  # type: ignore[attr-defined]


def decisions(seed: int, rounds: int = 1, every: int = 1) -> Iterator[tuple[Round, int]]:
    """Moments of random rounds at every table, also before the last discard."""
    rng = Random(seed)
    for players, face in TABLES * rounds:
        some = list(moments(random_round(players, face, rng), rng))
        for at, seat, _ in some[rng.randrange(every) :: every]:
            yield at, seat


def by_hand(at: Trial, count: int) -> Numbers:
    """Act, play the round to its end on `Round`, and look at the scores."""
    assert at.view.seat is not None
    sums = [0] * len(at.actions)
    for number in range(count):
        world = at.worlds[at.chosen[number % len(at.chosen)]]
        for place, action in enumerate(at.actions):
            round = round_of(at.view, world).play(ACTIONS[action], at.view.seat)
            g = seeded(at.seed, number)
            while not round.over:
                g = step(g)
                round = round.play(by_policy(round, at.policy, g), round.turn)
            sums[place] += plain_margin(round, at.view.seat)
            if at.last:
                sums[place] += plain_share(round, at.view.seat, at.totals)
    return sums


def by_policy(round: Round, policy: int, g: int) -> str:
    """What the seat to act does, by a policy."""
    seat = round.turn
    assert seat is not None
    if policy == CAREFUL:
        touch, likes = round.face.touch, WEIGHTS[round.players]
        return str(ACTIONS[careful_action(round.vector, seat, likes, touch, [0] * RATINGS, g)])
    return str(ACTIONS[choose_action(round.vector, policy, g)])


@pytest.mark.long
@pytest.mark.parametrize("policy", POLICIES)
def test_sums_are_those_of_rounds_played_to_their_end(policy: str) -> None:
    """Nothing but acting, playing on by the policy, and the scores; with totals and without."""
    rng = Random(6)
    phases = set()
    for round, seat in decisions(6, every=11):
        at = trial(round, seat, rng, policy, worlds=2)
        assert tried(search, at, [3]) == by_hand(at, 3)
        phases.add(round.phase)
    assert phases == set(Phase) - {Phase.OVER}


@pytest.mark.parametrize("explore", [0, ismcts.ONE // 2], ids=["flat", "tree"])
def test_how_it_is_sliced_does_not_matter(explore: int) -> None:
    """Worlds first … last in any pieces give the same sums: chance belongs to the world."""
    rng = Random(7)
    compiled = cpu.tactics().search
    for round, seat in decisions(7, every=5):
        at = trial(round, seat, rng, rng.choice([*POLICIES]))
        total = rng.randrange(2, WIDE)
        cuts = sorted({*rng.choices(range(1, total), k=4), total})
        whole = tried(compiled, at, [total], explore)
        assert tried(compiled, at, cuts, explore) == whole
        assert tried(compiled, at, [*range(1, total + 1)], explore) == whole


@pytest.mark.long
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("explore", [0, ismcts.ONE // 2], ids=["flat", "tree"])
def test_trying_does_the_same_compiled(policy: str, explore: int) -> None:
    """All sums, at every table and in every phase."""
    rng = Random(8)
    compiled = cpu.tactics().search
    for round, seat in decisions(8, every=9):
        at = trial(round, seat, rng, policy)
        before = [*map(tuple, at.worlds)]
        assert tried(search, at, [2, 6], explore) == tried(compiled, at, [2, 6], explore)
        assert [*map(tuple, at.worlds)] == before


def test_all_actions_meet_the_same_worlds_and_the_same_chance() -> None:
    """What an action adds up to does not depend on which others are tried beside it."""
    rng = Random(9)
    compiled = cpu.tactics().search
    for round, seat in decisions(9, every=4):
        at = trial(round, seat, rng, "careful")
        whole = dict(zip(at.actions, tried(compiled, at, [10]), strict=True))
        some = rng.sample(at.actions, rng.randrange(1, len(at.actions) + 1))
        few = tried(compiled, at._replace(actions=some), [10])
        assert dict(zip(some, few, strict=True)) == {action: whole[action] for action in some}


def test_a_decided_round_is_worth_the_same_in_every_world() -> None:
    """The last play of a round: nothing is left to chance, so sums are multiples of the end."""
    round = first_lead("56 36 29", bids=(1, 1, 1)).replay("5b 6b")
    at = trial(round, 2, Random(1), "careful")._replace(last=False)
    sums = dict(zip(at.actions, tried(search, at, [7]), strict=True))
    for action in round.legal:
        assert sums[action.id] == 7 * plain_margin(round.play(action), 2)
