"""Replays a finished game, position by position, with every hand.

A client that knows no rules can show a whole game with this, as anybody at the table saw it.

>>> from catinthebox.game import Game
>>> game = Game.new(3).deal(("1223345566", "1123344556", "1122344566")).play("-2").play("-3")
>>> [position.move for position in positions(game)]
['', '0:-2', '1:-3']
>>> [held.rank for held in next(positions(game)).own[0].hand]
[1, 2, 3, 4, 5, 6]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..game import Game, Round
from ..protocol.parts import GameShown, Turn
from ..protocol.replays import Position
from ..views import mine
from . import render
from .live_views import LiveViews


def positions(game: Game, number: int = 1) -> Iterator[Position]:
    """Yield every position of a game, each deal first; `number` is the number of the game."""
    known: GameShown | None = None
    for at, (so_far, move, seen) in enumerate(_moments(game)):
        round = so_far.current
        shown = render.game_of(so_far, number)
        yield Position(
            move=move,
            game=None if shown == known else shown,
            round=render.round_of(seen, game.names),
            turn=Turn(at, round.to_act, (None,) * game.players, (0,) * game.players),
            own=tuple(map(render.own, mine(round))),
        )
        known = shown


def _moments(game: Game) -> Iterator[tuple[Game, str, LiveViews]]:
    """Yield the game up to each deal and action, that action, and what has been seen of it."""
    for finished, whole in enumerate(game.rounds):
        before = Round(whole.setup)
        seen = LiveViews(before)
        so_far = replace(game, rounds=(*game.rounds[:finished], before))
        yield so_far, "", seen
        for played in whole.actions:
            after = before.play(played.action, played.seat)
            seen.see(before, played, after)
            yield so_far.with_current(after), f"{played.seat}:{played.action.notation}", seen
            before = after
