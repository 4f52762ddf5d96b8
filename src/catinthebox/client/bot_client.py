"""A player of ours at somebody else's table: it is told what a browser would be told, no more.

What it does depends only on what it has been shown, and the id of each command is made of that. So
a line that breaks, a server that is started again and a player that is started again go on as if
nothing had happened, and nothing is done twice.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Final, NamedTuple

from ..game import Action, NotUnderstood
from ..players import Budget, Player, engine
from ..protocol.commands import Act, AgreeUndo, ClientCommand, Leave, Ready, Rematch, Sit
from ..protocol.messages import Frame, GameBegan, GameShown, ParadoxRevealed, RoundEnded, Snapshot
from ..protocol.stream import Beat, Bye, FromServer
from .http_client import Declined, HttpClient, Later, Link, Patience
from .state import apply_frame, view_of

UNCOMPILED: Final = Budget(rollouts=32, ms=200)  # what a search may cost when it is interpreted
LEAST_MS: Final = 10.0
VERIFY: Final = """to verify the deals afterwards, save the record as game.cat and run: \
catinthebox verify game.cat"""
NOT_NOW: Final = ("table.", "turn.")  # codes of what may be right after the next news
REPEATED: Final = 32  # ids that are remembered as done


class Lost(Exception):
    """The games cannot be finished, and why."""


class Visit(NamedTuple):
    """What a guest is to do: with which token, under the first free of which names."""

    link: Link
    token: str
    player: Player
    names: Sequence[str]
    seat: int | None
    games: int
    patience: float  # seconds


def visit(wanted: Visit, say: Callable[[str], None], ended: Callable[[str], None]) -> None:
    """Play at a table until it is over; `Lost` if it does not come to that."""
    table, patience = HttpClient(wanted.link, wanted.token), Patience(wanted.patience)
    guest = BotClient(table, patience, wanted.player, wanted.games, say, ended)
    try:
        table.probe()
    except Later as error:  # its name is probably mistyped
        raise NotUnderstood("input.option", f"{wanted.link.host}: {error}") from None
    guest.sit(wanted.names, wanted.seat)
    guest.play()


class NextCommand(NamedTuple):
    """Something that is to be done now, and its id."""

    id: str
    command: ClientCommand | None  # None: an action, yet to be chosen


def duty(seen: Snapshot, last: int) -> NextCommand | None:
    """Return what a seat should do, by what it has been shown; `last` is the game to stop after."""
    me, room, number = seen.seat, seen.room, seen.game.number if seen.game else 0
    if room.undo is not None and me not in (room.undo.seat, *room.undo.agreed):
        moves = len(seen.round.moves) if seen.round else 0
        return NextCommand(f"agree-{seen.turn.turn}-{room.undo.seat}-{moves}", AgreeUndo())
    if room.paused is not None or me in room.ready:
        return None
    if room.stage == "play" and me in seen.turn.to_act:
        return NextCommand(f"act-{seen.turn.turn}", None)
    if room.stage == "between" and seen.game and seen.round:  # and not just before the first deal
        return NextCommand(f"ready-{number}-{seen.game.round}", Ready())
    if room.stage == "over" and number < last:
        return NextCommand(f"rematch-{number}", Rematch(secrets.token_hex(32)))
    return None


class BotClient:
    """Somebody who sits down, plays, leaves; `say` is told what happens, `ended` the results."""

    def __init__(
        self,
        table: HttpClient,
        patience: Patience,
        player: Player,
        games: int,
        say: Callable[[str], None],
        ended: Callable[[str], None],
    ) -> None:
        self._table = table
        self._patience = patience
        self._player = player
        self._games = games
        self._say = say
        self._ended = ended
        self._new = False  # whether it has just sat down
        self._last: int | None = None  # the number of the game to stop after
        self._known = 0  # the number of the last game whose end was told
        self._seen: Snapshot | None = None
        self._came = 0.0  # when that was told
        self._done: list[str] = []
        self._refused = ("", 0)  # what was refused last, at which version
        self._chance = Random()

    # ── Sitting down ─────────────────────────────────────────────────────────────────────────

    def sit(self, names: Sequence[str], seat: int | None) -> None:
        """Take a seat under the first of some names that is free, or come back to the own one.

        The id stays the same for all names: whatever answer was lost, one seat is taken.
        """
        nonce, id = secrets.token_hex(32), f"sit-{secrets.token_hex(8)}"
        for name in names:
            try:
                self._insist(id, Sit(name, seat, nonce))
            except Declined as error:
                if error.code == "table.seated":
                    return
                if error.code != "table.name_taken" or name == names[-1]:
                    raise
            else:
                self._new = True
                self._say(f"{name} sits down; {VERIFY} --nonce {nonce}")
                return

    # ── Playing ──────────────────────────────────────────────────────────────────────────────

    def play(self) -> None:
        """Play until the last game is over, whatever happens to the line."""
        while True:
            try:
                return self._listen()
            except Later as error:
                self._wait(error)

    def _wait(self, error: Later) -> None:
        if not self._patience.tries:
            self._say(f"connecting again: {error}")
        try:
            self._patience.wait(error)
        except Later:
            raise Lost(f"{self._table.link.host} cannot be reached any more: {error}") from None

    def _answered(self) -> None:
        if self._patience.tries:
            self._patience.rewarded()
            self._say("connected")

    def _listen(self) -> None:
        version = self._seen.version if self._seen else None
        for message in self._table.messages(version):
            self._answered()
            if (seen := self._look(message)) is not None:
                if self._over(seen):
                    return self._leave(seen)
                self._do_duty(seen)
        raise AssertionError("a stream ends with an error")

    def _look(self, message: FromServer) -> Snapshot | None:
        """Take in a message; give what is known now, if that is something else."""
        match message:
            case Snapshot():
                self._seen = message
                self._done.clear()  # an old backup may have been restored: the table knows better
            case Frame():
                self._seen = self._hear(message)
                self._tell(message, self._seen)
            case Bye(code, sentence):
                raise Lost(sentence) if code.startswith(NOT_NOW) else Later(sentence)
            case Beat() | _:
                return None
        self._came = monotonic()
        self._check(self._seen)
        return self._seen

    def _hear(self, frame: Frame) -> Snapshot:
        seen, self._seen = self._seen, None
        if seen is None or frame.version != seen.version + 1:
            raise Later("something was not heard")  # without a version, all of it is shown again
        return apply_frame(seen, frame)

    def _check(self, seen: Snapshot) -> None:
        """Insist on a seat at a table that is open."""
        if seen.seat is None:
            raise Lost("the seat was given to somebody else")
        if seen.room.stage == "closed":
            raise Lost("the table was closed")
        if self._last is None:
            number = seen.game.number if seen.game else 1
            after = self._new and seen.room.stage == "over"  # the game of those who sat here before
            self._known = number if after else 0
            self._last = number + self._games - (0 if after else 1)

    def _over(self, seen: Snapshot) -> bool:
        """Tell of a game that is over, once its secret is shown; say whether it was the last."""
        game = seen.game
        if game is None or seen.room.stage != "over" or not game.secret:
            return False
        if game.number > self._known:
            self._known = game.number
            self._ended(result(game))
        return self._last is not None and game.number >= self._last

    def _leave(self, seen: Snapshot) -> None:
        """Make room for others; under a new id, for who comes back later leaves once more."""
        with suppress(Declined, Later):
            self._table.do(f"leave-{seen.version}", Leave())

    # ── Doing ────────────────────────────────────────────────────────────────────────────────

    def _do_duty(self, seen: Snapshot) -> None:
        wanted = duty(seen, self._last or 0)
        if wanted is None or wanted.id in self._done or (wanted.id, seen.version) == self._refused:
            return
        command = wanted.command or Act(self._choose(seen), turn=seen.turn.turn)
        try:
            self._insist(wanted.id, command)
        except Declined as error:
            if not error.code.startswith(NOT_NOW):
                raise
            self._refused = wanted.id, seen.version  # things have changed; the news are under way
        else:
            self._done = [*self._done[1 - REPEATED :], wanted.id]

    def _insist(self, id: str, command: ClientCommand) -> None:
        """Send a command until it is answered; it is done once, however often it is sent."""
        while True:
            try:
                self._table.do(id, command)
            except Later as error:
                self._wait(error)
            except Declined:
                self._answered()
                raise
            else:
                return self._answered()

    def _choose(self, seen: Snapshot) -> Action:
        view = view_of(seen)
        assert view is not None
        return self._player.choose(view, self._budget(seen), self._chance)

    def _budget(self, seen: Snapshot) -> Budget:
        """Half of the time that is left, if a clock runs."""
        budget = Budget() if engine.compiled() else UNCOMPILED
        assert seen.seat is not None
        deadline = seen.turn.deadlines[seen.seat]
        if deadline is None:
            return budget
        left = deadline - seen.at - 1000 * (monotonic() - self._came)
        return budget.within(Budget(ms=max(LEAST_MS, left / 2)))

    # ── Telling ──────────────────────────────────────────────────────────────────────────────

    def _tell(self, frame: Frame, seen: Snapshot) -> None:
        names = seen.game.names if seen.game else ()
        for news in frame.news:
            match news:
                case GameBegan(number):
                    self._say(f"game {number}: {', '.join(names)}")
                case ParadoxRevealed(seat):
                    self._say(f"paradox: {names[seat]}")
                case RoundEnded(scores):
                    self._say(f"round {seen.game.round if seen.game else 0}: {told(names, scores)}")
                case _:
                    pass


def told(names: Sequence[str], points: Sequence[int]) -> str:
    """Say who has how many points.

    >>> told(["Ada", "Ben"], [3, -1])
    'Ada 3, Ben -1'
    """
    return ", ".join(f"{name} {number}" for name, number in zip(names, points, strict=True))


def result(game: GameShown) -> str:
    """Say how a game ended."""
    winners = " and ".join(game.names[seat] for seat in game.winners)
    return f"game {game.number} over: {told(game.names, game.totals)}; won by {winners}"
