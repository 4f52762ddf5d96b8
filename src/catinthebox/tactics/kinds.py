"""The kinds of players that decide by rules, by number: for callers in any language.

`search` decides in slices (`thought`), `net` by a network of the `inputs`; all others answer at
once, by `quick_action`. Every decision follows from the view, the seat, the level's parameters and
one seed, on every target.

>>> from catinthebox.rules.actions import FIRST_DISCARD
>>> from catinthebox.rules.chance import seeded
>>> from catinthebox.rules.faces import touching, white
>>> from catinthebox.rules.playout import shuffled_deal
>>> from .careful import RATINGS
>>> from .weights import WEIGHTS
>>> s = [0] * SIZE
>>> g = shuffled_deal(s, 3, 0, seeded(7, 1))
>>> model = WEIGHTS[3], touching(white()), [0] * RATINGS
>>> [quick_action(KINDS[kind], s, 0, 0, *model, 5) - FIRST_DISCARD + 1 for kind in QUICK]
[6, 5, 5, 5]
"""

from collections.abc import Sequence
from typing import Final

from ..rules.actions import legal_actions
from ..rules.chance import below, seeded, step
from ..rules.layout import *
from ..rules.marker import nth_bit, popcount, rule
from .careful import slipping_action
from .simple import follow_action, modest_action
from .weights import Weights

RANDOM_KIND: Final = 0
FOLLOW_KIND: Final = 1
MODEST_KIND: Final = 2
CAREFUL_KIND: Final = 3
SEARCH_KIND: Final = 4
NET_KIND: Final = 5
KINDS: Final = {
    "random": RANDOM_KIND,
    "follow": FOLLOW_KIND,
    "modest": MODEST_KIND,
    "careful": CAREFUL_KIND,
    "search": SEARCH_KIND,
    "net": NET_KIND,
}
QUICK: Final = ("random", "follow", "modest", "careful")


@rule
def random_action(s: State, seat: int, seed: int) -> int:
    """Return any legal action id, all equally likely."""
    legal = legal_actions(s, seat)
    return nth_bit(legal, below(step(seeded(seed, 0)), popcount(legal)))


@rule
def quick_action(
    kind: int,
    s: State,
    seat: int,
    slips: int,
    weights: Weights,
    touch: Sequence[int],
    ratings: list[int],
    seed: int,
) -> int:
    """Return the action id that a player of a quick kind chooses; the seat must be able to act.

    `slips` is for `careful`: from 0 to `careful.ALWAYS`. `ratings` is scratch, `RATINGS` slots.
    """
    if kind == RANDOM_KIND:
        return random_action(s, seat, seed)
    if kind == FOLLOW_KIND:
        return follow_action(s, seat, seed)
    if kind == MODEST_KIND:
        return modest_action(s, seat, seed)
    return slipping_action(s, seat, slips, weights, touch, ratings, seed)
