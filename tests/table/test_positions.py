"""Films of games: every position as the table itself would have shown it."""

from __future__ import annotations

from random import Random

import pytest

from catinthebox.fair import commit
from catinthebox.game import Action, Game
from catinthebox.game.fairness import Fairness
from catinthebox.table import render
from catinthebox.table.live_views import LiveViews
from catinthebox.table.positions import positions
from catinthebox.views import View, mine


def some_game(players: int, seed: int) -> Game:
    """A whole game of random moves."""
    rng, game = Random(seed), Game.new(players)
    while not game.over:
        if game.between_rounds:
            game = game.shuffle(rng)
        else:
            game = game.play(rng.choice(list(game.current.legal)))
    return game


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(4))
def test_moves_lead_from_position_to_position(players: int, seed: int) -> None:
    """The moves of a film, played by the rules, give what it shows."""
    game = some_game(players, seed)
    seen = list(positions(game))
    assert len(seen) == sum(1 + len(round.actions) for round in game.rounds)
    deals = iter(game.rounds)
    now = Game.new(players)
    for position in seen:
        if position.move:
            seat, _, word = position.move.partition(":")
            now = now.play(Action(word), int(seat))
        else:
            setup = next(deals).setup
            now = now.deal(setup.hands, setup.aside)
        view = View.of(now.current, None)
        views = LiveViews(now.current)
        assert views.moves == view.moves
        assert position.round == render.round_of(views, game.names)
        assert position.own == tuple(map(render.own, mine(now.current)))
        assert position.turn.to_act == now.current.to_act
    assert now == game


def test_what_stays_is_not_said_again() -> None:
    """The game is told at each deal and at the end of each round."""
    seen = list(positions(some_game(4, 7)))
    received = [position for position in seen if position.game is not None]
    assert [(one.game.round, len(one.game.scores)) for one in received if one.game] == [
        *((1, 0), (1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (4, 3), (4, 4))
    ]
    assert all(not one.move or one.round.end for one in received)


def test_the_secret_comes_last() -> None:
    """As it did at the table."""
    secret, nonces = bytes(range(32)), (b"",) * 3
    promise = Fairness("lab-7", commit(secret, "lab-7"), nonces)
    rng = Random(3)
    game = Game.new(3, fairness=promise)
    while not game.over:
        game = (
            game.shuffle(rng)
            if game.between_rounds
            else game.play(rng.choice(list(game.current.legal)))
        )
    shown_games = [one.game for one in positions(game.reveal(secret), 2) if one.game]
    assert [one.secret for one in shown_games] == [""] * (len(shown_games) - 1) + [secret.hex()]
    assert {one.number for one in shown_games} == {2}
