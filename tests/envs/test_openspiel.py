"""OpenSpiel's own tests pass; chance is exact; information states hold what a seat saw."""

from __future__ import annotations

import unittest
from collections import defaultdict
from fractions import Fraction
from math import comb, prod
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import get_all_states

from catinthebox import ACTIONS, NotUnderstood, Phase, Round, Setup, standing
from catinthebox.envs import openspiel
from catinthebox.envs.tree_game import Rules, TreeTable
from catinthebox.game.hands import digits, unpacked
from catinthebox.views import View

MICRO = "catinthebox(players=2,ranks=2,dealt=3,reward=margin)"
MICRO_NODES = (5, 208, 654)  # chance, decisions, ends
# By hand: four hands to discard from for each seat, six ways to hold two cards after it, and for
# the follower six leads that it may have seen (R14: not red).
MICRO_INFORMATION_STATES = 4 + 4 + 6 + 6 * 6
GAMES = (
    "catinthebox",
    "catinthebox(players=2)",
    "catinthebox(players=2,reward=margin)",
    "catinthebox(players=2,reward=win)",
    "catinthebox(players=3,face=purple,reward=margin)",
    "catinthebox(players=5)",
    "catinthebox(players=3,length=match,reward=win)",
    MICRO,
)


def sampled(game: Any, rng: Random) -> list[Any]:
    """A random game, state by state."""
    state, path = game.new_initial_state(), []
    while not state.is_terminal():
        path.append(state.clone())
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return [*path, state]


# ── What OpenSpiel ships ─────────────────────────────────────────────────────────────────────


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_random_simulations(name: str) -> None:
    """With serialization, as the library tests its own games."""
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=True, verbose=False)


def run_cases(base: type[unittest.TestCase], name: str, game_string: str) -> None:
    """Run a test base of OpenSpiel on one game."""
    attributes = {"game": pyspiel.load_game(game_string), "game_name": name}
    case = type(f"{base.__name__}_{name}", (base,), attributes)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun > 3
    assert result.errors + result.failures == []


@pytest.mark.parametrize("name", ["catinthebox(players=2)", "catinthebox(players=4)"])
def test_the_api_on_a_part_of_the_tree(name: str) -> None:
    """OpenSpiel's base for large games."""
    run_cases(api_test.EnforceAPIOnPartialTreeBase, name, name)


