"""Deciding on what concerns the game itself: its start, actions, the next round, taking back."""

from __future__ import annotations

from ..protocol.commands import Act, AgreeUndo, AskUndo, Ready, RefuseUndo, Rematch, Start
from . import undo
from .draft import Draft
from .errors import BrokenLog, not_now, refused
from .events import Acted, Readied, Started, UndoAgreed, UndoAsked, UndoRefused
from .seats import WORKER, Empty, checked_nonce
from .state import REFUSALS, Table, Undo


def start(command: Start, draft: Draft) -> None:
    """Begin the game and deal (R1)."""
    draft.host_only()
    table = draft.table
    if table.playing:
        raise not_now("table.begun", "the game has begun already")
    if table.stage == "over":
        raise not_now("table.over")
    _need_full(table)
    draft.add(Started(draft.dealer.lot(draft.asked())))
    draft.deal()


def _need_full(table: Table) -> None:
    empty = [str(seat) for seat, who in enumerate(table.seats) if isinstance(who, Empty)]
    if empty:
        seats = f"seat {empty[0]} is" if len(empty) == 1 else f"seats {', '.join(empty)} are"
        sentence = f"{seats} empty; people or bots must sit there first"
        raise not_now("table.empty_seats", sentence)


def act(command: Act, draft: Draft) -> None:
    """Discard, bid or play; what the rules refuse is refused in their words."""
    table, bot, seat = draft.table, draft.who == WORKER, _acting_seat(command, draft)
    if command.turn in (None, table.turn) and not (bot and table.undo is not None):
        try:
            draft.add(Acted(seat, command.action, bot))
        except BrokenLog:  # the fold says that it cannot be, `_explain` says why
            _explain(command, draft, seat)
            raise
        if draft.table.stage == "over":
            draft.reveal()
        return
    _explain(command, draft, seat)
    raise AssertionError("a late action, or one during a request to take back, is refused")


def _explain(command: Act, draft: Draft, seat: int) -> None:
    """Raise the error for an action that is not legal."""
    table, bot = draft.table, draft.who == WORKER
    _begun(draft)
    if bot and not table.bot_decides(seat):
        raise refused("table.not_a_bot", f"no bot plays for seat {seat} now")
    if bot and table.undo is not None:
        raise not_now("table.undo_asked", "a request to take back is pending; try again later")
    if not bot and table.bot_decides(seat):
        raise not_now("table.clock")
    if command.turn not in (None, table.turn):
        raise not_now("table.stale")
    assert table.game is not None
    table.game.current.checked(command.action, seat)


def _acting_seat(command: Act, draft: Draft) -> int:
    if draft.who == WORKER and command.seat is not None:
        draft.table.seat(command.seat)
        return command.seat
    seat = draft.seat
    if command.seat not in (None, seat):
        raise refused("table.not_your_seat", f"your seat is {seat}")
    return seat


def _begun(draft: Draft) -> None:
    stage = draft.table.stage
    if stage == "lobby":
        raise not_now("table.not_begun")
    if stage == "over":
        raise not_now("table.over")
    draft.not_paused()


def ready(command: Ready, draft: Draft) -> None:
    """Deal the next round once everybody who is here wants it."""
    seat = draft.seat
    _begun(draft)
    if draft.table.stage != "between":
        raise not_now("table.not_between")
    _count_in(draft, seat)


def rematch(command: Rematch, draft: Draft) -> None:
    """Begin another game once everybody who is here wants it."""
    seat = draft.seat
    if draft.table.stage != "over":
        raise not_now("table.not_over")
    _need_full(draft.table)
    _count_in(draft, seat, checked_nonce(command.nonce))


def _count_in(draft: Draft, seat: int, nonce: str = "") -> None:
    if seat in draft.table.ready:
        raise not_now("table.ready")
    draft.add(Readied(seat, nonce))
    draft.go_on()


# ── Taking back ──────────────────────────────────────────────────────────────────────────────


def ask_undo(command: AskUndo, draft: Draft) -> None:
    """Ask the others to undo; without other people it is done at once."""
    seat = draft.seat
    if draft.table.undo is not None:
        raise not_now("table.undo_asked")
    draft.not_paused()
    problem = undo.refusal(draft.table, seat)
    if problem is not None:
        raise problem
    if draft.table.refusals.count(seat) >= REFUSALS:
        sentence = f"{REFUSALS} requests of yours came to nothing in this round"
        raise not_now("table.undo_spent", f"{sentence}; you can ask again in the next one")
    draft.add(UndoAsked(seat))
    draft.take_back()


def agree_undo(command: AgreeUndo, draft: Draft) -> None:
    """Agree to undo; the last agreement takes the action back."""
    seat, offer = draft.seat, _offer(draft.table)
    if seat in (offer.seat, *offer.agreed):
        raise refused("table.undo_agreed")
    draft.add(UndoAgreed(seat))
    draft.take_back()


def refuse_undo(command: RefuseUndo, draft: Draft) -> None:
    """Refuse to undo; one refusal is enough."""
    seat = draft.seat
    _offer(draft.table)
    draft.add(UndoRefused(seat))


def _offer(table: Table) -> Undo:
    if table.undo is None:
        raise not_now("table.undo_none")
    return table.undo
