"""How a round begins: hands, starter, face. Not validated until `Round` accepts it.

>>> Setup(("1123", "12")).problems()[0].clause
'R5'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random

from ..rules import counts, layout
from ..rules.layout import State
from ..rules.round import give_hand, open_round, open_tricks, turn_up
from .errors import Refusal
from .face import WHITE, Face

SEATS = range(2, layout.MAX_SEATS + 1)
TRICKS_AT_MOST = 12  # of a deck made up for study; three bits count a rank, four a trick


@dataclass(frozen=True)
class Deck:
    """The cards of a round: ranks 1 … `ranks`, five of each, `dealt` to every seat."""

    ranks: int
    dealt: int

    @classmethod
    @cache
    def standard(cls, players: int) -> Deck:
        """Return the deck of a player count."""
        return cls(counts.RANKS[players], counts.DEALT[players])

    @property
    def tricks(self) -> int:
        """One card is set aside (R7), one stays in hand (R19)."""
        return self.dealt - 2


def allowed_bids(players: int) -> list[int]:
    """Return the numbers that may be bid (R8, R9).

    >>> allowed_bids(3), allowed_bids(2)
    ([1, 3, 4], [])
    """
    return [number for number in range(1, 5) if counts.BIDS[players] >> number & 1]


@dataclass(frozen=True)
class Setup:
    """A deal: hands as digits, such as '1223345566'. Nothing is checked before `problems`.

    With `discarded` the hands are those after the discard, and `bids` may already be made: the
    position before the first lead. A `deck` other than the standard one makes a micro game.
    """

    hands: tuple[str, ...]
    starter: int = 0
    face: Face = WHITE
    aside: str = ""  # R6: five ranks at two players, the first three turned up
    deck: Deck | None = None
    discarded: bool = False
    bids: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.hands, str):
            raise TypeError("hands are a sequence of texts, one for each seat")
        hands = tuple("".join(sorted("".join(hand.split()))) for hand in self.hands)
        object.__setattr__(self, "hands", hands)
        object.__setattr__(self, "aside", "".join(self.aside.split()))
        object.__setattr__(self, "bids", tuple(self.bids))

    @classmethod
    def shuffled(cls, players: int, rng: Random, starter: int = 0, face: Face = WHITE) -> Setup:
        """Shuffle the deck of the player count and deal it (R5)."""
        if players not in SEATS:
            return cls(("",) * players, starter, face)  # `problems` reports it
        deck = Deck.standard(players)
        cards = [str(rank) for rank in range(1, deck.ranks + 1) for _ in range(layout.COPIES)]
        rng.shuffle(cards)
        hands = [
            "".join(cards[seat * deck.dealt : (seat + 1) * deck.dealt]) for seat in range(players)
        ]
        return cls(tuple(hands), starter, face, "".join(cards[players * deck.dealt :]))

    @property
    def players(self) -> int:
        """How many seats."""
        return len(self.hands)

    @cached_property
    def cards(self) -> Deck:
        """The deck in use."""
        return self.deck or Deck.standard(self.players)

    @cached_property
    def turned_up(self) -> str:
        """The ranks that everybody sees (R6)."""
        return self.aside[: counts.TURNED_UP]

    def problems(self) -> list[Refusal]:
        """Everything that is wrong with it."""
        if self.players not in SEATS:
            return [Refusal("setup.players", "R1", f"{self.players} hands; 2 to 5 can play")]
        if self.deck is not None and not self._deck_possible(self.deck):
            return [Refusal("setup.deck", "R5", f"{self.deck} has too few or too many cards")]
        return [*self._seat_problems(), *self._card_problems(), *self._bid_problems()]

    @staticmethod
    def _deck_possible(deck: Deck) -> bool:
        return 1 <= deck.ranks <= layout.MAX_RANK and 1 <= deck.tricks <= TRICKS_AT_MOST

    def _seat_problems(self) -> Iterator[Refusal]:
        if not 0 <= self.starter < self.players:
            sentence = f"starter {self.starter} is not a seat; seats are 0 to {self.players - 1}"
            yield Refusal("setup.starter", "R1", sentence)
        size = self.cards.dealt - self.discarded
        for seat, hand in enumerate(self.hands):
            if len(hand) != size:
                sentence = f"seat {seat} has {len(hand)} cards; it should have {size}"
                yield Refusal("setup.hand_size", "R5", sentence)
        expected = counts.ASIDE[self.players]
        left = (counts.TURNED_UP, expected) if self.discarded and expected else (expected,)
        if self.deck is None and len(self.aside) not in left:
            sentence = f"{len(self.aside)} cards are left aside; it should be {expected}"
            yield Refusal("setup.aside", "R6", sentence)
        if self.deck is not None and self.players != 2 and self.aside:
            yield Refusal("setup.aside", "R6", "cards are left aside at two players only")

    def _card_problems(self) -> Iterator[Refusal]:
        places = [(f"seat {seat}", hand) for seat, hand in enumerate(self.hands)]
        known = set("123456789"[: self.cards.ranks])
        for where, cards in [*places, ("the cards left aside", self.aside)]:
            for card in sorted(set(cards) - known):
                sentence = f"{where}: {card!r} is not a rank; ranks are 1 to {self.cards.ranks}"
                yield Refusal("setup.rank", "R5", sentence)
        total = Counter("".join([*self.hands, self.aside]))
        for card in sorted(known):
            if total[card] > layout.COPIES:
                sentence = f"rank {card} appears {total[card]} times; there are five of each"
                yield Refusal("setup.copies", "R5", sentence)

    def _bid_problems(self) -> Iterator[Refusal]:
        if not self.bids:
            return
        allowed = allowed_bids(self.players)
        if not self.discarded:
            yield Refusal("setup.bids", "R8", "bids come after the discards")
        elif len(self.bids) != self.players or not set(self.bids) <= set(allowed):
            words = ", ".join(map(str, allowed)) if allowed else "none"
            sentence = f"bids {list(self.bids)}: one for every seat is needed, out of {words}"
            yield Refusal("setup.bids", "R8" if allowed else "R9", sentence)

    def state(self) -> State:
        """Return the state vector before the first action."""
        s = [0] * layout.SIZE
        open_round(s, self.players, self.cards.ranks, self.cards.tricks, self.starter)
        for seat, hand in enumerate(self.hands):
            give_hand(s, seat, sum(1 << layout.COUNT_BITS * (int(rank) - 1) for rank in hand))
        for rank in self.turned_up:
            turn_up(s, int(rank))
        if self.discarded:
            for seat, number in enumerate(self.bids):
                s[layout.BID + seat] = number
            open_tricks(s)
        return s

    def __repr__(self) -> str:
        shown = [repr(self.hands)]
        for name in ("starter", "face", "aside", "deck", "discarded", "bids"):
            value = getattr(self, name)
            if value != getattr(Setup, name):
                shown.append(f"{name}={value!r}")
        return f"Setup({', '.join(shown)})"
