"""What somebody wants to do at a table, by what they know of it."""

from __future__ import annotations

from random import Random
from typing import Final, Protocol

from catinthebox.game import Action
from catinthebox.protocol.commands import ClientCommand
from catinthebox.protocol.messages import Snapshot
from catinthebox.table import (
    PRESETS,
    Act,
    AddBot,
    AgreeUndo,
    AskUndo,
    Close,
    Host,
    Kick,
    Leave,
    Pause,
    Ready,
    RefuseUndo,
    Rematch,
    RemoveBot,
    Resume,
    Say,
    Sit,
    Start,
)

BOTS: Final = ("gentle", "sharp")


class Wants(Protocol):
    """What a world wants to see."""

    people: int  # who should sit before the host brings bots
    games: int  # how many are played
    closes: bool  # whether the host closes the table in the end
    calm: bool  # the faults are over: nobody does anything but play


class Somebody(Protocol):
    """The person who chooses."""

    @property
    def name(self) -> str:
        """Their name."""

    @property
    def talks(self) -> float:
        """How often they do what the game does not need."""


def choose_command(
    world: Wants, me: Somebody, seen: Snapshot, chance: Random
) -> ClientCommand | None:
    """Return what somebody wants to do now, if anything."""
    if seen.room.stage == "closed":
        return None
    if seen.seat is None:
        return _come(me, seen, chance)
    if not world.calm and chance.random() < me.talks:
        return _whim(seen, seen.seat, chance)
    if seen.room.stage == "lobby":
        return _arrange(world, seen, seen.seat, chance)
    if seen.room.stage == "over":
        return _after(world, seen, seen.seat, chance)
    return _play(seen, seen.seat, chance)


def _empty(seen: Snapshot) -> list[int]:
    return [seat for seat, who in enumerate(seen.seats.seats) if who.kind == "empty"]


def _nonce(chance: Random) -> str:
    return chance.choice(("", chance.randbytes(32).hex()))


# ── Before and after a game ──────────────────────────────────────────────────────────────────


def _come(me: Somebody, seen: Snapshot, chance: Random) -> ClientCommand | None:
    """Take a seat, if there is one and this is not a spectator."""
    if seen.room.stage not in ("lobby", "over") or not me.name[0].isupper() or not _empty(seen):
        return None
    seat = chance.choice((None, *_empty(seen)))
    name = chance.choice((me.name, f"{me.name} II"))  # somebody else may be called like that
    return Sit(name, seat, _nonce(chance))


def _arrange(world: Wants, seen: Snapshot, seat: int, chance: Random) -> ClientCommand | None:
    """Bring bots and begin, if that is for this seat to do."""
    people = sum(who.kind == "person" for who in seen.seats.seats)
    if seen.seats.host != seat:
        return None
    if not _empty(seen):
        return Start()
    if people >= world.people or chance.random() < 0.02:  # somebody may never come
        return AddBot(_empty(seen)[0], chance.choice(BOTS))
    return None


def _after(world: Wants, seen: Snapshot, seat: int, chance: Random) -> ClientCommand | None:
    """Play again; the host fills the seats of those who are gone, or ends it all."""
    assert seen.game is not None
    if seen.game.number >= world.games:
        return Close() if world.closes and world.calm and seen.seats.host == seat else None
    if _empty(seen):
        brings = seen.seats.host == seat and chance.random() < 0.1
        return AddBot(_empty(seen)[0], chance.choice(BOTS)) if brings else None
    return None if seat in seen.room.ready else Rematch(_nonce(chance))


# ── In a game ────────────────────────────────────────────────────────────────────────────────


def _play(seen: Snapshot, seat: int, chance: Random) -> ClientCommand | None:
    """Do what is due."""
    room = seen.room
    if room.paused is not None:
        return Resume() if chance.random() < 0.2 else None
    if room.undo is not None and seat not in (room.undo.seat, *room.undo.agreed):
        return chance.choice((AgreeUndo(), AgreeUndo(), RefuseUndo()))
    if room.stage == "between":
        return None if seat in room.ready or chance.random() < 0.5 else Ready()
    if seat not in seen.turn.to_act or seen.own is None or not seen.own.legal:
        return None
    turn = chance.choice((seen.turn.turn, seen.turn.turn, None))
    return Act(Action(chance.choice(seen.own.legal)), turn=turn)


def _whim(seen: Snapshot, seat: int, chance: Random) -> ClientCommand | None:
    """Do what the game does not need, and what a table may well refuse."""
    stage, host = seen.room.stage, seen.seats.host == seat
    commands: list[ClientCommand] = [
        Say(chance.choice(PRESETS)),
        Say(f"no {chance.getrandbits(64)}", False),
    ]
    if stage in ("play", "between"):
        commands += [Pause(), AskUndo(), AskUndo()]
        commands += [Act(Action(chance.choice(("5b", "1r", "-3", "=2"))))]
    if seen.room.undo is not None:
        commands += [RefuseUndo()]
    if stage in ("lobby", "over") and not host:
        commands += [Leave(), Leave()]
    if host:
        commands += _arrangements(seen, seat, chance)
    return chance.choice(commands)


def _arrangements(seen: Snapshot, seat: int, chance: Random) -> list[ClientCommand]:
    """What only the host can do to others."""
    seats = enumerate(seen.seats.seats)
    people = [other for other, who in seats if who.kind == "person" and other != seat]
    bots = [other for other, who in enumerate(seen.seats.seats) if who.kind == "bot"]
    # Refused during a game.
    commands: list[ClientCommand] = [Close()] if people and seen.room.stage == "play" else []
    if people:
        commands += [Host(chance.choice(people))]
        commands += [Kick(chance.choice(people))] if chance.random() < 0.3 else []
    if bots and seen.room.stage in ("lobby", "over"):
        commands += [RemoveBot(chance.choice(bots)), AddBot(chance.choice(bots), "sharp")]
    return commands
