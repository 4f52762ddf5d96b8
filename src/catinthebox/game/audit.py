"""Laws that every round must obey, checked on the state itself: `audit` names each broken one.

The engine keeps several representations of the same thing (hands as counts and as cells, free cells
and owned cells); the audit recomputes one from the other and from the history.

>>> from .round import Round
>>> audit(Round.deal(("1223345566", "1123344556", "1122344566")))
[]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from ..rules import layout
from ..rules.layout import (
    COLUMN,
    COPIES,
    FREE,
    HELD,
    LEFT,
    LEGAL,
    MAY,
    OWN,
    ROW,
    TRICK,
)
from ..rules.round import legal_cells
from .action import Phase
from .color import Color

if TYPE_CHECKING:
    from .round import Round


class Broken(NamedTuple):
    """An invariant that does not hold."""

    name: str
    clause: str
    message: str


Check = Callable[["Round"], Iterator[Broken]]


def audit(round: Round) -> list[Broken]:
    """Return every broken invariant of a round; an empty list means that all hold."""
    return [broken for check in CHECKS for broken in check(round)]


def _cards(round: Round) -> Iterator[Broken]:
    """What was dealt is in hand, on the board or set aside (R5, R7, R11)."""
    for seat, hand in enumerate(round.setup.hands):
        played = [action.rank for who, action in round.actions if who == seat and action.rank]
        now = Counter([*round.hands[seat], *played])
        if now != Counter(map(int, hand)):
            yield Broken("cards", "R5", f"seat {seat} was dealt {hand} and now accounts for {now}")


def _copies(round: Round) -> Iterator[Broken]:
    """Five of each rank, never more (R5)."""
    cards = Counter(rank for hand in round.hands for rank in hand)
    cards.update(action.rank for _, action in round.actions if action.rank)
    cards.update(map(int, round.setup.aside))
    for rank, number in cards.items():
        if number > COPIES:
            yield Broken("copies", "R5", f"there are {number} cards of rank {rank}")


def _held(round: Round) -> Iterator[Broken]:
    """The cells a hand could become follow from its counts (R11)."""
    for seat, hand in enumerate(round.hands):
        expected = sum(1 << rank - 1 for rank in set(hand)) * COLUMN
        if round.vector[HELD + seat] != expected:
            yield Broken("held", "R11", f"seat {seat}'s cells do not match its hand {hand}")


def _cells(round: Round) -> Iterator[Broken]:
    """A cell has one owner, or is neutral, or is free (R12)."""
    in_play = ((1 << round.setup.cards.ranks) - 1) * COLUMN
    seen = round.vector[FREE]
    for seat in range(round.players):
        if seen & round.vector[OWN + seat]:
            yield Broken("cells", "R12", f"a cell of seat {seat} is also free or somebody else's")
        seen |= round.vector[OWN + seat]
    neutral = in_play & ~seen
    if seen & ~in_play:
        yield Broken("cells", "R12", "a token or free cell lies outside the ranks in play")
    if neutral.bit_count() != len(round.setup.turned_up):
        yield Broken("neutral", "R6", f"{neutral.bit_count()} neutral tokens lie on the board")
    if neutral & ROW:
        yield Broken("neutral", "R6", "a neutral token lies on red")


def _tokens(round: Round) -> Iterator[Broken]:
    """A seat keeps whole rows of colors (R13), at least one (R17), and loses them by R16 only."""
    lost: list[set[Color]] = [set() for _ in range(round.players)]
    for trick in round.tricks:
        for seat, action in trick.plays:
            if trick.led is not None and action.color is not trick.led:
                lost[seat].add(trick.led)
    for seat, tokens in enumerate(round.tokens):
        rows = sum(ROW << layout.LANE * color for color in tokens)
        if rows != round.vector[MAY + seat]:
            yield Broken("rows", "R13", f"seat {seat} holds part of a color")
        if not tokens:
            yield Broken("last token", "R17", f"seat {seat} holds no color at all")
        if set(tokens) != set(Color) - lost[seat]:
            yield Broken("lost tokens", "R16", f"seat {seat} holds {tokens}, gave up {lost[seat]}")


def _red(round: Round) -> Iterator[Broken]:
    """Red is open exactly if a player's token lies in the red row (R14)."""
    if round.red_open != any(own & ROW for own in round.vector[OWN : OWN + round.players]):
        yield Broken("red", "R14", f"red is marked {'open' if round.red_open else 'closed'}")


def _tricks(round: Round) -> Iterator[Broken]:
    """Tricks won and tricks left add up (R19); hands shrink together (R10)."""
    total = round.setup.cards.tricks
    if sum(round.won) + round.vector[LEFT] != total:
        yield Broken("tricks", "R19", f"{round.won} won and {round.vector[LEFT]} left of {total}")
    sizes = {len(hand) for hand in round.hands}
    if max(sizes) - min(sizes) > 1:
        yield Broken("hand sizes", "R10", f"hands of {sorted(sizes)} cards at one table")
    table = sum(_bit(action.color, action.rank) for _, action in round.trick)
    if table != round.vector[TRICK]:
        yield Broken("trick", "R11", "the cards on the table are not those of the history")


def _turn(round: Round) -> Iterator[Broken]:
    """The seat on turn can play (R20), and the stored legal cells are correct."""
    seat = round.turn
    playing = round.phase is Phase.PLAY
    expected = legal_cells(round.vector, seat) if playing and seat is not None else 0
    if round.vector[LEGAL] != expected:
        yield Broken("legal", "R12", "the stored legal cells are out of date")
    if playing and not expected:
        yield Broken("paradox", "R20", f"seat {seat} cannot play, and the round goes on")
    if round.paradox is not None and legal_cells(round.vector, round.paradox):
        yield Broken("paradox", "R20", f"seat {round.paradox} could have played")


def _end(round: Round) -> Iterator[Broken]:
    """Without a paradox everybody ends with one card (R19), and F1 counts the empty cells."""
    if not round.over or round.paradox is not None:
        return
    if any(len(hand) != 1 for hand in round.hands):
        yield Broken("last card", "R19", f"hands at the end: {round.hands}")
    cells = round.vector[FREE].bit_count()
    taken = len(round.board) - len(round.setup.turned_up)
    if taken != round.players * round.setup.cards.tricks:
        yield Broken("empty cells", "F1", f"{taken} tokens lie, {cells} cells are empty")


def _replay(round: Round) -> Iterator[Broken]:
    """The history, played again from the set-up, leads to this state."""
    again = type(round)(round.setup).replay(round.moves)
    if again.vector != round.vector:
        yield Broken("replay", "R11", "the history does not lead to this state")


def _bit(color: Color | None, rank: int) -> int:
    assert color is not None
    return layout.cell_bit(color, rank)


CHECKS: Final[tuple[Check, ...]] = (
    _cards,
    _copies,
    _held,
    _cells,
    _tokens,
    _red,
    _tricks,
    _turn,
    _end,
    _replay,
)