@pytest.mark.long
@pytest.mark.parametrize("reward", ["margin", "win"])
def test_the_api_on_a_whole_tree(reward: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenSpiel's base for small games: perfect recall, sums, every node."""
    tables: ModuleType = api_test
    name = f"micro_{reward}"
    monkeypatch.setitem(tables.TOTAL_NUM_STATES, name, MICRO_NODES)
    monkeypatch.setitem(tables.PERFECT_RECALL_NUM_STATES, name, MICRO_INFORMATION_STATES)
    run_cases(tables.EnforceAPIOnFullTreeBase, name, MICRO.replace("margin", reward))


# ── Chance ───────────────────────────────────────────────────────────────────────────────────


def deals(table: TreeTable, chance: float = 1.0) -> list[tuple[tuple[str, ...], float]]:
    """Every deal and its probability."""
    if not table.dealing:
        return [(tuple(map(digits, table.hands)), chance)]
    found = []
    for copies, share in table.outcomes():
        other = table.__deepcopy__({})
        other.deal(copies)
        found += deals(other, chance * share)
    return found


@pytest.mark.clause("R5")
def test_deals_are_as_likely_as_shuffles_make_them() -> None:
    """Each distinct deal once, with the probability of its arrangements."""
    found = deals(TreeTable(Rules(players=2, ranks=3, dealt=4)))
    assert len(found) == len({hands for hands, _ in found})
    ways = comb(15, 4) * comb(11, 4)
    for (first, second), share in found:
        ranks = "123"
        one = prod(comb(5, first.count(rank)) for rank in ranks)
        two = prod(comb(5 - first.count(rank), second.count(rank)) for rank in ranks)
        assert share == pytest.approx(float(Fraction(one * two, ways)))
    assert sum(share for _, share in found) == pytest.approx(1)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_deal_is_a_deal_of_the_game(players: int) -> None:
    """Few outcomes each, and a set-up without problems, cards turned up included."""
    rng = Random(players)
    game = pyspiel.load_game(f"catinthebox(players={players})")
    path = sampled(game, rng)
    for state in path:
        if state.is_chance_node():
            chances = state.chance_outcomes()
            assert 2 <= len(chances) <= 6
            assert sum(share for _, share in chances) == pytest.approx(1)
    assert round_of(path[-1].table).over


def round_of(table: TreeTable) -> Round:
    """The same round in the words of `game`."""
    rules = table.rules
    hands = [digits(hand) for hand in table.hands]
    hands, up = hands[: rules.players], "".join(hands[rules.players :])
    dealt = "".join(hands) + up
    left = "".join(str(r) * (5 - dealt.count(str(r))) for r in range(1, rules.deck[0] + 1))
    episode = table.episode()
    aside = up + left if rules.players == 2 else ""
    round = Round(Setup(tuple(hands), episode.starter, rules.board, aside))
    for seat, rank in enumerate(episode.discards):
        if rank:
            round = round.play(f"-{rank}", seat)
    for action in episode.log:
        round = round.play(ACTIONS[action])
    return round


# ── Actions, information, utilities ──────────────────────────────────────────────────────────


@pytest.mark.clause("R32", "R33")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_moment_is_a_moment_of_the_game(players: int) -> None:
    """The same legal actions, the same seat, the same scores, and the history a view has."""
    rng = Random(players)
    game = pyspiel.load_game(f"catinthebox(players={players})")
    for _ in range(3):
        for state in sampled(game, rng):
            if state.is_chance_node():
                continue
            round = round_of(state.table)
            assert state.is_terminal() == round.over
            if not round.over:
                assert state.current_player() == round.turn
                assert state.legal_actions() == sorted(action.id for action in round.legal)
            else:
                assert tuple(state.returns()) == round.scores
            for seat in range(players):
                received = state.information_state_string(seat)
                assert received.endswith(View.of(round, seat).moves)
                assert f"hand {round.setup.hands[seat]}" in received


@pytest.mark.clause("R1", "R3")
def test_matches_add_up() -> None:
    """Returns are those of all rounds; a seat remembers them all."""
    rng = Random(2)
    for reward in ("points", "win"):
        game = pyspiel.load_game(f"catinthebox(players=3,length=match,reward={reward})")
        end = sampled(game, rng)[-1]
        totals, winners = standing(end.table.scores)
        assert len(end.table.scores) == 3
        shares = [(seat in winners) / len(winners) for seat in range(3)]
        assert end.returns() == (list(totals) if reward == "points" else shares)
        assert end.information_state_string(1).count("start") == 3


@pytest.mark.clause("R33")
def test_information_states_are_exactly_what_a_seat_saw() -> None:
    """On a whole tree: equal strings, equal tensors and equal sights are the same partition."""
    game = pyspiel.load_game(MICRO)
    states = get_all_states.get_all_states(game, include_terminals=True)
    for seat in range(2):
        by_sight: dict[Any, set[tuple[str, bytes]]] = defaultdict(set)
        for state in states.values():
            tensor = np.array(state.information_state_tensor(seat)).tobytes()
            received = state.information_state_string(seat)
            by_sight[sight(state.table, seat)].add((received, tensor))
        assert all(len(shown) == 1 for shown in by_sight.values())
        shown = [next(iter(one)) for one in by_sight.values()]
        assert len(shown) == len({received for received, _ in shown}) == len({t for _, t in shown})


def sight(table: TreeTable, seat: int) -> tuple[Any, ...]:
    """What a seat saw, put together from the rules of who knows what."""
    episode = table.episode()
    made = tuple(rank > 0 for rank in episode.discards)
    mine = episode.hands[seat], episode.discards[seat]
    return mine, made, episode.log, episode.causer, episode.shown


def test_observations_come_in_public_and_private_pieces() -> None:
    """What is public is the same for everybody; what is private is the own hand and discard."""
    rng = Random(8)
    kinds = {
        (public, private, recall): pyspiel.IIGObservationType(
            public_info=public, perfect_recall=recall, private_info=private
        )
        for public in (True, False)
        for private in (pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER)
        for recall in (True, False)
    }
    for name in ("catinthebox(players=2)", "catinthebox(players=3,length=match)"):
        game = pyspiel.load_game(name)
        path = [state for state in sampled(game, rng) if not state.is_chance_node()]
        for (public, private, recall), kind in kinds.items():
            observer = game.make_py_observer(kind)
            alone = private == pyspiel.PrivateInfoType.SINGLE_PLAYER
            assert ("hand" in observer.dict) == alone
            assert ("won" in observer.dict) == (public and not recall)
            assert ("plays" in observer.dict) == (public and recall)
            for state in path[:: len(path) // 5]:
                seen = {observer.string_from(state, seat) for seat in range(2)}
                assert len(seen) == (2 if alone else 1)


def test_what_openspiel_may_not_ask_for() -> None:
    """All players' cards at once; parameters that mean nothing."""
    game = pyspiel.load_game("catinthebox")
    everything = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(ValueError, match="nobody sees the cards of all players"):
        game.make_py_observer(everything)
    with pytest.raises(ValueError, match="observers take no parameters"):
        game.make_py_observer(None, {"zoom": 2})
    with pytest.raises(NotUnderstood, match="no deck has such ranks and hands"):
        Rules(players=4, ranks=2, dealt=9)


def test_utilities_lie_within_their_bounds() -> None:
    """For every reward; two players are zero-sum in margin and constant-sum in wins."""
    rng = Random(4)
    for name in GAMES:
        game = pyspiel.load_game(name)
        for _ in range(4):
            end = sampled(game, rng)[-1]
            returns = end.returns()
            assert min(returns) >= game.min_utility()
            assert max(returns) <= game.max_utility()
            if game.get_type().utility != pyspiel.GameType.Utility.GENERAL_SUM:
                assert sum(returns) == game.utility_sum()
            assert len(end.history()) <= game.max_game_length() + game.max_chance_nodes_in_history()


def test_actions_have_words() -> None:
    """Chance and players."""
    game = pyspiel.load_game("catinthebox(players=2)")
    path = sampled(game, Random(1))
    assert path[0].action_to_string(pyspiel.PlayerId.CHANCE, 2) == "seat 0 gets 2 of rank 1"
    up = next(s for s in path if s.is_chance_node() and s.table.next_pile()[0] == 2)
    assert up.action_to_string(pyspiel.PlayerId.CHANCE, 1).startswith("turned up gets 1 of rank")
    first = next(state for state in path if not state.is_chance_node())
    assert ACTIONS[first.legal_actions()[0]].phase is Phase.DISCARD
    assert first.action_to_string(0, first.legal_actions()[0]).startswith("-")
    assert str(path[-1]).count("start 0") == 2
    assert unpacked(0o12) == (1, 1, 2)
    assert openspiel.NAME in pyspiel.registered_names()
