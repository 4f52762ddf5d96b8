"""What messages show of a table: announcements, the parts for everybody, and `own` for one seat.

What everybody is shown of the cards comes from `views.public_round`, which reads public slots only,
and from a spectator's `View`; what one seat is shown, from its own cards (`views.mine`).
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from ..game import ACTIONS, Face, Game, Phase, Play, Round
from ..protocol import announcements
from ..protocol.announcements import Announcement, Spoken
from ..protocol.chat import ChatMessage
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
from ..rules.layout import COLUMN, MAX_RANK, MAX_SEATS
from ..views import Mine, events, public_round
from ..views.direct import color_letters
from .events import (
    Acted,
    CardsDealt,
    ClockRanOut,
    Left,
    Rematched,
    Revealed,
    Said,
    Started,
    TableEvent,
    Undone,
    UndoRefused,
)
from .live_views import LiveViews
from .seats import Bot, Empty, Occupant, Person
from .state import Table

COLUMNS: Final = [COLUMN << rank >> 1 for rank in range(MAX_RANK + 1)]  # the cells of a rank
CARDS: Final = {
    Play(seat, action): Card(seat, action.notation)
    for seat in range(MAX_SEATS)
    for action in ACTIONS
}


# ── Announcements ────────────────────────────────────────────────────────────────────────────


def announced(
    before: Table, event: TableEvent, after: Table, seen: tuple[events.Event, ...]
) -> list[Announcement]:
    """Return the announcements of an event; `seen` is what everybody saw of an action."""
    match event:
        case Acted():
            found: list[Announcement] = [announcements.BotMoved(event.seat)] if event.bot else []
            found += map(_seen, seen)
            if isinstance(seen[-1], events.RoundOver) and after.game and after.game.over:
                found.append(announcements.GameOver(after.game.totals, after.game.winners))
            return found
        case Started(starter) | Rematched(starter):
            return [announcements.GameBegan(after.games, starter)]
        case CardsDealt() if after.game is not None:
            return [announcements.RoundDealt(after.game.number, after.game.starter)]
        case Left(seat, kicked):
            return [announcements.SeatLeft(seat, before.seats[seat].name, kicked)]
        case Said():
            return [spoken(after.chat[-1])]
    return _ended(event)


def _ended(event: TableEvent) -> list[Announcement]:
    match event:
        case ClockRanOut(seat):
            return [announcements.TimeOut(seat)]
        case Undone(seat):
            return [announcements.TakenBack(seat)]
        case UndoRefused(by):
            return [announcements.UndoEnded(by)]
        case Revealed(secret, commitment):
            return [announcements.SecretShown(secret, commitment)]
    return []


def spoken(message: ChatMessage) -> Spoken:
    """Announce a chat message."""
    return Spoken(*message)


def _seen(event: events.Event) -> Announcement:
    match event:
        case events.Played(seat, action):
            return announcements.CardPlayed(seat, action.notation)
        case events.Discarded(seat):
            return announcements.CardDiscarded(seat)
        case events.BidMade(seat, number):
            return announcements.BidShown(seat, number)
        case events.TrickWon(seat):
            return announcements.TrickShown(seat)
        case events.ParadoxShown(seat, hand):
            return announcements.ParadoxRevealed(seat, hand)
        case events.RoundOver(scores):
            return announcements.RoundEnded(scores)
    raise AssertionError(f"{event!r} is no event of a round that everybody sees")


# ── Parts for everybody ──────────────────────────────────────────────────────────────────────


def seats(table: Table) -> Seats:
    """Return who sits where."""
    return Seats(tuple(map(_seat, table.seats)), table.seat_of(table.host))


def _seat(who: Occupant) -> SeatShown:
    match who:
        case Person(name, here=here, covered=covered, cat=cat):
            return SeatShown("person", name, here, covered, cat)
        case Bot():
            return SeatShown("bot", who.name, here=True, covered=False)
        case Empty():
            return SeatShown("empty", "", here=False, covered=False)


def room(table: Table) -> Room:
    """Return the stage of the table."""
    offer = table.undo and Request(table.undo.seat, table.undo.agreed)
    return Room(table.stage, table.ready, table.paused, offer, table.commitment)


def turn(table: Table) -> Turn:
    """Return whose move is due."""
    deadlines: tuple[int | None, ...] = (None,) * len(table.seats)
    if table.settings.clock:
        deadlines = tuple([table.deadline(seat) for seat in range(len(table.seats))])
    return Turn(table.turn, table.to_act, deadlines, table.bank)


def game(table: Table) -> GameShown | None:
    """Return the game so far; None before the first one."""
    return None if table.game is None else game_of(table.game, table.games)


def game_of(game: Game, number: int) -> GameShown:
    """Return a game by its number at the table; its secret is revealed at its end (R33)."""
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
    public = public_round(views.round)
    return RoundShown(
        phase=public.phase.value,
        starter=public.starter,
        leader=public.leader,
        red_open=public.red_open,
        trick=tuple(map(CARDS.__getitem__, public.trick)),
        winning=public.winning,
        last_trick=tuple(map(CARDS.__getitem__, public.last_trick)),
        board=public.board_rows,
        groups=public.groups,
        tokens=public.token_letters,
        hand_sizes=public.hand_sizes,
        discarded=public.discarders,
        bids=public.bids,
        won=public.won,
        turned_up=public.turned_up,
        end=_end(views.round, names) if public.phase is Phase.OVER else None,
        moves=views.moves,
    )


def _end(round: Round, names: tuple[str, ...]) -> Ending:
    """Return how a round ended; of all hands, only that of a paradox is shown (R22)."""
    assert round.scores is not None
    paradox = round.explain_paradox()
    if paradox is None:
        return Ending(round.scores, None, (), ())
    return Ending(round.scores, paradox.seat, paradox.hand, tuple(paradox.sentences(names)))


# ── One seat ─────────────────────────────────────────────────────────────────────────────────


def own(mine: Mine) -> Own:
    """Return what a seat is shown of its own cards, and what it may do with them."""
    could_be, hand = mine.could_be, []
    for rank, copies in enumerate(f"{mine.hand:o}"[::-1], start=1):
        if copies != "0":
            hand.append(_held(rank, copies, could_be & COLUMNS[rank]))
    return Own(tuple(hand), mine.discard or None, mine.notations if mine.legal else ())


@cache
def _held(rank: int, copies: str, cells: int) -> Held:
    """Return the cards of a rank and the colors they could still be; each kind is made once."""
    return Held(rank, int(copies), color_letters(cells))
