"""A client's state: a snapshot, kept up to date by frames, and the view of its seat.

A view is rebuilt from messages alone, so a bot plays the same over a connection as locally.

>>> from catinthebox.table import *
>>> ada, dealer = token_hash("ada's secret"), practice(seed=1)
>>> table = replay([create("t1", Settings(2), ada, dealer.commitment("t1", 1), now=0)])
>>> for command in (Sit("Ada"), AddBot(1, "gentle"), Start()):
...     table = carry(table, command, ada, 5, dealer).table
>>> broadcaster = Broadcaster(table)
>>> view_of(messages.decode(broadcaster.snapshot(0))) == broadcaster.view(0)
True
"""

from __future__ import annotations

from msgspec.structs import replace

from ..game import Face
from ..protocol.chat import Author, chat_history
from ..protocol.messages import (
    Frame,
    GameBegan,
    GameShown,
    Own,
    Room,
    RoundShown,
    Seats,
    Snapshot,
    Spoken,
    Turn,
)
from ..rules.counts import ASIDE
from ..views import Dealt, View


def view_of(seen: Snapshot) -> View | None:
    """Return the view of the seat or spectator that a snapshot is for; None before a deal."""
    game, round, own = seen.game, seen.round, seen.own
    if game is None or round is None:
        return None
    watching = View(_dealt(game, round)).replay(round.moves)
    if own is None or seen.seat is None:
        return watching
    hand = sorted([*_held(own), *_parted_with(watching, seen.seat, own)])
    view = View(_dealt(game, round, seen.seat, "".join(map(str, hand))))
    return view.replay(round.moves.replace(f"{seen.seat}:-?", f"-{own.discard}"))


def _dealt(game: GameShown, round: RoundShown, seat: int | None = None, hand: str = "") -> Dealt:
    players = len(game.names)
    before = game.scores[: game.round - 1]
    return Dealt(
        players,
        seat,
        hand,
        round.starter,
        Face.parse(game.face),
        "".join(map(str, round.turned_up)),
        ASIDE[players] - len(round.turned_up),
        totals=tuple(sum(points[seat] for points in before) for seat in range(players)),
        rounds_left=players - game.round,
    )


def _held(own: Own) -> list[int]:
    return [card.rank for card in own.hand for _ in range(card.copies)]


def _parted_with(watching: View, seat: int, own: Own) -> list[int]:
    """The cards that a seat was dealt and no longer holds."""
    played = [action.rank for who, action in watching.actions if who == seat and action.rank]
    return played if own.discard is None else [own.discard, *played]


def apply_frame(seen: Snapshot, frame: Frame) -> Snapshot:
    """Return the state after a frame, whose parts replace the old ones."""
    known = replace(seen, version=frame.version, at=frame.at, own=frame.own or seen.own)
    for news in frame.news:
        match news:
            case Seats():
                known = replace(known, seats=news)
            case Room():
                known = replace(known, room=news)
            case GameShown():
                known = replace(known, game=news)
            case RoundShown():
                known = replace(known, round=news)
            case Turn():
                known = replace(known, turn=news)
            case GameBegan():
                known = replace(known, round=None, own=None)
            case Spoken():
                talk = chat_history((*known.chat, news), _seated(known.seats))
                known = replace(known, chat=talk)
    return known


def _seated(seats: Seats) -> set[Author]:
    people = ((seat, who) for seat, who in enumerate(seats.seats) if who.kind == "person")
    return {(seat, who.name) for seat, who in people}
