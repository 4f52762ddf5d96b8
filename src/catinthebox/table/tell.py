"""The one place where a table becomes something that may be sent.

What an audience learns of the cards goes through `views`: a round is shown only as the view of
that seat, or of a spectator (None). The law, tested on bytes: in two games that an audience cannot
tell apart, it gets the same frames and the same snapshots.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from ..game import Action, CatInTheBoxError, Color, Face, Play
from ..game.round import Cell
from ..views import View, events, visible
from . import clock, messages
from .events import (
    Acted,
    ClockRanOut,
    Dealt,
    Entry,
    Left,
    Rematched,
    Revealed,
    Said,
    Started,
    TableEvent,
    Undone,
    UndoRefused,
)
from .fold import apply
from .messages import (
    Card,
    Done,
    Frame,
    GameShown,
    Held,
    News,
    Refused,
    Request,
    Room,
    RoundShown,
    Seats,
    SeatShown,
    Snapshot,
    Spoken,
    Token,
    Turn,
    Why,
)
from .seats import Bot, Empty, Person, Seat
from .state import Line, Table

Audience = int | None  # a seat, or None for a spectator


# ── Events ───────────────────────────────────────────────────────────────────────────────────


def told(before: Table | None, entry: Entry, after: Table, audience: Audience) -> Frame:
    """Give what an audience learns of an event that leads from a table to the next."""
    happened = () if before is None else _happened(before, entry.event, after, audience)
    news = (*happened, *_changed(before, after, audience))
    return Frame(after.version, entry.at, news, _ack(entry, after, audience))


def tell(table: Table, entries: Iterable[Entry], audience: Audience) -> list[Frame]:
    """Give the frames of some entries that were just written down."""
    frames = []
    for entry in entries:
        after = apply(table, entry)
        frames.append(told(table, entry, after, audience))
        table = after
    return frames


def resend(log: Iterable[Entry], version: int, audience: Audience) -> list[Frame]:
    """Give the frames after a version again, from the whole log."""
    frames: list[Frame] = []
    table: Table | None = None
    for entry in log:
        after = apply(table, entry)
        if after.version > version:
            frames.append(told(table, entry, after, audience))
        table = after
    return frames


def _ack(entry: Entry, after: Table, audience: Audience) -> str:
    """An audience is told the id of its own command only."""
    if entry.receipt is None or audience is None or after.seat_of(entry.receipt.who) != audience:
        return ""
    return entry.receipt.command


def _happened(
    before: Table, event: TableEvent, after: Table, audience: Audience
) -> tuple[News, ...]:
    """What is worth showing by itself, in order."""
    match event:
        case Acted(seat, action, bot):
            moved = (messages.BotMoved(seat),) if bot else ()
            return (*moved, *_seen(before, Play(seat, action), after, audience))
        case Started(starter) | Rematched(starter):
            return (messages.GameBegan(after.games, starter),)
        case Dealt() if after.game is not None:
            return (messages.RoundDealt(after.game.number, after.game.starter),)
        case Said() | Left():
            return (_person_did(before, event, after),)
        case ClockRanOut(seat):
            return (messages.TimeOut(seat),)
    return _ended(event, after)


def _person_did(before: Table, event: Said | Left, after: Table) -> News:
    if isinstance(event, Said):
        return _spoken(after.chat[-1])
    return messages.SeatLeft(event.seat, before.seats[event.seat].name, event.kicked)


def _ended(event: TableEvent, after: Table) -> tuple[News, ...]:
    match event:
        case Undone(seat):
            return (messages.TakenBack(seat),)
        case UndoRefused(by):
            return (messages.UndoEnded(by),)
        case Revealed(secret, commitment):
            return (messages.SecretShown(secret, commitment),)
    return ()


def _seen(before: Table, played: Play, after: Table, audience: Audience) -> Iterator[News]:
    """An action as an audience sees it; `visible` decides what that is."""
    assert before.round is not None
    assert after.round is not None
    for event in visible(before.round, played, after.round, audience):
        yield _news(event)
    if after.stage == "over" and after.game is not None:
        yield messages.GameOver(after.game.totals, after.game.winners)


def _news(event: events.Event) -> News:
    match event:
        case events.Discarded(seat):
            return messages.CardDiscarded(seat, None)
        case events.MyDiscard(seat, rank):
            return messages.CardDiscarded(seat, rank)
        case events.BidMade(seat, number):
            return messages.BidMade(seat, number)
        case events.Played(seat, action):
            return messages.CardPlayed(seat, str(action))
    return _news_of_end(event)


def _news_of_end(event: events.Event) -> News:
    match event:
        case events.TrickWon(seat):
            return messages.TrickWon(seat)
        case events.ParadoxShown(seat, hand):
            return messages.ParadoxShown(seat, hand)
        case events.RoundOver(scores):
            return messages.RoundOver(scores)
    raise AssertionError(f"{event!r} is no event of a round in play")


# ── Parts of the table ───────────────────────────────────────────────────────────────────────


def _changed(before: Table | None, after: Table, audience: Audience) -> Iterator[News]:
    """The parts of the table that are different now."""
    if before is None or _seats(before) != _seats(after):
        yield _seats(after)
    if before is None or _room(before) != _room(after):
        yield _room(after)
    if before is None or before.game is not after.game:
        yield from _game_changed(before, after)
    if after.round is not None and (before is None or before.round is not after.round):
        yield _round(after, audience)
    if before is None or _turn(before) != _turn(after):
        yield _turn(after)


def _game_changed(before: Table | None, after: Table) -> Iterator[News]:
    game = _game(after)
    if game is not None and (before is None or _game(before) != game):
        yield game


def snapshot(table: Table, audience: Audience) -> Snapshot:
    """Give everything an audience may know."""
    return Snapshot(
        version=table.version,
        at=table.at,
        table=table.id,
        seat=audience,
        settings=table.settings,
        seats=_seats(table),
        room=_room(table),
        game=_game(table),
        round=None if table.round is None else _round(table, audience),
        turn=_turn(table),
        chat=tuple(map(_spoken, table.chat)),
    )


def _seats(table: Table) -> Seats:
    return Seats(tuple(map(_seat, table.seats)), table.seat_of(table.host))


def _seat(who: Seat) -> SeatShown:
    match who:
        case Person(name, here=here, covered=covered):
            return SeatShown("person", name, here, covered)
        case Bot():
            return SeatShown("bot", who.name, here=True, covered=False)
        case Empty():
            return SeatShown("empty", "", here=False, covered=False)


def _room(table: Table) -> Room:
    offer = table.undo and Request(table.undo.seat, table.undo.agreed)
    return Room(table.stage, table.ready, table.paused, offer, table.commitment)


def _turn(table: Table) -> Turn:
    deadlines = tuple(clock.deadline(table, seat) for seat in range(len(table.seats)))
    return Turn(table.turn, table.to_act, deadlines, table.bank)


def _game(table: Table) -> GameShown | None:
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


def view(table: Table, audience: Audience) -> View | None:
    """Give the round as an audience sees it; None before the first deal."""
    if table.round is None:
        return None
    return View.of(table.round, audience, table.totals, table.rounds_left)


def _round(table: Table, audience: Audience) -> RoundShown:
    seen = view(table, audience)
    assert seen is not None
    tricks = [trick for trick in seen.tricks if trick.winner is not None]
    board = seen.board
    return RoundShown(
        phase=seen.phase.value,
        starter=seen.starter,
        hand=tuple(_held(seen, board)),
        discard=seen.discard,
        legal=tuple(map(str, seen.legal)),
        turned_up=seen.turned_up,
        discarded=seen.discarders,
        hand_sizes=seen.hand_sizes,
        bids=seen.bids,
        won=seen.won,
        tokens=tuple(_letters(colors) for colors in seen.tokens),
        board=tuple(
            Token(f"{color.letter}{rank}", owner) for (color, rank), owner in board.items()
        ),
        groups=seen.groups,
        leader=seen.leader,
        winning=seen.winning,
        red_open=seen.red_open,
        trick=_cards(seen.trick),
        last_trick=_cards(tricks[-1].plays) if tricks else (),
        moves=seen.moves,
        paradox=seen.paradox,
        reasons=_reasons(table, seen),
        scores=seen.scores,
    )


def _held(seen: View, board: Mapping[Cell, int]) -> Iterator[Held]:
    hand = seen.hand
    mine = () if seen.seat is None else seen.tokens[seen.seat]
    for rank in sorted(set(hand)):
        colors = (color for color in mine if (color, rank) not in board)
        yield Held(rank, hand.count(rank), _letters(colors))


def _letters(colors: Iterable[Color]) -> str:
    return "".join(color.letter for color in colors)


def _cards(plays: Iterable[Play]) -> tuple[Card, ...]:
    return tuple(Card(seat, str(action)) for seat, action in plays)


def _reasons(table: Table, seen: View) -> tuple[str, ...]:
    paradox = seen.explain_paradox()
    if paradox is None or table.game is None:
        return ()
    return tuple(paradox.sentences(table.game.names))


def _spoken(line: Line) -> Spoken:
    return Spoken(*line)


# ── Answers ──────────────────────────────────────────────────────────────────────────────────


def done(table: Table, who: str, id: str) -> Done:
    """Acknowledge a command; one without any effect is done at the present version."""
    version = table.answer(who, id)
    return Done(id, table.version if version is None else version)


def not_done(id: str, error: CatInTheBoxError) -> Refused:
    """Say why a command was not carried out."""
    return Refused(id, error.code, error.clause, error.message)


def why(table: Table, audience: Audience, action: Action) -> Why:
    """Say why an action is not legal for a seat now, by what the seat may know."""
    seen = view(table, audience)
    refusal = None if seen is None else seen.why(action)
    if refusal is None:
        return Why(str(action), "", "", "")
    return Why(str(action), refusal.code, refusal.clause, str(refusal))
