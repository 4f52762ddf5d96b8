"""What all transports of a server share: its hub, its limits, its metrics, and who may do what.

HTTP, WebSocket and NDJSON differ in how bytes come and go. Which command is allowed to whom, and
how fast, is decided here, once for all of them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Final

from starlette.types import Scope

from ..game import Action, CatInTheBoxError, NotUnderstood
from ..protocol.commands import ClientCommand
from ..protocol.messages import Done, Why
from ..table import Act, AddBot, Command, Kick, Readmit, Say, Sent, Settings, Sit
from ..table.errors import refused
from .bots.pool import checked_bot
from .errors import Limited, NoToken, Overloaded, Unavailable, unknown
from .http.middleware import header
from .http.responses import CLOSING, GONE, IDLE, SLOW
from .live.admission import replace, replaceable
from .live.connection import Connection, ConnectionMonitor, Transport, beat
from .live.finished_games import FinishedGames
from .live.hub import Hub
from .live.links import Access, Opens, admitted
from .live.live_table import LiveTable
from .live.lobby import Lobby
from .live.outbox import Outbox
from .live.removals import Removals
from .live.replays import Replays
from .live.tokens import bearer, person, same
from .ops.config import Config
from .ops.limits import address_key
from .ops.logs import Logs
from .ops.metrics import Metrics
from .ops.rate_limits import RateLimits
from .ops.store_health import StoreHealth

KEY: Final = re.compile(r"[A-Za-z0-9-][A-Za-z0-9_-]{0,63}", re.ASCII)
FULL: Final = {"limit.sockets", "limit.streams", "limit.lines", "limit.spectators"}
ENDED: Final = {CLOSING: "closing", SLOW: "slow", IDLE: "idle", GONE: "left"}
FACE_SIZE: Final = 4096  # characters of a face that somebody drew


class ServerContext:
    """The parts of a running server, and the checks that every transport applies."""

    def __init__(
        self, config: Config, hub: Hub, metrics: Metrics, logs: Logs, clock: Callable[[], float]
    ) -> None:
        self.config = config
        self.hub = hub
        self.metrics = metrics
        self.logs = logs
        self.clock = clock
        self.limits = config.limits
        self.rate_limits = RateLimits(config.limits, clock)
        self.removals = Removals(config.limits, clock)
        self.monitor = ConnectionMonitor(config.limits, clock, metrics)
        self.lobby = Lobby(hub.store, clock, self._entrance)
        self.finished_games = FinishedGames(hub.log)
        self.replays = Replays(config.limits)
        self.store_health = StoreHealth(hub.store, clock, self._store_changed)
        self.started = False
        self.closing = False
        self._failing = False  # whether the last command could not be stored
        self._opened: dict[str, set[str]] = {}  # tables by the address that opened them

    def _store_changed(self, well: bool) -> None:
        """Log it once when the store begins to fail, and once when it works again."""
        if well:
            self.logs.info("store_available")
        else:
            self.logs.error("store_unavailable")

    async def close(self) -> None:
        """Accept no new connection, finish running commands, and end all connections, in time."""
        if self.closing:
            return
        self.closing = True
        with suppress(TimeoutError):  # a store that hangs does not delay the rest
            async with asyncio.timeout(self.limits.closing_s / 3):
                await self.hub.close()
        await self.monitor.part(self.limits.closing_s / 4)

    # ── Who ──────────────────────────────────────────────────────────────────────────────────

    def address(self, scope: Scope) -> str:
        """Return the address that the limits of a connection are counted under."""
        client = scope.get("client")
        forwarded = header(scope, b"x-forwarded-for") if self.config.proxies else ()
        return address_key(self.config.trusted.address(client and client[0], forwarded))

    def person(self, token: str, address: str) -> str:
        """Return the hash of a token; an invalid one is counted against the address."""
        try:
            return person(token)
        except NoToken:
            self._no_token(address)
            raise

    def bearer(self, scope: Scope, address: str) -> str:
        """Return the hash of a request's bearer token; an empty text if it has none."""
        try:
            return bearer(header(scope, b"authorization"))
        except NoToken:
            self._no_token(address)
            raise

    def _no_token(self, address: str) -> None:
        self.turned_away("token", address)
        self.rate_limits.missed(address)

    def turned_away(self, reason: str, address: str) -> None:
        """Count and log a client that was rejected before it reached a table."""
        self.metrics.turned_away[reason].value += 1
        self.logs.warning("turned_away", reason=reason, address=address)

    def turn_away(self, error: CatInTheBoxError, address: str) -> None:
        """Count and log a client that was rejected by a limit."""
        reason = "address_full" if error.code in FULL else "rate"
        self.turned_away("server_full" if isinstance(error, Overloaded) else reason, address)

    # ── Tables ───────────────────────────────────────────────────────────────────────────────

    @asynccontextmanager
    async def table(self, key: str, address: str, game: int | None = None) -> AsyncIterator[Access]:
        """Keep the table of a key in memory; the key of a game's replay opens that game only.

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
                    self.rate_limits.missed(address)
                raise
            yield access

    def _entrance(self, table: str, keyed: bool) -> str:
        return self.hub.links.entrance(table, keyed=keyed)

    def opens(self, key: str, address: str, game: int) -> Opens:
        """Return what a key opens, without loading the table; a wrong key is counted.

        An id without a code may still be wrong: only the table knows whether it has keys.
        """
        try:
            return self._read_key(key, game)
        except CatInTheBoxError:
            self.rate_limits.missed(address)
            raise

    def _read_key(self, key: str, game: int | None) -> Opens:
        """Read a key; a wrong one is refused without asking the store."""
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
        kind: Transport,
        abort: Callable[[], None],
        address: str,
    ) -> AsyncIterator[Connection]:
        """Connect a client to a table, if there is room."""
        live, who = access.live, access.person(who)
        if self.closing:
            raise Overloaded("this server is being restarted", self.limits.retry_after_s)
        outbox = Outbox(who, self.limits.queue_frames, self.limits.queue_bytes, address)
        connection = Connection(kind, outbox, self.clock(), abort, live.clock.now)
        async with AsyncExitStack() as stack:

            def admit() -> None:
                visitor = self._room_at(live, outbox)
                admission = (
                    self.rate_limits.sockets if kind == "websocket" else self.rate_limits.streams
                )
                stack.enter_context(admission.admitted(outbox))
                if visitor is not None:  # only now is it certain that somebody else comes
                    replace(visitor)

            listening = self.hub.connect(live, outbox, version, admit)
            self._resumed(connection, version, await stack.enter_async_context(listening))
            with self.monitor.over(connection):
                self.logs.info("line_opened", kind=kind, table=live.id)
                try:
                    yield connection
                finally:  # a WebSocket is left by an exception
                    reason = ENDED.get(outbox.over, "other")
                    self.logs.info("line_closed", kind=kind, table=live.id, reason=reason)

    def _resumed(self, connection: Connection, version: int | None, resent: int | None) -> None:
        """Count a reconnection; a client that has missed nothing gets a `Beat` at least."""
        if version is None:
            return
        if resent is None:
            self.metrics.resyncs.value += 1
        elif resent:
            self.metrics.resends.value += resent
        else:
            connection.outbox.put(beat(connection.time()))

    def _room_at(self, live: LiveTable, outbox: Outbox) -> Outbox | None:
        """Check that a table has room; return the outbox of a visitor who has to make room."""
        limits, wait = self.limits, self.limits.retry_after_s
        if outbox.who and live.connections_of(outbox.who) >= limits.lines_per_seat:
            raise Limited("limit.lines", "you are at this table too often; close a window", wait)
        if outbox.player or live.spectators < limits.spectators_per_table:
            return None
        visitor = replaceable(live.outboxes, outbox)
        if visitor is None:
            raise Limited("limit.spectators", "too many people watch this table", wait)
        return visitor

    # ── Commands ─────────────────────────────────────────────────────────────────────────────

    async def do(
        self, access: Access, who: str, address: str, id: str, command: ClientCommand
    ) -> Done:
        """Carry a command out, if its sender may."""
        began, live = self.clock(), access.live
        if access.watch_only:
            raise refused("table.watch_only", "this link is for watching; ask for the one to play")
        if not who:
            raise NoToken
        self.rate_limits.move(live.id, who, address)
        if type(command) is not Act:
            self.permit(command)
        if type(command) is Say and (seat := live.table.seat_of(who)) is not None:
            self.rate_limits.chat(live.id, seat, who, address)
        if type(command) is Sit:
            self._may_sit(live, who, address)
        live.note_address(who, address)
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

    def _may_sit(self, live: LiveTable, who: str, address: str) -> None:
        """Refuse too many newcomers from an address, or any from one that was removed."""
        if live.table.seat_of(who) is None and not same(who, live.table.host):
            self.removals.check(live.id, address)
            self.rate_limits.sit(live.id, address)

    def permit(self, command: Command) -> None:
        """Refuse a command that tables would allow, and this server does not."""
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
        """Count a table that is to be opened; too many are refused."""
        wait = self.limits.retry_after_s
        tables = self.hub.tables.values()
        if len(tables) >= self.limits.tables and not any(live.unused for live in tables):
            raise Overloaded("this server has too many tables just now", wait)
        kept = {id for id in self._opened.pop(address, ()) if self._goes_on(id)}
        if kept:
            self._opened[address] = kept
        if len(kept) >= self.limits.tables_per_address:
            raise Limited("limit.tables", "too many tables of this address go on", wait)
        self.rate_limits.table(address)

    def opened(self, address: str, id: str) -> None:
        """Remember which address opened a table."""
        if len(self._opened) >= self.limits.buckets:
            self._opened.clear()  # so many visitors cannot all be held to everything
        self._opened.setdefault(address, set()).add(id)
        self.logs.info("table_opened", table=id)

    def _goes_on(self, id: str) -> bool:
        """Whether a table is in use; unused ones are not in memory."""
        live = self.hub.tables.get(id)
        return live is not None and live.table.stage not in ("over", "closed")

    def why(self, live: LiveTable, who: str, address: str, action: Action, id: str = "") -> Why:
        """Return why a seat may not take an action now."""
        seat = live.table.seat_of(who) if who else None
        if seat is None:
            raise refused("table.not_seated", "you have no seat at this table")
        self.rate_limits.move(live.id, who, address)
        return live.broadcaster.why(seat, action, id)

    def refused(self, error: Exception, address: str) -> None:
        """Count a command that was refused."""
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
    """Return a key if it has the form of one."""
    if not KEY.fullmatch(key):
        raise unknown()
    return key
