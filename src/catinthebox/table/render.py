"""The parts of a table as they may be shown: the shared ones to everybody, `own` to one seat.

What everybody learns of the cards comes out of the public view (`View` of a spectator), so there
is nothing hidden in its making; what one seat learns, out of its own cards (`views.mine`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final

from ..game import ACTIONS, Color, Face, Game, Play
from ..game.action import PHASES
from ..protocol.parts import (
    Card,
    Ending,
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
from ..rules.layout import (
    BEST,
    BID,
    BOARD,
    COLUMN,
    DISCARD,
    FREE,
    GREEN,
    LANE,
    LEADER,
    MAX_RANK,
    MAX_SEATS,
    MAY,
    OVER,
    OWN,
    PHASE,
    PLAYERS,
    RED_OPEN,
    ROW,
    SEAT,
    STARTER,
    TRICK,
    WON,
    State,
)
from ..rules.score import largest_group
from ..rules.sight import hand_size
from ..views import Mine, View
from .live_views import LiveViews
from .seats import Bot, Empty, Person, Seat
from .state import Table

EMPTY, NEUTRAL, OWNER = b".*0"  # cells of the board: no token, a neutral one, that of seat 0
LANES: Final = range(0, LANE * GREEN + 1, LANE)  # where the row of each color begins
LETTERS: Final = [color.letter for color in Color]
APART: Final = [sum((row >> i & 1) << 8 * i for i in range(MAX_RANK)) for row in range(ROW + 1)]
COLUMNS: Final = [COLUMN << rank >> 1 for rank in range(MAX_RANK + 1)]  # the cells of a rank
NOTATIONS: Final = [action.notation for action in ACTIONS]
CARDS: Final = [[Card(seat, word) for word in NOTATIONS] for seat in range(MAX_SEATS)]


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
    deadlines: tuple[int | None, ...] = (None,) * len(table.seats)
    if table.settings.clock:
        deadlines = tuple([table.deadline(seat) for seat in range(len(table.seats))])
    return Turn(table.turn, table.to_act, deadlines, table.bank)


def game(table: Table) -> GameShown | None:
    """Show the game so far; None before the first one."""
    return None if table.game is None else game_of(table.game, table.games)


def game_of(game: Game, number: int) -> GameShown:
    """Show a game; `number` is its number at the table. Its secret is told at its end (R33)."""
    promise = game.fairness
    secret = promise.secret if promise is not None and game.over else None
    return GameShown(
        number=number,
        names=game.names,
        face=_face(game.face),
        house_rules=game.house_rules,
        starter=game.starter_of_game,
        round=game.number,
        scores=game.scores,
        totals=game.totals,
        winners=game.winners,
        commitment=promise.commitment if promise is not None else "",
        nonces=tuple(nonce.hex() for nonce in promise.nonces) if promise is not None else (),
        secret=secret.hex() if secret is not None else "",
    )


@lru_cache(maxsize=64)
def _face(face: Face) -> str:
    return str(face)


def round_of(views: LiveViews, names: tuple[str, ...]) -> RoundShown:
    """Return the round as everybody sees it."""
    v, round = views.public_vector(), views.round
    setup, players = round.setup, v[PLAYERS]
    trick, last_trick = _tricks(v, round.actions)
    return RoundShown(
        phase=PHASES[v[PHASE]].value,
        starter=v[STARTER],
        leader=v[LEADER],
        red_open=v[RED_OPEN] == 1,
        trick=trick,
        winning=v[BEST] & SEAT if trick and v[PHASE] != OVER else None,
        last_trick=last_trick,
        board=_board(v, setup.cards.ranks),
        groups=tuple(map(_grouper(setup.face), v[OWN : OWN + players])),
        tokens=tuple(map(_colors, v[MAY : MAY + players])),
        hand_sizes=tuple([hand_size(v, seat) for seat in range(players)]),
        discarded=tuple([seat for seat in range(players) if v[DISCARD + seat]]),
        bids=tuple([bid or None for bid in v[BID : BID + players]]),
        won=tuple(v[WON : WON + players]),
        turned_up=tuple(map(int, setup.turned_up)),
        end=_end(views.of(None), names) if v[PHASE] == OVER else None,
        moves=views.moves,
    )


def _tricks(v: State, plays: tuple[Play, ...]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the current trick and the last one that was won: both are at the end of all plays."""
    end = len(plays) - v[TRICK].bit_count()
    last = plays[end - v[PLAYERS] : end] if any(v[WON : WON + v[PLAYERS]]) else ()
    return _cards(plays[end:]), _cards(last)


def _cards(plays: tuple[Play, ...]) -> tuple[Card, ...]:
    return tuple([CARDS[seat][action.id] for seat, action in plays])


def _board(v: State, ranks: int) -> tuple[str, ...]:
    """The rows of the board as text, red first.

    All cells begin as neutral ones; what makes them another character is added to them.
    """
    cells = ALL_NEUTRAL + (EMPTY - NEUTRAL) * _apart(v[FREE])
    for seat, own in enumerate(v[OWN : OWN + v[PLAYERS]], start=OWNER - NEUTRAL):
        cells += seat * _apart(own)
    text = cells.to_bytes(LANE * len(Color), "little").decode()
    return tuple([text[lane : lane + ranks] for lane in LANES])


@lru_cache(maxsize=16_384)
def _apart(cells: int) -> int:
    """A set of cells as bytes of a number, 1 for each; a move changes those of one seat."""
    red, blue, yellow, green = [APART[cells >> lane & ROW] for lane in LANES]
    return red | blue << 8 * LANE | yellow << 16 * LANE | green << 24 * LANE


ALL_NEUTRAL: Final = NEUTRAL * _apart(BOARD)


@lru_cache(maxsize=64)
def _grouper(face: Face) -> Callable[[int], int]:
    """Return what finds the largest group of tokens; a move changes that of one seat at most."""
    touch = face.touch
    return lru_cache(maxsize=16_384)(lambda tokens: largest_group(tokens, touch))


@cache
def _colors(cells: int) -> str:
    """The colors in which a set of cells has one: of rows, or of the cells of a rank."""
    found = [letter for letter, lane in zip(LETTERS, LANES, strict=True) if cells >> lane & ROW]
    return "".join(found)


def _end(seen: View, names: tuple[str, ...]) -> Ending:
    assert seen.scores is not None
    paradox = seen.explain_paradox()
    reasons = () if paradox is None else tuple(paradox.sentences(names))
    return Ending(seen.scores, seen.paradox, seen.revealed or (), reasons)


# ── One seat ─────────────────────────────────────────────────────────────────────────────────


def own(mine: Mine) -> Own:
    """Return what a seat is shown of its own cards, and what it may do with them."""
    legal, ids = [], mine.legal
    while ids:  # a set of actions, as `LegalActions` holds them
        legal.append(NOTATIONS[(ids & -ids).bit_length() - 1])
        ids &= ids - 1
    hand = [  # a hand has three bits for each rank: an octal digit, rank 1 last
        _held(rank, copies, mine.could_be & COLUMNS[rank])
        for rank, copies in enumerate(f"{mine.hand:o}"[::-1], start=1)
        if copies != "0"
    ]
    return Own(tuple(hand), mine.discard or None, tuple(legal))


@cache
def _held(rank: int, copies: str, cells: int) -> Held:
    """A rank in a hand; there are few enough to keep them all."""
    return Held(rank, int(copies), _colors(cells))
