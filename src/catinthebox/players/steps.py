"""What `fast.warm` compiles for players: small decisions, made by the players themselves.

This way exactly what they call is compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from ..tactics.careful import RATINGS
from ..tactics.inputs import INPUTS
from ..tactics.prospects import COLUMNS
from ..tactics.rollout import CAREFUL
from ..views import Dealt, View
from . import engine
from .careful import Careful
from .ismcts import Ismcts
from .net import Net
from .player import Budget, Player
from .search import Search

HAND: Final = Dealt(4, seat=1, hand="1345566788")
DISCARDING: Final = View(HAND)
PLAYING: Final = View(HAND).replay("0:-? -5 2:-? 3:-? =2 =3 =1 =1 8b")
UNSURE: Final = View(HAND).replay("0:-? -1 2:-? 3:-? =2 =3 =1 =1 3y")
"""Here the network takes several actions seriously."""


def _decide(player: Player, view: View) -> None:
    player.choose(view, Budget(rollouts=4), Random(1))


def _model() -> tuple[Any, Any, Any]:
    return engine.weights(4), engine.touch(HAND.face), engine.zeros(RATINGS)


def _worlds() -> Any:
    worlds = engine.zeros(3, len(PLAYING.vector))
    engine.tactics().search.imagine(engine.vector(PLAYING), PLAYING.proved, 1, worlds, 0, 3)
    return worlds


def careful_play() -> None:
    """Compile the decisions of a careful player."""
    _decide(Careful(), PLAYING)


def imagined_worlds() -> None:
    """Compile the sampling of worlds, a large part of a search."""
    _worlds()


def whole_rounds() -> None:
    """Compile the rollouts, another large part of a search."""
    engine.tactics().rollout.finish(_worlds()[0], CAREFUL, *_model(), 1)


def beliefs() -> None:
    """Compile the weighing of worlds by beliefs."""
    weights, touch, ratings = _model()
    seen = engine.row(play.action.id for play in PLAYING.actions)
    given = (_worlds(), 0, 3, engine.floats(3), engine.zeros(len(PLAYING.vector)), HAND.seat, seen)
    engine.tactics().search.believe(*given, weights, touch, ratings)


def searches() -> None:
    """Compile the rest of a search."""
    _decide(Search(), DISCARDING)


def trees() -> None:
    """Compile the tree search over worlds."""
    _decide(Ismcts(), PLAYING)


def network_inputs() -> None:
    """Compile the inputs of networks."""
    row, touch = engine.vector(PLAYING), engine.touch(HAND.face)
    engine.tactics().inputs.write_inputs(row, HAND.seat, touch, engine.zeros(INPUTS))


def network_searches() -> None:
    """Compile the search on a network."""
    _decide(Net(worlds=1), UNSURE)


def prospects() -> None:
    """Compile what the coach measures."""
    rules, model = engine.tactics().prospects, _model()
    ends = engine.zeros(2, COLUMNS)
    where = (_worlds(), engine.zeros(1), 1, 0, 1, HAND.seat, engine.row([0, 1]), 2)
    rules.try_all(*where, *model, 1, engine.zeros(len(PLAYING.vector)), ends)
    rules.sum_column(ends, 1, 2, 0, 0)
    rules.sum_squares(ends, 1, 2, 0, 1, 0)
    rules.sum_by_world(ends, 1, 2, 0, 1, 0, 0, engine.zeros(1), engine.zeros(1))


STEPS: Final[dict[str, Callable[[], None]]] = {
    "careful play": careful_play,
    "imagined worlds": imagined_worlds,
    "whole rounds": whole_rounds,
    "beliefs": beliefs,
    "searches": searches,
    "trees": trees,
    "network inputs": network_inputs,
    "network searches": network_searches,
    "prospects": prospects,
}
NEEDS: Final = {
    Careful: ("careful play",),
    Search: ("careful play", "imagined worlds", "whole rounds", "beliefs", "searches"),
    Ismcts: ("trees",),
    Net: ("network inputs",),
}
"""The steps that a kind of player needs; the others need none."""
OF_SEARCHES: Final = ("imagined worlds", "network searches")
"""The further steps that a network needs if it searches."""
OF_HINTS: Final = ("imagined worlds", "beliefs", "network inputs", "prospects")
"""The steps that the coach needs."""


def needed(*players: Player, hints: bool = False) -> list[str]:
    """Return the steps that some players need, and the coach if it gives hints; in order.

    >>> needed(Careful())
    ['careful play']
    """
    wanted = {step for player in players for step in NEEDS.get(type(player), ())}
    if any(isinstance(player, Net) and player.searches for player in players):
        wanted.update(OF_SEARCHES)
    if hints:
        wanted.update(OF_HINTS)
    return [step for step in STEPS if step in wanted]
