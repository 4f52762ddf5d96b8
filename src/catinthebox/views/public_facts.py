"""What everybody sees of a round (R32), in the same words as `Round`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..game import Color, Face, Phase, Play, Round, Trick
from ..game.hands import unpacked
from ..game.round import Cell, Seat
from ..rules.layout import DISCARD, DISCARDING, HAND, MAY, PARADOX, PHASE, State
from ..rules.sight import hand_size
from .direct import board_rows, color_letters
from .events import Dealt

if TYPE_CHECKING:
    from ..game import Paradox


class PublicFacts:
    """The public part of a view, read from a round that holds only what was seen."""

    __slots__ = ("_dealt", "_table")

    _dealt: Dealt
    _table: Round  # what the seat knows, nothing else: unseen hands are empty

    @property
    def _v(self) -> State:
        return self._table.vector

    @property
    def known_round(self) -> Round:
        """A round that holds what was seen and nothing else: unseen hands are empty."""
        return self._table

    @property
    def players(self) -> int:
        """How many seats."""
        return self._dealt.players

    @property
    def starter(self) -> Seat:
        """The seat with the round start card (R1)."""
        return self._dealt.starter

    @property
    def face(self) -> Face:
        """The face of the research board."""
        return self._dealt.face

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of every seat before this round; empty if the round stands by itself."""
        return self._dealt.totals

    @property
    def rounds_left(self) -> int:
        """How many rounds of the game follow this one."""
        return self._dealt.rounds_left

    @property
    def ranks(self) -> int:
        """The highest rank of the deck."""
        return self._table.setup.cards.ranks

    @property
    def turned_up(self) -> tuple[int, ...]:
        """The ranks turned up at two players (R6)."""
        return tuple(map(int, self._dealt.turned_up))

    @property
    def phase(self) -> Phase:
        """Discard, bid, play or over."""
        return self._table.phase

    @property
    def over(self) -> bool:
        """Whether the round has ended (R19, R21)."""
        return self._table.over

    @property
    def turn(self) -> Seat | None:
        """The seat to act; while discarding, the lowest seat still to discard."""
        return self._table.turn

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Seats that may act: all that have not discarded, then one at a time, then none."""
        if self._v[PHASE] == DISCARDING:
            waiting = range(self.players)
            return tuple(seat for seat in waiting if not self._v[DISCARD + seat])
        return () if self.turn is None else (self.turn,)

    @property
    def discarders(self) -> tuple[Seat, ...]:
        """Seats that have set a card aside; nobody in a position that begins after it."""
        return tuple(seat for seat in range(self.players) if self._v[DISCARD + seat])

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards every seat holds."""
        return tuple(hand_size(self._v, seat) for seat in range(self.players))

    @property
    def bids(self) -> tuple[int | None, ...]:
        """The bid of every seat."""
        return self._table.bids

    @property
    def won(self) -> tuple[int, ...]:
        """Tricks won by every seat."""
        return self._table.won

    @property
    def tokens(self) -> tuple[tuple[Color, ...], ...]:
        """The color tokens every seat still holds (R13, R16)."""
        return self._table.tokens

    @property
    def token_letters(self) -> tuple[str, ...]:
        """The same as letters, in the order of the board: 'rby'."""
        return tuple(map(color_letters, self._v[MAY : MAY + self.players]))

    @property
    def board(self) -> Mapping[Cell, Seat]:
        """The owner of every taken cell, NEUTRAL (-1) for a neutral token (R6)."""
        return self._table.board

    @property
    def board_rows(self) -> tuple[str, ...]:
        """The rows of the board as text, red first; see `direct.board_rows`."""
        return board_rows(self._v, self.ranks)

    @property
    def actions(self) -> tuple[Play, ...]:
        """Bids and plays so far."""
        log = self._table.actions
        own = bool(log) and log[0].action.phase is Phase.DISCARD  # R7: the others' are not seen
        return log[1:] if own else log

    @property
    def leader(self) -> Seat:
        """The seat that leads, or led, the current trick."""
        return self._table.leader

    @property
    def trick(self) -> tuple[Play, ...]:
        """The cards of the current trick, or of the one that a paradox interrupted."""
        return self._table.trick

    @property
    def last_trick(self) -> tuple[Play, ...]:
        """The cards of the last trick that was won; none before the first one."""
        complete = [trick.plays for trick in self.tricks if trick.winner is not None]
        return complete[-1] if complete else ()

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """All tricks; the last one may be incomplete."""
        return self._table.tricks

    @property
    def winning(self) -> Seat | None:
        """The seat whose card is winning the current trick so far (R18)."""
        return self._table.winning

    @property
    def red_open(self) -> bool:
        """Whether red may be led (R14a)."""
        return self._table.red_open

    @property
    def groups(self) -> tuple[int, ...]:
        """The largest group of own tokens of every seat (R27)."""
        return self._table.groups

    @property
    def paradox(self) -> Seat | None:
        """The seat that caused a paradox (R20)."""
        return self._table.paradox

    @property
    def revealed(self) -> tuple[int, ...] | None:
        """The hand that the causer of a paradox showed (R22)."""
        return None if self.paradox is None else unpacked(self._v[HAND + self._v[PARADOX]])

    def explain_paradox(self) -> Paradox | None:
        """Show why each card of the causer is impossible (R22); None without paradox."""
        return self._table.explain_paradox()

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Points of the round once it is over (R23 to R27)."""
        return self._table.scores
