"""Everything that the doors of a server share: its hub, its books, its watch, its numbers.

HTTP, WebSockets and streams differ in how bytes come and go. Who may do what, how fast, and what
becomes of it is decided here, once for all of them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Final

from starlette.types import Scope

from ..game import Action, CatInTheBoxError, NotUnderstood
from ..table import Act, AddBot, Command, Kick, Readmit, Say, Sent, Settings, Sit
from ..table.errors import refused
from ..table.messages import Done, Why
from ..table.tell import why
from .admission import replace, replaceable
from .answers import CLOSING, GONE, IDLE, SLOW
from .books import Books
from .bots import checked_bot
from .config import Config
from .ends import Ends
from .errors import Limited, NoToken, Overloaded, Unavailable, unknown
from .headers import header
from .hub import Hub
from .limits import address_key
from .line import Line
from .links import Access, Opens, admitted
from .live import Live
from .lobby import Lobby
from .logs import Logs
from .metrics import Metrics
from .outlet import Kind, Outlet, Watch, beat
from .pulse import Pulse
from .removals import Removals
from .replays import Replays
from .who import bearer, person, same
from .wire import Asked

KEY: Final = re.compile(r"[A-Za-z0-9-][A-Za-z0-9_-]{0,63}", re.ASCII)
FULL: Final = {"limit.sockets", "limit.streams", "limit.lines", "limit.spectators"}
ENDED: Final = {CLOSING: "closing", SLOW: "slow", IDLE: "idle", GONE: "left"}
FACE_SIZE: Final = 4096  # characters of a face that somebody drew


class Edge:
    """A server as its doors see it."""

    def __init__(
        self, config: Config, hub: Hub, metrics: Metrics, logs: Logs, clock: Callable[[], float]
    ) -> None:
        self.config = config
        self.hub = hub
        self.metrics = metrics
        self.logs = logs
        self.clock = clock
        self.limits = config.limits
        self.books = Books(config.limits, clock)
        self.removals = Removals(config.limits, clock)
        self.watch = Watch(config.limits, clock, metrics)
        self.lobby = Lobby(hub.store, clock, self._entrance)
        self.ends = Ends(hub.log)
        self.replays = Replays(config.limits)
        self.pulse = Pulse(hub.store, clock, self._pulse_changed)
        self.started = False
        self.closing = False
        self._failing = False  # whether the last command could not be written down
        self._opened: dict[str, set[str]] = {}  # tables by the address that opened them

    def _pulse_changed(self, well: bool) -> None:
        """Log it once when the store begins to fail, and once when it works again."""
        if well:
            self.logs.info("store_available")
        else:
            self.logs.error("store_unavailable")

    async def close(self) -> None:
        """Let nobody new in, finish what was begun, and see everybody out, all in good time."""
        if self.closing:
            return
        self.closing = True
        with suppress(TimeoutError):  # a store that hangs does not keep anybody
            async with asyncio.timeout(self.limits.closing_s / 3):
                await self.hub.close()
        await self.watch.part(self.limits.closing_s / 4)

    # ── Who ──────────────────────────────────────────────────────────────────────────────────

    def address(self, scope: Scope) -> str:
        """Give the address that the limits of a connection are kept under."""
        client = scope.get("client")
        forwarded = header(scope, b"x-forwarded-for") if self.config.proxies else ()
        return address_key(self.config.trusted.address(client and client[0], forwarded))

    def person(self, token: str, address: str) -> str:
        """Give who has a token; what is no token is counted."""
        try:
            return person(token)
        except NoToken:
            self._no_token(address)
            raise

    def bearer(self, scope: Scope, address: str) -> str:
        """Give who sends a request; nothing if it does not say."""
        try:
            return bearer(header(scope, b"authorization"))
        except NoToken:
            self._no_token(address)
            raise

    def _no_token(self, address: str) -> None:
        self.turned_away("token", address)
        self.books.missed(address)

    def turned_away(self, reason: str, address: str) -> None:
        """Count somebody who did not get as far as a table."""
        self.metrics.turned_away[reason].value += 1
        self.logs.warning("turned_away", reason=reason, address=address)

    def turn_away(self, error: CatInTheBoxError, address: str) -> None:
        """Count somebody for whom there is no room."""
        reason = "address_full" if error.code in FULL else "rate"
        self.turned_away("server_full" if isinstance(error, Overloaded) else reason, address)

    # ── Tables ───────────────────────────────────────────────────────────────────────────────

    @asynccontextmanager
    async def table(self, key: str, address: str, game: int | None = None) -> AsyncIterator[Access]:
        """Hold on to the table that a key opens; the key to a game's replay opens that game only.

        A wrong key, an id and a table that does not exist are answered alike, and are counted:
        guessing is slow.
        """
        async with AsyncExitStack() as stack:
            try:
                opens = self._read_key(key, game)
                live = await stack.enter_async_context(self.hub.table(opens.table))
                access = admitted(live, opens.purpose)
            except CatInTheBoxError as error:
                if error.code == "table.unknown":
                    self.books.missed(address)
                raise
            yield access

    def _entrance(self, table: str, keyed: bool) -> str:
        return self.hub.links.entrance(table, keyed=keyed)

    def opens(self, key: str, address: str, game: int) -> Opens:
        """Say what a key opens, for a game that need not be read again; a wrong one is counted.

        An id without a code may still be wrong: only the table knows whether it has keys.
        """
        try:
            return self._read_key(key, game)
        except CatInTheBoxError:
            self.books.missed(address)
            raise

    def _read_key(self, key: str, game: int | None) -> Opens:
        """Read a key; a wrong one costs no look into the store."""
        opens = self.hub.links.read(_checked(key), game)
        if opens is None:
            raise unknown()
        return opens

    @asynccontextmanager
    async def listening(
        self,
        access: Access,
        who: str,
        version: int | None,
        kind: Kind,
        abort: Callable[[], None],
        address: str,
    ) -> AsyncIterator[Outlet]:
        """Connect somebody to a table."""
        live, who = access.live, access.person(who)
        if self.closing:
            raise Overloaded("this server is being restarted", self.limits.retry_after_s)
        line = Line(who, self.limits.queue_frames, self.limits.queue_bytes, address)
        outlet = Outlet(kind, line, self.clock(), abort, live.clock.now)
        async with AsyncExitStack() as stack:

            def admit() -> None:
                visitor = self._room_at(live, line)
                admission = self.books.sockets if kind == "websocket" else self.books.streams
                stack.enter_context(admission.admitted(line))
                if visitor is not None:  # only now is it certain that somebody else comes
                    replace(visitor)

            listening = self.hub.listening(live, line, version, admit)
            self._resumed(outlet, version, await stack.enter_async_context(listening))
            with self.watch.over(outlet):
                self.logs.info("line_opened", kind=kind, table=live.id)
                try:
                    yield outlet
                finally:  # whoever leaves a socket does so by an exception
                    reason = ENDED.get(line.over, "other")
                    self.logs.info("line_closed", kind=kind, table=live.id, reason=reason)

    def _resumed(self, outlet: Outlet, version: int | None, resent: int | None) -> None:
        """Count who came back; whoever has missed nothing is told at least that."""
        if version is None:
            return
        if resent is None:
            self.metrics.resyncs.value += 1
        elif resent:
            self.metrics.resends.value += resent
        else:
            outlet.line.put(beat(outlet.time()))

    def _room_at(self, live: Live, line: Line) -> Line | None:
        """Check that a table has room for a line; return a visitor who has to make room, if any."""
        limits, wait = self.limits, self.limits.retry_after_s
        if line.who and live.lines_of(line.who) >= limits.lines_per_seat:
            raise Limited("limit.lines", "you are at this table too often; close a window", wait)
        if line.player or live.spectators < limits.spectators_per_table:
            return None
        visitor = replaceable(live.lines, line)
        if visitor is None:
            raise Limited("limit.spectators", "too many people watch this table", wait)
        return visitor

    # ── Commands ─────────────────────────────────────────────────────────────────────────────

    async def do(self, access: Access, who: str, address: str, id: str, command: Asked) -> Done:
        """Carry a command out, if whoever sends it may."""
        began, live = self.clock(), access.live
        if access.watch_only:
            raise refused("table.watch_only", "this link is for watching; ask for the one to play")
        if not who:
            raise NoToken
        self.books.move(live.id, who, address)
        if type(command) is not Act:
            self.permit(command)
        if type(command) is Say and (seat := live.table.seat_of(who)) is not None:
            self.books.chat(live.id, seat, who, address)
        if type(command) is Sit:
            self._may_sit(live, who, address)
        live.came_from(who, address)
        done = await self.hub.do(live, Sent(id, command), who)
        self.removals.seen(live.id, who, address)
        if type(command) is Kick:
            self.removals.add(live.id, live.table.removed, host=who)
        elif type(command) is Readmit:
            self.removals.lift(live.id, command.name)
        if self._failing:
            self._failing = False
            self.logs.info("store_recovered")
        self.metrics.tell_seconds.observe(self.clock() - began)
        return done

    def _may_sit(self, live: Live, who: str, address: str) -> None:
        """Refuse too many newcomers from an address, or any from one that was sent away."""
        if live.table.seat_of(who) is None and not same(who, live.table.host):
            self.removals.check(live.id, address)
            self.books.sit(live.id, address)

    def permit(self, command: Command) -> None:
        """Refuse what tables would allow, and this server does not."""
        if isinstance(command, AddBot):
            checked_bot(command.level)
        elif isinstance(command, Say) and not command.preset and not self.config.free_chat:
            raise refused("table.chat", "phrases only, no texts")

    def permit_settings(self, settings: Settings) -> None:
        """Refuse settings that this server does not offer."""
        checked_bot(settings.cover)
        if settings.chat == "free" and not self.config.free_chat:
            raise NotUnderstood("input.settings", "chat: off or preset; no free texts here")
        if len(settings.face) > FACE_SIZE:
            raise NotUnderstood("input.settings", f"face: at most {FACE_SIZE} characters")
        settings.check()

    def opening(self, address: str) -> None:
        """Count a table that somebody wants to open; too many are refused."""
        wait = self.limits.retry_after_s
        tables = self.hub.tables.values()
        if len(tables) >= self.limits.tables and not any(live.unused for live in tables):
            raise Overloaded("this server has too many tables just now", wait)
        kept = {id for id in self._opened.pop(address, ()) if self._goes_on(id)}
        if kept:
            self._opened[address] = kept
        if len(kept) >= self.limits.tables_per_address:
            raise Limited("limit.tables", "too many tables of this address go on", wait)
        self.books.table(address)

    def opened(self, address: str, id: str) -> None:
        """Remember who opened a table."""
        if len(self._opened) >= self.limits.buckets:
            self._opened.clear()  # so many visitors cannot all be held to everything
        self._opened.setdefault(address, set()).add(id)
        self.logs.info("table_opened", table=id)

    def _goes_on(self, id: str) -> bool:
        """Whether a table is in use; those that nobody uses have left the memory."""
        live = self.hub.tables.get(id)
        return live is not None and live.table.stage not in ("over", "closed")

    def why(self, live: Live, who: str, address: str, action: Action, id: str = "") -> Why:
        """Say why somebody may not do something now."""
        seat = live.table.seat_of(who) if who else None
        if seat is None:
            raise refused("table.not_seated", "you have no seat at this table")
        self.books.move(live.id, who, address)
        return why(live.table, seat, action, live.teller.view, id)

    def refused(self, error: Exception, address: str) -> None:
        """Count a command that came to nothing."""
        if isinstance(error, Limited):
            self.metrics.commands["limited"].value += 1
            self.logs.warning("limited", limit=error.code.removeprefix("limit."), address=address)
            return
        if isinstance(error, Unavailable):
            self._failing = True
            self.logs.error("store_failed")
        outcome = "not_understood" if isinstance(error, NotUnderstood) else "refused"
        self.metrics.commands[outcome].value += 1


def _checked(key: str) -> str:
    """Give a key back if it can be one."""
    if not KEY.fullmatch(key):
        raise unknown()
    return key
