"""The deals of a seed as rounds: number 17 of seed 7 is the same here, in `fast` and on a GPU.

>>> seeded_round(7, 17, 3, Face.named("white")).setup.hands
('1122334456', '1112255666', '2333444556')
"""

from __future__ import annotations

from ..game import Face, Round, Setup
from ..game.hands import digits
from ..rules.chance import seeded
from ..rules.counts import RANKS
from ..rules.layout import BLUE, COPIES, FREE, GREEN, HAND, SIZE, State, cell_bit
from ..rules.playout import shuffled_deal


def seeded_round(seed: int, number: int, players: int, face: Face) -> Round:
    """Deal round `number` of a seed; the starter rotates with the number (R2)."""
    s = [0] * SIZE
    starter = number % players
    shuffled_deal(s, players, starter, seeded(seed, number))
    hands = tuple(digits(s[HAND + seat]) for seat in range(players))
    return Round(Setup(hands, starter, face, _aside(s, hands) if players == 2 else ""))


def _aside(s: State, hands: tuple[str, ...]) -> str:
    """The cards left over at two players, the turned-up ones first (R6)."""
    shown, hidden = "", ""
    for rank in range(1, RANKS[2] + 1):
        neutral = sum(not s[FREE] & cell_bit(color, rank) for color in range(BLUE, GREEN + 1))
        held = sum(hand.count(str(rank)) for hand in hands)
        shown += str(rank) * neutral
        hidden += str(rank) * (COPIES - neutral - held)
    return shown + hidden
