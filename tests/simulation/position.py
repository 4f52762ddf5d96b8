"""Tables with a past: what was on the disk before a world begins.

Some were just opened, some are in the last round of a game. Nobody serves them any more: it is as
if every worker had died. What those had put on the list of the store is still there.
"""

from __future__ import annotations

from random import Random
from typing import Final, Literal, NamedTuple

from simulation.disk import Disk

from catinthebox.server.live import lobby_index
from catinthebox.server.live.deal_secret import GAME, DealSecret
from catinthebox.store import About
from catinthebox.store.requests import Append
from catinthebox.table import (
    WORKER,
    Act,
    AddBot,
    Command,
    Dealer,
    Ready,
    Settings,
    Sit,
    Start,
    carry,
    create,
    encode,
    replay,
    token_hash,
    wake,
)

Stage = Literal["new", "seated", "begun", "late"]
NOTICED: Final = 2000  # milliseconds until somebody notices that nobody is there


class Guest(NamedTuple):
    """Somebody who was at the table before."""

    name: str
    token: str


class Past:
    """A table that is being played at, without a server."""

    def __init__(self, dealer: Dealer, table: str, settings: Settings, host: str, now: int) -> None:
        self.now = now
        self.dealer = dealer
        commitment = dealer.commitment(table, 1)
        self.log = [create(table, settings, host, commitment, now, keyed=True)]
        self.table = replay(self.log)

    def do(self, command: Command, who: str) -> None:
        """Let somebody do something."""
        draft = carry(self.table, command, who, self.now, self.dealer)
        self.log += draft.entries
        self.table = draft.table

    def act(self, chance: Random) -> None:
        """Let the next one do anything legal, or go on to the next round."""
        table = self.table
        if table.stage == "between":
            self._go_on()
            return
        seat = table.to_act[0]
        person, round = table.people.get(seat), table.round
        assert round is not None
        action = chance.choice(sorted(round.legal_for(seat)))
        self.do(Act(action, seat), WORKER if person is None else person.token)

    def _go_on(self) -> None:
        for person in self.table.people.values():
            if self.table.stage == "between":
                self.do(Ready(), person.token)


def prepare(
    disk: Disk,
    key: bytes,
    table: str,
    settings: Settings,
    guests: list[Guest],
    stage: Stage,
    now: int,
    chance: Random,
) -> None:
    """Put a table on the disk, at a stage."""
    disk.carry(Append(GAME, 0, (key,), About("keys"), ()))
    dealer, hashes = DealSecret(key).dealer, [token_hash(guest.token) for guest in guests]
    past = Past(dealer, table, settings, hashes[0], now)
    if stage != "new":
        _seat(past, guests, hashes)
    if stage in ("begun", "late"):
        past.do(Start(), hashes[0])
    if stage == "late":
        _play(past, settings.players, chance)
    events = tuple(map(encode, past.log))
    disk.carry(Append(table, 0, events, lobby_index.about(past.table), tuple(_plans(past))))


def _seat(past: Past, guests: list[Guest], hashes: list[str]) -> None:
    for guest, who in zip(guests, hashes, strict=True):
        past.do(Sit(guest.name), who)
    for seat in range(len(guests), past.table.settings.players):
        past.do(AddBot(seat, "gentle"), hashes[0])


def _play(past: Past, rounds: int, chance: Random) -> None:
    """Play on into the last round, and a part of it."""
    while past.table.game is None or past.table.game.number < rounds:
        past.act(chance)
    for _ in range(chance.randrange(4 * rounds)):
        if past.table.stage != "play":
            return
        past.act(chance)


def _plans(past: Past) -> list[tuple[str, int | None]]:
    """Return what dead workers have left on the list."""
    table, due = past.table, past.now + NOTICED
    plans: list[tuple[str, int | None]] = [(f"bots/{table.id}", due)]
    plans += [(f"seat/{table.id}/{seat}", due) for seat in table.present]
    if (at := wake(table)) is not None:
        plans.append((f"wake/{table.id}", at + NOTICED))
    return plans
