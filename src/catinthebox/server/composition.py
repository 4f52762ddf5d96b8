"""The parts of a server, put together: the one place that knows all of them.

`opened` opens a store, starts bots and tables, and closes everything in the end. `http.app` makes
an application from the parts; each handler in it is given only those that it uses.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from time import monotonic, time_ns
from typing import Protocol

from ..game import Action
from ..store import Store, open_store
from ..views import View
from .access.clients import ClientIdentity
from .access.commands import CommandRunner
from .access.connector import Connector
from .access.opener import TableOpener
from .access.policy import TablePolicy
from .access.rate_limits import RateLimits
from .access.refusals import RefusalLog
from .access.removals import Removals
from .access.tables import TableAccess
from .bots.fair_queue import Place
from .bots.pool import BotPool
from .http.documents import ROUTE_LABELS
from .live.connection import ConnectionMonitor
from .live.day_tables import DayTables, Decide, nobody
from .live.finished_games import FinishedGames
from .live.hub import Hub
from .live.invitations import Invitations
from .live.lobby import Lobby
from .live.randomness import Randomness
from .live.replays import Replays
from .live.scheduler import BotPlayers, Scheduler
from .ops.config import Config
from .ops.lifecycle import Lifecycle
from .ops.logs import Logs
from .ops.metrics import Metrics
from .ops.store_health import StoreHealth


@dataclass(frozen=True)
class ServerParts:
    """Every part of a server in this process; it has no behavior of its own."""

    config: Config
    clock: Callable[[], float]  # seconds, for rates and time-outs
    metrics: Metrics
    logs: Logs
    hub: Hub
    monitor: ConnectionMonitor
    lifecycle: Lifecycle
    rate_limits: RateLimits
    refusals: RefusalLog
    clients: ClientIdentity
    tables: TableAccess
    connector: Connector
    policy: TablePolicy
    commands: CommandRunner
    opener: TableOpener
    lobby: Lobby
    invitations: Invitations
    finished_games: FinishedGames
    replays: Replays
    day_tables: DayTables
    store_health: StoreHealth


def compose(
    config: Config,
    hub: Hub,
    metrics: Metrics,
    logs: Logs,
    clock: Callable[[], float],
    decide: Decide = nobody,
) -> ServerParts:
    """Make the parts of a server around its hub."""
    limits = config.limits
    rate_limits = RateLimits(limits, clock)
    refusals = RefusalLog(metrics, logs)
    monitor = ConnectionMonitor(limits, clock, metrics)
    lifecycle = Lifecycle(hub, monitor, limits.closing_s)
    policy = TablePolicy(config.free_chat)
    removals = Removals(limits, clock)
    return ServerParts(
        config=config,
        clock=clock,
        metrics=metrics,
        logs=logs,
        hub=hub,
        monitor=monitor,
        lifecycle=lifecycle,
        rate_limits=rate_limits,
        refusals=refusals,
        clients=ClientIdentity(config.trusted_proxies, rate_limits, refusals),
        tables=TableAccess(hub, rate_limits),
        connector=Connector(hub, monitor, lifecycle, limits, rate_limits, metrics, logs, clock),
        policy=policy,
        commands=CommandRunner(hub, policy, rate_limits, removals, metrics, refusals, clock),
        opener=TableOpener(hub, limits, rate_limits, logs),
        lobby=Lobby(hub.store, clock, lambda id, keyed: hub.links.entrance(id, keyed=keyed)),
        invitations=Invitations(hub.store, clock, lambda: hub.links),
        finished_games=FinishedGames(hub.log),
        replays=Replays(limits),
        day_tables=DayTables(hub.store, decide, hub.now, clock, limits, config.daily_days),
        store_health=StoreHealth(hub.store, clock, partial(_log_store_health, logs)),
    )


def _log_store_health(logs: Logs, available: bool) -> None:
    """Log once when the store begins to fail, and once when it works again."""
    if available:
        logs.info("store_available")
    else:
        logs.error("store_unavailable")


# ── From opening to closing ──────────────────────────────────────────────────────────────────


def now_ms() -> int:
    """Return the wall-clock time in milliseconds, which all workers share."""
    return time_ns() // 1_000_000


class ManagedBots(BotPlayers, Protocol):
    """Bots that are started and stopped with a server."""

    async def decide(self, level: str, view: View, seed: int, place: Place) -> Action | None:
        """Return what a level decides with a seed; None if nobody has the time."""

    async def start(self) -> None:
        """Start the processes in which bots think."""

    async def close(self) -> None:
        """Stop them."""


@asynccontextmanager
async def opened(
    config: Config, logs: Logs, bots: ManagedBots | None = None, chance: Randomness | None = None
) -> AsyncIterator[ServerParts]:
    """Open everything of a server but its network sockets: the store, the bots, the tables."""
    bots = bots or BotPool(config.processes, max_waiting=config.limits.bots_waiting)
    store = await asyncio.to_thread(open_store, config.db)
    try:
        async with _running(config, logs, store, bots, chance) as parts:
            yield parts
    finally:
        await asyncio.to_thread(store.close)


@asynccontextmanager
async def _running(
    config: Config, logs: Logs, store: Store, bots: ManagedBots, chance: Randomness | None
) -> AsyncIterator[ServerParts]:
    metrics = Metrics(ROUTE_LABELS)
    hub = Hub(store, now_ms, chance=chance, most=config.limits.tables, metrics=metrics)
    Scheduler(hub, bots, config.pace)
    parts = compose(config, hub, metrics, logs, monotonic, bots.decide)
    await bots.start()
    try:
        await hub.open()
        tasks = [
            asyncio.create_task(work) for work in (parts.monitor.run(), parts.day_tables.run())
        ]
        parts.lifecycle.started = True
        try:
            yield parts
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await parts.lifecycle.close()
    finally:
        await bots.close()
