"""How the events of a game change a table: deals, actions, clocks, taking back.

One function for each event; the dispatch table is in `fold`.
"""

from __future__ import annotations

from msgspec.structs import replace

from ..game import Fairness, Game, Play, Round
from ..rules.layout import DISCARDING, OVER, PHASE
from . import undo
from .errors import Impossible, must
from .events import (
    Acted,
    CardsDealt,
    ClockRanOut,
    Readied,
    Rematched,
    Revealed,
    Started,
    UndoAgreed,
    UndoAsked,
    Undone,
    UndoRefused,
)
from .seats import HASH, checked_nonce
from .state import Table, Undo, put


def started(event: Started, table: Table) -> Table:
    """Begin the first game."""
    must(table.stage == "lobby", "a game has begun already")
    return _begun(table, event.starter)


def rematched(event: Rematched, table: Table) -> Table:
    """Begin another game."""
    must(table.stage == "over", "the game is not over")
    return _begun(table, event.starter)


def _begun(table: Table, starter: int) -> Table:
    must(table.full, "a seat is empty")
    nonces = tuple(bytes.fromhex(nonce) for nonce in table.nonces)
    promise = Fairness(table.id, table.commitment, nonces)
    names = tuple(who.name for who in table.seats)
    return replace(
        table,
        stage="between",
        game=table.settings.game(names, starter, promise),
        games=table.games + 1,
        bank=(table.settings.bank_ms,) * len(table.seats),
        since=table.at,
        moves=(),
        ready=(),
    )


def dealt(event: CardsDealt, table: Table) -> Table:
    """Begin a round (R5)."""
    game = table.game
    must(game is not None, "no game has begun")
    assert game is not None
    game = game.deal(event.hands, event.aside)
    return replace(
        table,
        stage="play",
        to_act=game.current.to_act,
        game=game,
        moves=(),
        turn=table.version,
        since=table.at,
        lent=(),
        ready=(),
        kept=0,
        pauses=(),
        refusals=(),
    )


def acted(event: Acted, table: Table) -> Table:
    """Discard, bid or play."""
    game, seat = table.game, event.seat
    if table.stage != "play" or table.paused is not None or game is None:
        raise Impossible("no round is in play")
    round = game.rounds[-1].play(event.action, seat)  # an error if there is no such seat
    if event.bot is not table.bot_decides(seat):
        raise Impossible("it was for somebody else to act there")
    game, phase = game.with_current(round), round.vector[PHASE]
    waiting = phase == DISCARDING  # R7: all decide at the same time; the others go on
    return replace(
        table,
        stage="play" if phase != OVER else "over" if game.over else "between",
        to_act=round.to_act,
        game=game,
        moves=(*table.moves, Play(seat, event.action)),
        bank=_bank_after(table, seat) if table.settings.clock else table.bank,
        lent=table.lent and tuple(other for other in table.lent if other != seat),
        undo=None,
        turn=table.turn if waiting else table.version,
        since=table.since if waiting else table.at,
    )


def _bank_after(table: Table, seat: int) -> tuple[int, ...]:
    """Return the time banks after a seat has made its move at the time of the table."""
    if not table.clock_runs(seat):
        return table.bank
    over = max(0, table.at - table.since - table.settings.move_ms)
    return tuple(
        max(0, left - over) if other == seat else left for other, left in enumerate(table.bank)
    )


def readied(event: Readied, table: Table) -> Table:
    """A person is ready to continue."""
    must(table.stage in ("between", "over"), "nobody waits for the next round")
    must(event.seat in table.people and event.seat not in table.ready, "nobody to be ready there")
    who = table.people[event.seat]
    must(table.stage == "over" or not event.nonce, "nonces are given before a game")
    if table.stage == "over":
        table = put(table, event.seat, replace(who, nonce=checked_nonce(event.nonce)))
    return replace(table, ready=(*table.ready, event.seat))


def clock_ran_out(event: ClockRanOut, table: Table) -> Table:
    """The clock ran out: a bot makes the move that is due."""
    must(table.clock_runs(event.seat), "no clock runs there")
    bank = tuple(0 if seat == event.seat else left for seat, left in enumerate(table.bank))
    return replace(table, lent=(*table.lent, event.seat), bank=bank)


def revealed(event: Revealed, table: Table) -> Table:
    """Store the revealed secret."""
    game = table.game
    digits = HASH.fullmatch(event.secret) and HASH.fullmatch(event.commitment)
    must(digits is not None, "a secret and a commitment are 64 hexadecimal digits each")
    must(game is not None and game.fairness is not None, "no game has begun")
    assert game is not None
    assert game.fairness is not None
    must(game.fairness.secret is None, "it was revealed before")
    shown = game.reveal(bytes.fromhex(event.secret))
    return replace(table, game=shown, commitment=event.commitment)


# ── Taking back ──────────────────────────────────────────────────────────────────────────────


def undo_asked(event: UndoAsked, table: Table) -> Table:
    """A person asks to undo."""
    must(event.seat in table.people and table.undo is None, "nobody could ask that now")
    must(undo.refusal(table, event.seat) is None, "it could not be taken back")
    return replace(table, undo=Undo(event.seat, table.at))


def undo_agreed(event: UndoAgreed, table: Table) -> Table:
    """A person agrees to undo."""
    offer = _offer(table)
    must(event.seat in table.people, "no person sits there")
    must(event.seat not in (offer.seat, *offer.agreed), "it was not theirs to agree")
    return replace(table, undo=offer._replace(agreed=(*offer.agreed, event.seat)))


def undo_refused(event: UndoRefused, table: Table) -> Table:
    """A person refuses to undo, or nobody answered in time."""
    offer = _offer(table)
    must(event.seat is None or event.seat in table.people, "no person sits there")
    refusals = (*table.refusals, offer.seat)
    return replace(table, undo=None, kept=len(table.moves), refusals=refusals)


def undone(event: Undone, table: Table) -> Table:
    """Play the round again without the last action of a seat."""
    must(_offer(table).seat == event.seat, "another seat asked for it")
    must(not undo.awaited(table), "not everybody has agreed")
    moves = undo.without_last(table.moves, event.seat)
    game = _played_again(table, moves)
    began = replace(table, turn=table.version, since=table.at, lent=(), kept=0)
    return replace(began, to_act=game.current.to_act, game=game, moves=moves, undo=None)


def _offer(table: Table) -> Undo:
    must(table.undo is not None, "nobody asked to take back")
    assert table.undo is not None
    return table.undo


def _played_again(table: Table, moves: tuple[Play, ...]) -> Game:
    assert table.game is not None
    round = Round(table.game.current.setup)
    for seat, action in moves:
        round = round.play(action, seat)
    return table.game.with_current(round)
