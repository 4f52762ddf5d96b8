"""Deciding on seats, presence, pauses and talk."""

from __future__ import annotations

from hmac import compare_digest

from ..game import NotUnderstood
from ..protocol.chat import PRESETS, TEXT_SIZE
from ..protocol.commands import (
    AddBot,
    Close,
    Gone,
    Here,
    Host,
    Kick,
    Leave,
    Pause,
    Readmit,
    RemoveBot,
    Resume,
    Say,
    Sit,
)
from ..protocol.settings import checked_level
from .draft import Draft
from .errors import not_now, refused
from .events import (
    BotLeft,
    BotSat,
    Came,
    HostChanged,
    Paused,
    Readmitted,
    Resumed,
    Said,
    Sat,
    TableClosed,
    Went,
)
from .names import BOTS, look_alike, tidy_name
from .seats import WORKER, Bot, Empty, Person, checked_nonce
from .state import PAUSES, Table

# ── Seats ────────────────────────────────────────────────────────────────────────────────────


def sit(command: Sit, draft: Draft) -> None:
    """Let a person take a free seat."""
    table = draft.table
    if draft.who == WORKER:
        raise refused("table.not_seated", "the process that plays for bots has no seat")
    if table.seat_of(draft.who) is not None:
        raise refused("table.seated", f"you have seat {draft.seat} already")
    if any(compare_digest(removed.token, draft.who) for removed in table.removed):
        raise refused("table.removed")
    _not_playing(table)
    name, nonce = tidy_name(command.name), checked_nonce(command.nonce)
    _unlike_others(name, table)
    draft.add(Sat(_free_seat(table, command.seat), name, draft.who, nonce, command.cat))


def _unlike_others(name: str, table: Table) -> None:
    """Refuse a name that could pass for somebody else's, or for a bot's."""
    others = [who.name for who in table.seats if not isinstance(who, Empty)]
    alike = next((other for other in (*others, *BOTS) if look_alike(name, other)), None)
    if alike in others:
        sentence = f"somebody here is called {alike} already; take a name that looks different"
        raise refused("table.name_taken", sentence)
    if alike is not None:
        sentence = f"{alike} is a bot's name; take one that looks different"
        raise refused("table.name_taken", sentence)


def _not_playing(table: Table) -> None:
    if table.playing:
        raise not_now("table.begun")


def _free_seat(table: Table, wanted: int | None) -> int:
    free = [seat for seat, who in enumerate(table.seats) if isinstance(who, Empty)]
    if not free:
        raise refused("table.full")
    if wanted is not None and not isinstance(table.seat(wanted), Empty):
        sentence = f"seat {wanted} is taken; free: {', '.join(map(str, free))}"
        raise refused("table.seat_taken", sentence)
    return free[0] if wanted is None else wanted


def leave(command: Leave, draft: Draft) -> None:
    """Let a person leave a seat."""
    draft.leave(draft.seat)
    _one_less(draft)


def kick(command: Kick, draft: Draft) -> None:
    """Remove a person, and keep them from returning."""
    draft.host_only()
    if not isinstance(draft.table.seat(command.seat), Person):
        raise refused("table.no_person", f"no person has seat {command.seat}")
    if command.seat == draft.table.seat_of(draft.who):
        raise refused("table.own_seat")
    draft.leave(command.seat, kicked=True)
    _one_less(draft)


def readmit(command: Readmit, draft: Draft) -> None:
    """Let a removed person sit down again."""
    draft.host_only()
    names = list(dict.fromkeys(removed.name for removed in draft.table.removed))
    if command.name not in names:
        hint = f"; removed: {', '.join(names)}" if names else ""
        raise refused("table.not_removed", f"nobody by that name was removed{hint}")
    draft.add(Readmitted(command.name))


def _one_less(draft: Draft) -> None:
    """Check whether all who are left have agreed, now that one person fewer is waited for."""
    draft.take_back()
    draft.go_on()


def add_bot(command: AddBot, draft: Draft) -> None:
    """Seat a bot."""
    draft.host_only()
    _not_playing(draft.table)
    if isinstance(draft.table.seat(command.seat), Person):
        raise refused("table.seat_taken", f"a person has seat {command.seat}")
    draft.add(BotSat(command.seat, checked_level(command.level)))


def remove_bot(command: RemoveBot, draft: Draft) -> None:
    """Remove a bot."""
    draft.host_only()
    _not_playing(draft.table)
    if not isinstance(draft.table.seat(command.seat), Bot):
        raise refused("table.no_bot", f"no bot has seat {command.seat}")
    draft.add(BotLeft(command.seat))


def host(command: Host, draft: Draft) -> None:
    """Make another person the host."""
    draft.host_only()
    who = draft.table.seat(command.seat)
    if not isinstance(who, Person):
        raise refused("table.no_person", f"no person has seat {command.seat}")
    if who.token == draft.who:
        raise refused("table.host")
    draft.add(HostChanged(command.seat))


def close(command: Close, draft: Draft) -> None:
    """Close the table, but not during a game with other people."""
    draft.host_only()
    others = [who.name for who in draft.table.people.values() if who.token != draft.who]
    if draft.table.playing and others:
        sentence = f"{', '.join(others)} would lose the game; send them away first, or finish it"
        raise not_now("table.others_play", sentence)
    draft.add(TableClosed())


def here(command: Here, draft: Draft) -> None:
    """Note that a person is here, unless that is known."""
    if not draft.person.here:
        draft.add(Came(draft.seat))


def gone(command: Gone, draft: Draft) -> None:
    """Note that a person is away, unless that is known."""
    if draft.person.here:
        draft.add(Went(draft.seat))
        _one_less(draft)


# ── Manners ──────────────────────────────────────────────────────────────────────────────────


def say(command: Say, draft: Draft) -> None:
    """Add a chat message, if the table allows it."""
    seat, chat = draft.seat, draft.table.settings.chat
    text, preset = command.text, command.preset
    if chat == "off" or (chat == "preset" and not preset):
        sentence = "there is no chat at this table" if chat == "off" else "phrases only, no texts"
        raise refused("table.chat", sentence)
    if preset and text not in PRESETS:
        raise NotUnderstood("input.text", f"phrases are {', '.join(PRESETS)}")
    if not preset and (not text.strip() or not text.isprintable() or len(text) > TEXT_SIZE):
        raise NotUnderstood("input.text", f"a text has 1 to {TEXT_SIZE} printable characters")
    draft.add(Said(seat, text.strip(), preset))


def pause(command: Pause, draft: Draft) -> None:
    """Pause the game."""
    seat = draft.seat
    if not draft.table.settings.pause:
        raise refused("table.no_pause")
    if not draft.table.playing:
        raise not_now("table.not_begun", "there is no game to pause")
    draft.not_paused()
    if draft.table.pauses.count(seat) >= PAUSES:
        last = draft.table.rounds_left == 0
        sentence = f"you have paused {PAUSES} times in this round"
        again = "you can again in the next game" if last else "you can again in the next round"
        raise not_now("table.pauses_spent", f"{sentence}; {again}")
    draft.add(Paused(seat))


def resume(command: Resume, draft: Draft) -> None:
    """Resume the game."""
    seat = draft.seat
    if draft.table.paused is None:
        raise not_now("table.not_paused")
    draft.add(Resumed(seat))
    draft.go_on()
