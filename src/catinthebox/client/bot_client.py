"""A bot that plays at a table of a remote server, and receives only what a browser would.

Its next command depends only on the table's state, and so does the command's id. After a lost
connection, or a restart of the server or of the bot, it therefore continues where it was, and
carries nothing out twice.
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
from .http_client import Backoff, Declined, HttpClient, Link, RetryLater
from .state import apply_frame, view_of

UNCOMPILED: Final = Budget(rollouts=32, ms=200)  # for a search that is interpreted
LEAST_MS: Final = 10.0
VERIFY: Final = """to verify the deals afterwards, save the record as game.cat and run: \
catinthebox verify game.cat"""
NOT_NOW: Final = ("table.", "turn.")  # codes of refusals that may not hold after the next frame
REPEATED: Final = 32  # how many ids of carried-out commands are remembered


class Lost(Exception):
    """The games cannot be finished; the message says why."""


class BotTask(NamedTuple):
    """What a bot is asked to do; it takes the first of the names that is free."""

    link: Link
    token: str
    player: Player
    names: Sequence[str]
    seat: int | None
    games: int
    patience: float  # seconds


def play_at_table(
    wanted: BotTask, say: Callable[[str], None], ended: Callable[[str], None]
) -> None:
    """Play the wanted number of games at a table; raise `Lost` if they cannot be finished."""
    table, backoff = HttpClient(wanted.link, wanted.token), Backoff(wanted.patience)
    bot = BotClient(table, backoff, wanted.player, wanted.games, say, ended)
    try:
        table.probe()
    except RetryLater as error:  # the host name is probably mistyped
        raise NotUnderstood("input.option", f"{wanted.link.host}: {error}") from None
    bot.sit(wanted.names, wanted.seat)
    bot.play()


class NextCommand(NamedTuple):
    """A command to send now, and its id."""

    id: str
    command: ClientCommand | None  # None: an action that the player still has to choose


def next_command(seen: Snapshot, last: int) -> NextCommand | None:
    """Return what a seat should do next, if anything; `last` is the number of its last game."""
    me, room, number = seen.seat, seen.room, seen.game.number if seen.game else 0
    if room.undo is not None and me not in (room.undo.seat, *room.undo.agreed):
        moves = len(seen.round.moves) if seen.round else 0
        return NextCommand(f"agree-{seen.turn.turn}-{room.undo.seat}-{moves}", AgreeUndo())
    if room.paused is not None or me in room.ready:
        return None
    if room.stage == "play" and me in seen.turn.to_act:
        return NextCommand(f"act-{seen.turn.turn}", None)
    if room.stage == "between" and seen.game and seen.round:  # a round was dealt before
        return NextCommand(f"ready-{number}-{seen.game.round}", Ready())
    if room.stage == "over" and number < last:
        return NextCommand(f"rematch-{number}", Rematch(secrets.token_hex(32)))
    return None


class BotClient:
    """Sits down, plays and leaves; `say` receives progress messages, `ended` the results."""

    def __init__(
        self,
        table: HttpClient,
        backoff: Backoff,
        player: Player,
        games: int,
        say: Callable[[str], None],
        ended: Callable[[str], None],
    ) -> None:
        self._table = table
        self._backoff = backoff
        self._player = player
        self._games = games
        self._say = say
        self._ended = ended
        self._new = False  # whether it took its seat just now
        self._last: int | None = None  # the number of its last game
        self._known = 0  # the number of the last game whose result was reported
        self._seen: Snapshot | None = None
        self._came = 0.0  # when that arrived
        self._done: list[str] = []
        self._refused = ("", 0)  # the id of the last refused command, and the version then
        self._chance = Random()

    # ── Sitting down ─────────────────────────────────────────────────────────────────────────

    def sit(self, names: Sequence[str], seat: int | None) -> None:
        """Take a seat under the first free name, or return to the seat of this token.

        All attempts share one id, so only one seat is taken even if an answer is lost.
        """
        nonce, id = secrets.token_hex(32), f"sit-{secrets.token_hex(8)}"
        for name in names:
            try:
                self._send(id, Sit(name, seat, nonce))
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
        """Play until the last game is over, and reconnect as often as needed."""
        while True:
            try:
                return self._listen()
            except RetryLater as error:
                self._wait(error)

    def _wait(self, error: RetryLater) -> None:
        if not self._backoff.tries:
            self._say(f"connecting again: {error}")
        try:
            self._backoff.wait(error)
        except RetryLater:
            raise Lost(f"{self._table.link.host} cannot be reached any more: {error}") from None

    def _answered(self) -> None:
        if self._backoff.tries:
            self._backoff.reset()
            self._say("connected")

    def _listen(self) -> None:
        version = self._seen.version if self._seen else None
        for message in self._table.messages(version):
            self._answered()
            if (seen := self._take_in(message)) is not None:
                if self._over(seen):
                    return self._leave(seen)
                self._do_next(seen)
        raise AssertionError("a stream ends with an error")

    def _take_in(self, message: FromServer) -> Snapshot | None:
        """Process a message; return the new state of the table if it has changed."""
        match message:
            case Snapshot():
                self._seen = message
                self._done.clear()  # after a restored backup, commands may have to be repeated
            case Frame():
                self._seen = self._apply(message)
                self._report(message, self._seen)
            case Bye(code, sentence):
                raise Lost(sentence) if code.startswith(NOT_NOW) else RetryLater(sentence)
            case Beat() | _:
                return None
        self._came = monotonic()
        self._check(self._seen)
        return self._seen

    def _apply(self, frame: Frame) -> Snapshot:
        seen, self._seen = self._seen, None
        if seen is None or frame.version != seen.version + 1:
            raise RetryLater("a frame is missing")  # without a state, the next answer is a snapshot
        return apply_frame(seen, frame)

    def _check(self, seen: Snapshot) -> None:
        """Raise `Lost` if the seat or the table is gone; count the games from here."""
        if seen.seat is None:
            raise Lost("the seat was given to somebody else")
        if seen.room.stage == "closed":
            raise Lost("the table was closed")
        if self._last is None:
            number = seen.game.number if seen.game else 1
            after = self._new and seen.room.stage == "over"  # that game was played by others
            self._known = number if after else 0
            self._last = number + self._games - (0 if after else 1)

    def _over(self, seen: Snapshot) -> bool:
        """Report a finished game once its secret is revealed; return whether it was the last."""
        game = seen.game
        if game is None or seen.room.stage != "over" or not game.secret:
            return False
        if game.number > self._known:
            self._known = game.number
            self._ended(result(game))
        return self._last is not None and game.number >= self._last

    def _leave(self, seen: Snapshot) -> None:
        """Free the seat; the id is new each time, since a returning bot leaves again."""
        with suppress(Declined, RetryLater):
            self._table.do(f"leave-{seen.version}", Leave())

    # ── Doing ────────────────────────────────────────────────────────────────────────────────

    def _do_next(self, seen: Snapshot) -> None:
        wanted = next_command(seen, self._last or 0)
        if wanted is None or wanted.id in self._done or (wanted.id, seen.version) == self._refused:
            return
        command = wanted.command or Act(self._choose(seen), turn=seen.turn.turn)
        try:
            self._send(wanted.id, command)
        except Declined as error:
            if not error.code.startswith(NOT_NOW):
                raise
            self._refused = wanted.id, seen.version  # a newer frame is on its way
        else:
            self._done = [*self._done[1 - REPEATED :], wanted.id]

    def _send(self, id: str, command: ClientCommand) -> None:
        """Send a command until it is answered; the server carries it out once."""
        while True:
            try:
                self._table.do(id, command)
            except RetryLater as error:
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
        """Return the time to think: half of what is left on the clock, if one is running."""
        budget = Budget() if engine.compiled() else UNCOMPILED
        assert seen.seat is not None
        deadline = seen.turn.deadlines[seen.seat]
        if deadline is None:
            return budget
        left = deadline - seen.at - 1000 * (monotonic() - self._came)
        return budget.within(Budget(ms=max(LEAST_MS, left / 2)))

    # ── Reports ─────────────────────────────────────────────────────────────────────────────

    def _report(self, frame: Frame, seen: Snapshot) -> None:
        names = seen.game.names if seen.game else ()
        for news in frame.news:
            match news:
                case GameBegan(number):
                    self._say(f"game {number}: {', '.join(names)}")
                case ParadoxRevealed(seat):
                    self._say(f"paradox: {names[seat]}")
                case RoundEnded(scores):
                    self._say(
                        f"round {seen.game.round if seen.game else 0}: {points_text(names, scores)}"
                    )
                case _:
                    pass


def points_text(names: Sequence[str], points: Sequence[int]) -> str:
    """Write names with their points.

    >>> points_text(["Ada", "Ben"], [3, -1])
    'Ada 3, Ben -1'
    """
    return ", ".join(f"{name} {number}" for name, number in zip(names, points, strict=True))


def result(game: GameShown) -> str:
    """Write the result of a game."""
    winners = " and ".join(game.names[seat] for seat in game.winners)
    return f"game {game.number} over: {points_text(game.names, game.totals)}; won by {winners}"
