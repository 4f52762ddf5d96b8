"""What one seat may know of a round, in the same words as `Round`; built up from events.

>>> from catinthebox.game import Round
>>> round = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> view = View.of(round.replay("-2 -3 -4 =1 =3 =4 5b"), seat=1)
>>> view.hand, view.discard, view.hand_sizes, view.turn
((1, 1, 2, 3, 4, 4, 5, 5, 6), 3, (8, 9, 9), 1)
>>> print(view.why("5b"))
blue 5 is already on the board (seat 0); your 5 can still be red, yellow or green (R12)
>>> view.worlds()
13592
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Self

from ..game import Action, LegalActions, NotUnderstood, Phase, Play, Refusal, Round
from ..game.hands import unpacked
from ..game.round import Seat
from ..rules.actions import cell_of_action, legal_actions
from ..rules.layout import DISCARD, HAND, SEAT, State
from ..rules.worlds import bar, unseen
from . import count, notation, sample
from .events import (
    BidMade,
    Dealt,
    Discarded,
    Event,
    MyDiscard,
    ParadoxShown,
    Played,
    TrickWon,
    opening,
    visible,
)
from .public_facts import PublicFacts
from .table import acted, discarded, opened, stopped, table

WATCHING = Refusal("turn.not_yours", "R10", "a spectator does not act")


class View(PublicFacts):
    """What a seat knows at one moment; immutable, further events return a new view."""

    __slots__ = ("_barred",)

    _barred: int  # what a red lead has proved (R14b), as `rules.worlds` carries it

    def __init__(self, dealt: Dealt) -> None:
        if len(dealt.totals) not in (0, dealt.players) or dealt.rounds_left < 0:
            sentence = f"{len(dealt.totals)} totals, {dealt.rounds_left} rounds left"
            sentence += f"; {dealt.players} players have {dealt.players} totals, or none"
            raise NotUnderstood("input.option", sentence)
        self._dealt = dealt
        self._table = opened(dealt)
        self._barred = 0

    @classmethod
    def of(
        cls,
        round: Round,
        seat: Seat | None = None,
        totals: tuple[int, ...] = (),
        rounds_left: int = 0,
    ) -> Self:
        """Build a seat's view of the whole history of a round; without a seat, a spectator's.

        `totals` and `rounds_left` say how the game stood before the round, if it is part of one.
        """
        seat = seat if seat is None else round.checked_seat(seat)
        view = cls(opening(round, seat, totals, rounds_left))
        before = Round(round.setup)
        for played in round.actions:
            after = before.play(played.action, played.seat)
            view = view.see(*visible(before, played, after, seat))
            before = after
        return view

    # ── Seeing ───────────────────────────────────────────────────────────────────────────────

    def see(self, *events: Event) -> Self:
        """Return the view after some events."""
        view = self
        for event in events:
            view = view._saw(event)
        return view

    def _saw(self, event: Event) -> Self:
        """Return the view after one event: the only place where views change."""
        match event:
            case Played() | BidMade():
                return self._acted(event.play)
            case Dealt():
                return type(self)(event)
            case Discarded(seat):
                return self._with(discarded(self._table, self._dealt, seat))
            case MyDiscard(seat, rank):
                v = discarded(self._table, self._dealt, seat, rank)
                return self._with(v, Play(seat, Action.discard(rank)))
            case ParadoxShown(seat, hand):
                return self._with(stopped(self._table, seat, hand))
            case TrickWon(seat):
                assert seat == self.leader, "the rules name another winner"
            case _:
                assert event.scores == self.scores, "the rules count other scores"
        return self

    def _acted(self, played: Play) -> Self:
        assert played.seat == self.turn, f"it is seat {self.turn}'s turn, not seat {played.seat}'s"
        return self._with(acted(self._table, self._dealt, played), played)

    def _with(self, v: State, *log: Play) -> Self:
        """The view after a vector and an entry of the log have changed."""
        following = object.__new__(type(self))
        following._dealt = self._dealt
        following._table = table(self._table.setup, (*self._table.actions, *log), v)
        following._barred = self._barred
        for played in log:
            following._barred = self._proved(played)
        return following

    def _proved(self, played: Play) -> int:
        if played.action.phase is not Phase.PLAY:
            return self._barred
        return bar(self._table.vector, cell_of_action(played.action.id), self._barred)

    def replay(self, moves: str) -> Self:
        """See a line of words, as `moves` writes them: '-2 1:-? 2:-? =1 5b'."""
        view = self
        for word in moves.split():
            view = view.see(notation.event(view, word))
        return view

    # ── The own seat ─────────────────────────────────────────────────────────────────────────

    @property
    def seat(self) -> Seat | None:
        """Whose view it is; None for a spectator."""
        return self._dealt.seat

    @property
    def dealt(self) -> Dealt:
        """How the round began for this seat."""
        return self._dealt

    @property
    def hand(self) -> tuple[int, ...]:
        """The ranks in the own hand, ascending."""
        return () if self.seat is None else unpacked(self._v[HAND + self.seat])

    @property
    def discard(self) -> int | None:
        """The rank the own seat set aside (R7)."""
        return None if self.seat is None else self._v[DISCARD + self.seat] or None

    @property
    def legal(self) -> LegalActions:
        """What the own seat may do now; empty if it may not act."""
        if self.seat is None:
            return LegalActions()
        return LegalActions.from_ids(legal_actions(self._v, self.seat))

    def why(self, action: Action | str) -> Refusal | None:
        """Explain why the own seat may not do this now; None if it may."""
        return WATCHING if self.seat is None else self._table.why(action, self.seat)

    # ── What follows from it ─────────────────────────────────────────────────────────────────

    @property
    def unseen(self) -> Mapping[int, int]:
        """The cards that lie in no place this seat can see: rank → how many."""
        return Counter(unpacked(unseen(self._v)))

    @property
    def cannot_hold(self) -> tuple[tuple[int, ...], ...]:
        """For every seat the ranks that its play has excluded from its hand (R14b)."""
        barred = count.barred_ranks(self._barred)
        ranks = tuple(rank for rank in range(1, self.ranks + 1) if barred >> rank - 1 & 1)
        return tuple(ranks if seat == self._barred & SEAT else () for seat in range(self.players))

    def worlds(self) -> int:
        """Count the worlds that agree with this view: which ranks lie in which hidden pile."""
        return count.counted(self._v, self._barred, physical=False)

    def arrangements(self) -> int:
        """Count the ways to lay the unseen physical cards into the hidden piles."""
        return count.counted(self._v, self._barred, physical=True)

    @property
    def vector(self) -> State:
        """Everything seen, as the vector of the rules (`rules.sight.observe`): a copy."""
        return self._v.copy()

    @property
    def proved(self) -> int:
        """What a red lead has proved (R14b), as `rules.worlds.complete` takes it."""
        return self._barred

    def sample(self, chance: Random | int) -> Round:
        """Return a round that agrees with this view, every arrangement equally likely."""
        return sample.sampled(self._dealt, self._table, self._barred, sample.generator(chance))

    # ── Text ─────────────────────────────────────────────────────────────────────────────────

    @property
    def moves(self) -> str:
        """Everything seen, as `replay` reads it."""
        return notation.moves(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        known, others = self._table.vector, other._table.vector
        return (self._dealt, known, self.actions) == (other._dealt, others, other.actions)

    def __hash__(self) -> int:
        return hash((self._dealt, tuple(self._v), self.actions))

    def __repr__(self) -> str:
        moves = self.moves
        return f"View({self._dealt!r})" + (f".replay({moves!r})" if moves else "")

    def __str__(self) -> str:
        from .text import describe  # noqa: PLC0415 (drawing needs View)

        return describe(self)

    def __reduce__(self) -> tuple[Callable[[Dealt, str], View], tuple[Dealt, str]]:
        return _again, (self._dealt, self.moves)


def _again(dealt: Dealt, moves: str) -> View:
    """Rebuild a view from its parts."""
    return View(dealt).replay(moves)
