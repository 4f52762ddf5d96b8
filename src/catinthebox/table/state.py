"""The state of a table: seats, the game, clocks, chat, receipts.

A `Table` holds every hand, so it is never sent to anybody: `Broadcaster` makes what players and
spectators may know of it, and nothing else does.

>>> from catinthebox.table import Settings, create, replay
>>> table = replay([create("t1", Settings(3), host="ab" * 32, commitment="cd" * 32, now=5)])
>>> table.stage, table.version, table.seats
('lobby', 1, (Empty(), Empty(), Empty()))
"""

from __future__ import annotations

from collections.abc import Mapping
from hmac import compare_digest
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ..game import Game, NotUnderstood, Play, Round
from ..protocol.chat import ChatMessage
from ..protocol.parts import Stage
from ..protocol.settings import Settings
from .seats import Bot, Empty, Occupant, Person

ANSWERS_KEPT: Final = 32  # of each person; a lost answer is asked for again within seconds
STRANGERS_KEPT: Final = 16  # people without a seat whose answers are kept beside those with one
PAUSES: Final = 3  # that a person may begin in one round
REFUSALS: Final = 3  # requests to take back that may come to nothing for a person in one round
REMOVED_KEPT: Final = 32  # people sent away whom the table remembers


class Removed(NamedTuple):
    """A person whom the host removed: the hash of their token, and their name here."""

    token: str
    name: str


Answers: TypeAlias = Mapping[str, Mapping[str, int]]
"""Who sent which command, and the version of the table after it; the latest come last."""


class Undo(NamedTuple):
    """A request to take back: who asked, when, and who has agreed."""

    seat: int
    since: int
    agreed: tuple[int, ...] = ()


class Table(Struct, frozen=True):
    """The immutable state of a table; times are milliseconds."""

    id: str
    host: str  # the hash of the host's token
    commitment: str  # to the secret behind the deals of this game, or of the next one
    settings: Settings
    seats: tuple[Occupant, ...]
    at: int  # the time of the last event
    version: int = 1  # how many events there were
    stage: Stage = "lobby"  # before a game, in a round, after one, after a game, or closed
    to_act: tuple[int, ...] = ()  # seats whose move is due
    still: int | None = None  # since when time stands still: a pause, or nobody is here
    paused: int | None = None  # the seat that asked for the pause
    game: Game | None = None
    games: int = 0  # how many were begun
    moves: tuple[Play, ...] = ()  # of this round, in the order of time
    turn: int = 0  # the version at which the decision that is due was first due
    since: int = 0  # and the time
    bank: tuple[int, ...] = ()  # time left beyond the time for each move
    lent: tuple[int, ...] = ()  # seats out of time: a bot makes this one move
    ready: tuple[int, ...] = ()  # people who want the next round, or the next game
    undo: Undo | None = None
    kept: int = 0  # the number of moves when a request to take back was last refused; 0: none was
    pauses: tuple[int, ...] = ()  # seats that stopped the time since the last deal, once for each
    refusals: tuple[int, ...] = ()  # seats whose requests to take back came to nothing since then
    removed: tuple[Removed, ...] = ()  # people sent away; they may not sit down here again
    chat: tuple[ChatMessage, ...] = ()
    answered: Answers = {}
    closed: bool = False  # over for good
    keyed: bool = False  # whether links have keys; if not, the id itself lets people in

    @property
    def playing(self) -> bool:
        """Whether a game is going on."""
        return self.stage in ("play", "between")

    @property
    def round(self) -> Round | None:
        """The round in play, or the one just finished."""
        game = self.game
        return game.rounds[-1] if game is not None and game.rounds else None

    @property
    def people(self) -> dict[int, Person]:
        """The people by seat."""
        return {seat: who for seat, who in enumerate(self.seats) if isinstance(who, Person)}

    @property
    def present(self) -> tuple[int, ...]:
        """The seats whose people are here."""
        return tuple(seat for seat, person in self.people.items() if person.here)

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return not any(isinstance(who, Empty) for who in self.seats)

    @property
    def deserted(self) -> bool:
        """Whether people play here, and none of them is here: then the game waits."""
        here = [who.here for who in self.seats if isinstance(who, Person)]
        return bool(here) and not any(here) and self.playing

    @property
    def nonces(self) -> tuple[str, ...]:
        """The nonces of the game, by seat; before it, of the people who sit here now."""
        if self.playing and self.game is not None and self.game.fairness is not None:
            return tuple(nonce.hex() for nonce in self.game.fairness.nonces)
        return tuple(who.nonce for who in self.seats)

    @property
    def all_ready(self) -> bool:
        """Whether somebody is here, and everybody who is wants to go on."""
        return bool(self.present) and set(self.present) <= set(self.ready)

    @property
    def rounds_left(self) -> int:
        """How many rounds of the game follow the present one."""
        return 0 if self.game is None else self.settings.players - self.game.number

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of every seat before the present round."""
        game = self.game
        if game is None:
            return ()
        before = [round.scores for round in game.rounds[:-1] if round.scores is not None]
        return tuple(sum(points[seat] for points in before) for seat in range(game.players))

    def bot_decides(self, seat: int) -> bool:
        """Whether a bot acts for a seat of this table: its own, one it covers, or one without time.

        Whether there is such a seat, the caller knows.
        """
        who = self.seats[seat]
        if isinstance(who, Person):
            return who.covered or seat in self.lent
        return isinstance(who, Bot) or seat in self.lent

    def clock_runs(self, seat: int) -> bool:
        """Whether the clock of a seat runs: its move is due, and a person is to make it."""
        if not self.settings.clock or self.still is not None or self.stage != "play":
            return False
        who = self.seat(seat)
        deciding = seat in self.to_act and seat not in self.lent
        return deciding and isinstance(who, Person) and not who.covered

    def deadline(self, seat: int) -> int | None:
        """Return the time at which a bot makes the move of a seat; None if no clock runs."""
        if not self.clock_runs(seat):
            return None
        return self.since + self.settings.move_ms + self.bank[seat]

    def seat_of(self, token: str) -> int | None:
        """Return the seat of a person, by the hash of their token."""
        for seat, who in enumerate(self.seats):
            if compare_digest(who.token, token):
                return seat if token else None
        return None

    def seat(self, number: int) -> Occupant:
        """Return who sits in a seat; no such seat is an error."""
        if not 0 <= number < len(self.seats):
            sentence = f"there is no seat {number}; seats are 0 to {len(self.seats) - 1}"
            raise NotUnderstood("input.seat", sentence)
        return self.seats[number]

    def answer(self, who: str, command: str) -> int | None:
        """Return the version after a command that was carried out already; None if it was not."""
        return self.answered.get(who, {}).get(command)


def put(table: Table, seat: int, who: Occupant) -> Table:
    """Return the table with somebody in a seat."""
    table.seat(seat)  # there is such a seat
    seats = tuple(who if other == seat else old for other, old in enumerate(table.seats))
    return replace(table, seats=seats)
