"""`modest`: a simple opponent, which decides by a `Glimpse` of its view.

It sets aside a card it holds several of, bids by its high cards, follows the led color when it
can, and avoids plays that would leave one of its cards without a color.

>>> from random import Random
>>> from catinthebox.game import Round
>>> round = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> choose(glimpse(View.of(round.replay("-2 -3 -4 =1 =3 =4 5b"), 1)), Random(1))
Action('6b')
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Final

from ..game import Action, Color, LegalActions, Phase
from ..views import View
from .player import Budget

MODEST: Final = 4  # R26: at two players nobody bids, and four tricks still earn the bonus


@dataclass(frozen=True)
class Glimpse:
    """What this opponent considers: its cards, its legal actions, its bid."""

    phase: Phase
    hand: tuple[int, ...]
    legal: LegalActions
    led: Color | None
    winning: Action | None  # the card that is winning the trick
    bid: int | None
    won: int
    players: int
    ranks: int  # the highest rank of the deck

    @property
    def wants_tricks(self) -> bool:
        """Whether another trick is welcome."""
        return self.won < (self.bid or MODEST)


def glimpse(view: View) -> Glimpse:
    """Extract the little that is needed from a view (R32, R33)."""
    trick, seat = view.trick, view.seat
    assert seat is not None, "a spectator does not play"
    return Glimpse(
        phase=view.phase,
        hand=view.hand,
        legal=view.legal,
        led=trick[0].action.color if trick else None,
        winning=next((played.action for played in trick if played.seat == view.winning), None),
        bid=view.bids[seat],
        won=view.won[seat],
        players=view.players,
        ranks=view.ranks,
    )


@dataclass(frozen=True)
class Modest:
    """The simple opponent as a player."""

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Choose by a glimpse of the view."""
        return choose(glimpse(view), rng)


def choose(seen: Glimpse, rng: Random) -> Action:
    """Choose one of the legal actions."""
    if seen.phase is Phase.DISCARD:
        return choose_discard(seen, rng)
    if seen.phase is Phase.BID:
        return choose_bid(seen)
    return choose_play(seen, rng)


def choose_discard(seen: Glimpse, rng: Random) -> Action:
    """Discard a rank held most often, since there are only four colors."""
    copies = Counter(seen.hand)
    most = max(copies.values())
    return Action.discard(rng.choice([rank for rank in copies if copies[rank] == most]))


def choose_bid(seen: Glimpse) -> Action:
    """Bid a fair share of the tricks, more with high cards and fewer with low ones."""
    middle = (seen.ranks + 1) / 2
    edge = sum(rank - middle for rank in seen.hand) / middle
    expected = (len(seen.hand) - 1) / seen.players + edge  # R19: one card stays in the hand
    return min(seen.legal, key=lambda action: abs(action.number - expected))


def choose_play(seen: Glimpse, rng: Random) -> Action:
    """Follow if possible; take the safest of the cards that serve the bid."""
    following = [action for action in seen.legal if action.color is seen.led]
    options = following or sorted(seen.legal)
    rng.shuffle(options)  # random among equals
    return min(options, key=lambda action: (dead_ends(seen, action), unwelcome(seen, action)))


def dead_ends(seen: Glimpse, action: Action) -> int:
    """Count the cards without a possible color after this play."""
    lost = seen.led if action.color is not seen.led else None  # R16
    left = Counter(seen.hand) - Counter([action.rank])
    ways = Counter(
        other.rank for other in seen.legal if other is not action and other.color is not lost
    )
    return sum(max(0, left[rank] - ways[rank]) for rank in left)


def unwelcome(seen: Glimpse, action: Action) -> int:
    """Rate a play by the bid: high and red to win, low and not red to lose."""
    strength = action.rank + seen.ranks * (action.color is Color.RED)
    return -strength if seen.wants_tricks and wins(seen, action) else strength


def wins(seen: Glimpse, action: Action) -> bool:
    """Whether a card would win the trick as it stands (R18)."""
    best = seen.winning
    if best is None or action.color is best.color:
        return best is None or action.rank > best.rank
    return action.color is Color.RED
