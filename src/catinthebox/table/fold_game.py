"""The part of the fold that concerns the game: deals, actions, clocks."""

from __future__ import annotations

from msgspec.structs import replace

from ..game import Fairness, Phase, Play
from . import clock
from .errors import must
from .events import Acted, ClockRanOut, Dealt, Readied, Rematched, Revealed, Started
from .seats import HASH, Bot, Person, checked_nonce
from .state import Table, put
from .step import after


@after.register
def started(event: Started, table: Table) -> Table:
    """Begin the first game."""
    must(table.stage == "lobby", "a game has begun already")
    return _begun(table, event.starter)


@after.register
def rematched(event: Rematched, table: Table) -> Table:
    """Begin another one."""
    must(table.stage == "over", "the game is not over")
    return _begun(table, event.starter)


def _begun(table: Table, starter: int) -> Table:
    must(table.full, "a seat is empty")
    nonces = tuple(bytes.fromhex(nonce) for nonce in table.nonces)
    promise = Fairness(table.id, table.commitment, nonces)
    names = tuple(who.name for who in table.seats)
    return replace(
        table,
        game=table.settings.game(names, starter, promise),
        games=table.games + 1,
        bank=(table.settings.bank_ms,) * len(table.seats),
        since=table.at,
        moves=(),
        ready=(),
    )


@after.register
def dealt(event: Dealt, table: Table) -> Table:
    """Begin a round (R5)."""
    game = table.game
    must(game is not None, "no game has begun")
    assert game is not None
    return replace(
        table,
        game=game.deal(event.hands, event.aside),
        moves=(),
        turn=table.version,
        since=table.at,
        lent=(),
        ready=(),
        kept=0,
        pauses=(),
        refusals=(),
    )


@after.register
def acted(event: Acted, table: Table) -> Table:
    """Discard, bid or play."""
    game, seat = table.game, event.seat
    must(table.stage == "play" and table.paused is None, "no round is in play")
    must(event.bot is may_bot_act(table, seat), "it was for somebody else to act there")
    assert game is not None
    moved = replace(
        table,
        game=game.play(event.action, seat),
        moves=(*table.moves, Play(seat, event.action)),
        bank=clock.bank_after(table, seat, table.at),
        lent=table.lent and tuple(other for other in table.lent if other != seat),
        undo=None,
    )
    if moved.round is not None and moved.round.phase is Phase.DISCARD:
        return moved  # R7: everybody decides at the same time, and the others' decision goes on
    return replace(moved, turn=table.version, since=table.at)


def may_bot_act(table: Table, seat: int) -> bool:
    """Whether a bot decides for a seat: its own, one it covers, or one that is out of time."""
    who = table.seat(seat)
    return isinstance(who, Bot) or seat in table.lent or (isinstance(who, Person) and who.covered)


@after.register
def readied(event: Readied, table: Table) -> Table:
    """Somebody wants to go on."""
    must(table.stage in ("between", "over"), "nobody waits for the next round")
    must(event.seat in table.people and event.seat not in table.ready, "nobody to be ready there")
    who = table.people[event.seat]
    must(table.stage == "over" or not event.nonce, "nonces are given before a game")
    if table.stage == "over":
        table = put(table, event.seat, replace(who, nonce=checked_nonce(event.nonce)))
    return replace(table, ready=(*table.ready, event.seat))


@after.register
def clock_ran_out(event: ClockRanOut, table: Table) -> Table:
    """A bot makes the move that is due."""
    must(clock.runs(table, event.seat), "no clock runs there")
    bank = tuple(0 if seat == event.seat else left for seat, left in enumerate(table.bank))
    return replace(table, lent=(*table.lent, event.seat), bank=bank)


@after.register
def revealed(event: Revealed, table: Table) -> Table:
    """The secret is no secret any more."""
    game = table.game
    digits = HASH.fullmatch(event.secret) and HASH.fullmatch(event.commitment)
    must(digits is not None, "a secret and a commitment are 64 hexadecimal digits each")
    must(game is not None and game.fairness is not None, "no game has begun")
    assert game is not None
    assert game.fairness is not None
    must(game.fairness.secret is None, "it was told before")
    shown = game.reveal(bytes.fromhex(event.secret))
    return replace(table, game=shown, commitment=event.commitment)
