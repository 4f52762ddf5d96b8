"""The parts of a table as they may be shown: the shared ones to everybody, `own` to one seat.

What everybody learns of the cards comes out of the public view (`View` of a spectator), so there
is nothing hidden in its making; what one seat learns, out of its own cards (`views.mine`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final

from ..game import Color, Face, LegalActions, Play
from ..rules.layout import (
    COLUMN,
    COUNT,
    COUNT_BITS,
    FREE,
    GREEN,
    LANE,
    LEADER,
    MAY,
    OWN,
    PLAYERS,
    RED_OPEN,
    ROW,
    STARTER,
    State,
)
from ..rules.score import largest_group
from ..rules.sight import hand_size
from ..views import Mine, View
from . import clock
from .parts import (
    Card,
    GameShown,
    Held,
    Own,
    Request,
    Room,
    RoundShown,
    Seats,
    SeatShown,
    Turn,
)
from .seats import Bot, Empty, Person, Seat
from .state import Table

EMPTY: Final = "."
NEUTRAL: Final = "*"
ROWS: Final = range(0, LANE * GREEN + 1, LANE)  # where the row of each color begins
CELLS: Final = range(LANE * (GREEN + 1))


# ── Everybody ────────────────────────────────────────────────────────────────────────────────


def seats(table: Table) -> Seats:
    """Show who sits where."""
    return Seats(tuple(map(_seat, table.seats)), table.seat_of(table.host))


def _seat(who: Seat) -> SeatShown:
    match who:
        case Person(name, here=here, covered=covered):
            return SeatShown("person", name, here, covered)
        case Bot():
            return SeatShown("bot", who.name, here=True, covered=False)
        case Empty():
            return SeatShown("empty", "", here=False, covered=False)


def room(table: Table) -> Room:
    """Show where the table stands."""
    offer = table.undo and Request(table.undo.seat, table.undo.agreed)
    return Room(table.stage, table.ready, table.paused, offer, table.commitment)


def turn(table: Table) -> Turn:
    """Show whose move is due."""
    seats = range(len(table.seats))
    clocks = table.settings.clock
    deadlines = tuple(clock.deadline(table, seat) if clocks else None for seat in seats)
    return Turn(table.turn, table.to_act, deadlines, table.bank)


def game(table: Table) -> GameShown | None:
    """Show the game so far; None before the first one."""
    game = table.game
    if game is None or game.fairness is None:
        return None
    promise = game.fairness
    return GameShown(
        number=table.games,
        names=game.names,
        face=_face(game.face),
        house_rules=game.house_rules,
        starter=game.starter_of_game,
        round=game.number,
        scores=game.scores,
        totals=game.totals,
        winners=game.winners,
        commitment=promise.commitment,
        nonces=tuple(nonce.hex() for nonce in promise.nonces),
        secret="" if promise.secret is None else promise.secret.hex(),
    )


@cache
def _face(face: Face) -> str:
    return str(face)


def round_of(seen: View, names: tuple[str, ...]) -> RoundShown:
    """Show the round, by what everybody has seen of it."""
    v = seen.vector
    seats = range(v[PLAYERS])
    return RoundShown(
        phase=seen.phase.value,
        starter=v[STARTER],
        leader=v[LEADER],
        red_open=v[RED_OPEN] == 1,
        trick=_cards(seen.trick),
        winning=seen.winning,
        last_trick=_cards(seen.last_trick),
        board=_board(v, seen.ranks),
        groups=tuple([_group(v[OWN + seat], seen.face) for seat in seats]),
        tokens=tuple([_colors(v[MAY + seat]) for seat in seats]),
        hand_sizes=tuple([hand_size(v, seat) for seat in seats]),
        discarded=seen.discarders,
        bids=seen.bids,
        won=seen.won,
        turned_up=seen.turned_up,
        paradox=seen.paradox,
        revealed=seen.revealed or (),
        reasons=_reasons(seen, names),
        scores=seen.scores,
        moves=seen.moves,
    )


def _cards(plays: Iterable[Play]) -> tuple[Card, ...]:
    return tuple([Card(seat, action.notation) for seat, action in plays])


def _board(v: State, ranks: int) -> tuple[str, ...]:
    """The rows of the board: first every cell without a token, then the tokens of each seat."""
    cells = [EMPTY if v[FREE] >> cell & 1 else NEUTRAL for cell in CELLS]
    for seat in range(v[PLAYERS]):
        own = v[OWN + seat]
        while own:
            cells[(own & -own).bit_length() - 1] = str(seat)
            own &= own - 1
    return tuple(["".join(cells[row : row + ranks]) for row in ROWS])


@lru_cache(maxsize=16_384)
def _group(tokens: int, face: Face) -> int:
    """The largest group of tokens; a move changes that of one seat at most."""
    return largest_group(tokens, face.touch)


@cache
def _colors(cells: int) -> str:
    """The colors in which a set of cells has one: of rows, or of the cells of a rank."""
    return "".join([color.letter for color in Color if cells >> LANE * color & ROW])


def _reasons(seen: View, names: tuple[str, ...]) -> tuple[str, ...]:
    paradox = seen.explain_paradox()
    return () if paradox is None else tuple(paradox.sentences(names))


# ── One seat ─────────────────────────────────────────────────────────────────────────────────


def own(mine: Mine) -> Own:
    """Show a seat its own cards, and what it may do with them."""
    legal = tuple([action.notation for action in LegalActions.from_ids(mine.legal)])
    return Own(tuple(_hand(mine)), mine.discard or None, legal)


def _hand(mine: Mine) -> list[Held]:
    """The ranks in a hand, ascending."""
    hand, could_be, held, place = mine.hand, mine.could_be, [], 0
    while hand:
        if hand & COUNT:
            held.append(_held(place + 1, hand & COUNT, could_be & COLUMN << place))
        hand >>= COUNT_BITS
        place += 1
    return held


@cache
def _held(rank: int, copies: int, cells: int) -> Held:
    """A rank in a hand; there are few enough to keep them all."""
    return Held(rank, copies, _colors(cells))
