"""A round as an immutable object, in the words of the game.

>>> round = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> round = round.replay("-2 -3 -4 =1 =3 =4 5b")
>>> round.turn, round.trick, "5b" in round.legal
(1, (Play(seat=0, action=Action('5b')),), False)
>>> print(round.why("5b"))
blue 5 is already on the board (seat 0); your 5 can still be red, yellow or green (R12)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, NamedTuple, Self

from ..rules import layout
from ..rules.actions import act, legal_actions
from ..rules.layout import (
    BEST,
    BID,
    DISCARD,
    FREE,
    HAND,
    LEADER,
    MAY,
    NOBODY,
    OWN,
    PARADOX,
    PHASE,
    PLAYERS,
    RED_OPEN,
    TRICK,
    TURN,
    WON,
    State,
)
from ..rules.score import bonus_earned, largest_group, seat_score
from .action import PHASES, Action, Phase
from .color import Color
from .errors import BadSetup, NotLegal, NotUnderstood, NotYourTurn, Refusal, shortened
from .face import CELLS, WHITE, Face
from .hands import unpacked
from .legal import LegalActions
from .setup import Deck, Setup

if TYPE_CHECKING:
    from .paradox import Paradox

Seat = int
NEUTRAL = -1
Cell = tuple[Color, int]


class Play(NamedTuple):
    """A card on the table: who declared what."""

    seat: Seat
    action: Action


class Trick(NamedTuple):
    """A trick: its plays from the lead on, and the seat that won it, once it is complete."""

    plays: tuple[Play, ...]
    winner: Seat | None

    @property
    def led(self) -> Color | None:
        """The led color."""
        return self.plays[0].action.color


class Round:
    """A round at one moment; immutable, playing returns a new round."""

    __slots__ = ("_scores", "actions", "setup", "vector")

    setup: Setup  # how the round began
    actions: tuple[Play, ...]  # discards by seat (R7: they are simultaneous), bids, plays
    vector: State  # the slots of `rules.layout`, with every hand; do not modify it
    _scores: tuple[int, ...]  # computed when needed

    def __init__(self, setup: Setup) -> None:
        problems = setup.problems()
        if problems:
            raise BadSetup(problems)
        self.setup = setup
        self.actions = ()
        self.vector = setup.state()

    @classmethod
    def trusted(cls, setup: Setup, actions: tuple[Play, ...], vector: State) -> Self:
        """Create a round from its parts without checking that they belong together."""
        round = object.__new__(cls)
        round.setup, round.actions, round.vector = setup, actions, vector
        return round

    @classmethod
    def deal(
        cls,
        hands: Sequence[str],
        *,
        starter: Seat = 0,
        face: Face = WHITE,
        aside: str = "",
        deck: Deck | None = None,
    ) -> Self:
        """Begin a round with known hands, before the discards; bad ones raise `BadSetup`."""
        return cls(Setup(tuple(hands), starter, face, aside, deck))

    @classmethod
    def shuffled(cls, players: int, rng: Random, *, starter: Seat = 0, face: Face = WHITE) -> Self:
        """Begin a round with a shuffled deck (R5)."""
        return cls(Setup.shuffled(players, rng, starter, face))

    # ── Acting ───────────────────────────────────────────────────────────────────────────────

    @property
    def legal(self) -> LegalActions:
        """What the seat to act may do; while discarding, the lowest seat still to discard."""
        return LegalActions.from_ids(legal_actions(self.vector, self.vector[TURN]))

    def legal_for(self, seat: Seat) -> LegalActions:
        """What a seat may do now; empty if it may not act."""
        return LegalActions.from_ids(legal_actions(self.vector, self.checked_seat(seat)))

    def play(self, action: Action | str, seat: Seat | None = None) -> Self:
        """Act for the seat on turn, or for the seat named; an illegal action raises `NotLegal`."""
        played = self.checked(action, seat)
        vector, log = self.vector.copy(), (*self.actions, played)
        act(vector, played.seat, played.action.id)
        if played.action.phase is Phase.DISCARD:
            log = tuple(sorted(log))  # simultaneous: by seat, not by time
        return self.trusted(self.setup, log, vector)

    def checked(self, action: Action | str, seat: Seat | None = None) -> Play:
        """Return what `play` would put into the log, or raise its error; nothing is played."""
        action = action if isinstance(action, Action) else Action(action)
        seat = self.vector[TURN] if seat is None else self.checked_seat(seat)
        if not legal_actions(self.vector, seat) >> action.id & 1:
            raise self._not_legal(action, seat)
        return Play(seat, action)

    def replay(self, actions: str) -> Self:
        """Play a line of actions: '-5 -3 =1 5b'. '2:-5' names a seat out of the usual order."""
        round = self
        for word in actions.split():
            seat, colon, action = word.rpartition(":")
            if colon and not (len(seat) == 1 and seat.isdecimal()):
                raise NotUnderstood(
                    "input.seat", f"{shortened(word)}: a seat number stands before ':'"
                )
            round = round.play(action, int(seat) if colon else None)
        return round

    def why(
        self, action: Action | str, seat: Seat | None = None, names: Sequence[str] = ()
    ) -> Refusal | None:
        """Explain why an action is illegal, by the seats' names if given; None if it is legal."""
        from .why import refusal  # noqa: PLC0415 (explaining is the rare path, and needs Round)

        action = action if isinstance(action, Action) else Action(action)
        seat = self.vector[TURN] if seat is None else self.checked_seat(seat)
        return refusal(self, seat, action, names)

    def explain_paradox(self) -> Paradox | None:
        """Show the causer's hand and why each card is impossible (R22); None without paradox."""
        from .paradox import explain  # noqa: PLC0415 (the rare path, and needs Round)

        return explain(self)

    def checked_seat(self, seat: Seat) -> Seat:
        """Return the number of a seat if there is such a seat, or raise `NotUnderstood`."""
        if not 0 <= seat < self.vector[PLAYERS]:
            sentence = f"there is no seat {seat}; seats are 0 to {self.vector[PLAYERS] - 1}"
            raise NotUnderstood("input.seat", sentence)
        return seat

    def _not_legal(self, action: Action, seat: Seat) -> NotLegal:
        refusal = self.why(action, None if seat == NOBODY else seat)
        assert refusal is not None, "an action outside the legal set has a reason"
        if refusal.code.startswith("turn."):
            return NotYourTurn(refusal)
        legal = LegalActions.from_ids(legal_actions(self.vector, seat))
        return NotLegal(refusal, f"; legal: {legal}" if legal else "")

    # ── Asking ───────────────────────────────────────────────────────────────────────────────

    @property
    def players(self) -> int:
        """How many seats."""
        return self.vector[PLAYERS]

    @property
    def face(self) -> Face:
        """The face of the research board."""
        return self.setup.face

    @property
    def starter(self) -> Seat:
        """The seat with the round start card (R1)."""
        return self.setup.starter

    @property
    def phase(self) -> Phase:
        """Discard, bid, play or over."""
        return PHASES[self.vector[PHASE]]

    @property
    def over(self) -> bool:
        """Whether the round has ended (R19, R21)."""
        return self.vector[PHASE] == layout.OVER

    @property
    def turn(self) -> Seat | None:
        """The seat to act; while discarding, the lowest seat still to discard."""
        return None if self.over else self.vector[TURN]

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Seats that may act: all that have not discarded, then one at a time, then none."""
        if self.vector[PHASE] == layout.DISCARDING:
            return tuple(seat for seat, rank in enumerate(self._seats(DISCARD)) if not rank)
        return () if self.vector[PHASE] == layout.OVER else (self.vector[TURN],)

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """The ranks in every hand, ascending (secret, R33)."""
        return tuple(unpacked(hand) for hand in self._seats(HAND))

    @property
    def discards(self) -> tuple[int | None, ...]:
        """The rank every seat set aside (secret, R33)."""
        return tuple(rank or None for rank in self._seats(DISCARD))

    @property
    def bids(self) -> tuple[int | None, ...]:
        """The bid of every seat."""
        return tuple(number or None for number in self._seats(BID))

    @property
    def won(self) -> tuple[int, ...]:
        """Tricks won by every seat."""
        return tuple(self._seats(WON))

    @property
    def tokens(self) -> tuple[tuple[Color, ...], ...]:
        """The color tokens every seat still holds (R13, R16)."""
        return tuple(
            tuple(color for color in Color if may >> layout.LANE * color & 1)
            for may in self._seats(MAY)
        )

    @property
    def board(self) -> Mapping[Cell, Seat]:
        """The owner of every taken cell, NEUTRAL (-1) for a neutral token (R6)."""
        ranks = self.setup.cards.ranks
        owners = {cell: self.owner(*cell) for cell in CELLS if cell[1] <= ranks}
        return {cell: owner for cell, owner in owners.items() if owner is not None}

    def owner(self, color: Color, rank: int) -> Seat | None:
        """Return the seat whose token lies on a cell, NEUTRAL for a neutral one; None if empty."""
        bit = layout.cell_bit(color, rank)
        if self.vector[FREE] & bit:
            return None
        for seat, own in enumerate(self._seats(OWN)):
            if own & bit:
                return seat
        return NEUTRAL

    @property
    def leader(self) -> Seat:
        """The seat that leads, or led, the current trick."""
        return self.vector[LEADER]

    @property
    def red_open(self) -> bool:
        """Whether red may be led: a player's token lies in the red row (R14a)."""
        return bool(self.vector[RED_OPEN])

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """All tricks; the last one may be incomplete, or interrupted by a paradox (R21)."""
        plays = [played for played in self.actions if played.action.color is not None]
        found: list[Trick] = []
        for first in range(0, len(plays), self.players):
            after = first + self.players
            winner = plays[after].seat if after < len(plays) else self.leader  # R10: it leads next
            complete = after <= len(plays)
            found.append(Trick(tuple(plays[first:after]), winner if complete else None))
        return tuple(found)

    @property
    def trick(self) -> tuple[Play, ...]:
        """The cards of the current trick, or of the one that a paradox interrupted."""
        tricks = self.tricks
        return tricks[-1].plays if tricks and tricks[-1].winner is None else ()

    @property
    def winning(self) -> Seat | None:
        """The seat whose card is winning the current trick so far (R18)."""
        return self.vector[BEST] & layout.SEAT if self.vector[TRICK] and not self.over else None

    @property
    def paradox(self) -> Seat | None:
        """The seat that caused a paradox (R20)."""
        return None if self.vector[PARADOX] == NOBODY else self.vector[PARADOX]

    @property
    def groups(self) -> tuple[int, ...]:
        """The largest group of own tokens of every seat on this face (R27)."""
        return tuple(largest_group(own, self.face.touch) for own in self._seats(OWN))

    def bonus_earned(self, seat: Seat) -> bool:
        """Whether a seat's tricks earn the bonus, as things stand (R24 to R26)."""
        return bonus_earned(self.vector, self.checked_seat(seat))

    def could_be(self, seat: Seat, rank: int) -> tuple[Color, ...]:
        """Return the colors a card of a seat could still be: open cell (R12), own token (R13)."""
        cells = self.vector[MAY + self.checked_seat(seat)] & self.vector[FREE]
        return tuple(color for color in Color if cells & layout.cell_bit(color, rank))

    def gives_up(self, action: Action) -> Color | None:
        """Return the color token that the seat on turn would lose by a play (R16)."""
        led = self.trick[0].action.color if self.trick else None
        seat = self.turn
        if led is None or seat is None or action.color is led or led not in self.tokens[seat]:
            return None
        return led

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Points of the round once it is over (R23 to R27)."""
        if not self.over:
            return None
        if not hasattr(self, "_scores"):
            seats, touch = range(self.players), self.face.touch
            self._scores = tuple(seat_score(self.vector, seat, touch) for seat in seats)
        return self._scores

    def _seats(self, slot: int) -> list[int]:
        return self.vector[slot : slot + self.vector[PLAYERS]]

    # ── Text ─────────────────────────────────────────────────────────────────────────────────

    @property
    def moves(self) -> str:
        """All actions in notation, as `replay` reads them."""
        words, waiting = [], list(range(self.players))
        for seat, action in self.actions:
            usual = action.phase is not Phase.DISCARD or seat == waiting[0]
            words.append(str(action) if usual else f"{seat}:{action}")
            if action.phase is Phase.DISCARD:
                waiting.remove(seat)
        return " ".join(words)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Round):
            return NotImplemented
        return self.setup == other.setup and self.actions == other.actions

    def __hash__(self) -> int:
        return hash((self.setup, self.actions))

    def __repr__(self) -> str:
        return f"Round({self.setup!r})" + (f".replay({self.moves!r})" if self.actions else "")

    def __str__(self) -> str:
        from .text import describe  # noqa: PLC0415 (drawing needs Round)

        return describe(self)
