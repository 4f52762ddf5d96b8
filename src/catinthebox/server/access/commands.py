"""Commands of people at tables: who may send which, and how fast."""

from __future__ import annotations

from collections.abc import Callable

from ...game import Action
from ...protocol.commands import ClientCommand
from ...protocol.messages import Done, Why
from ...table import Act, Kick, Readmit, Say, Sent, Sit
from ...table.errors import refused
from ..errors import NoToken
from ..live.hub import Hub
from ..live.links import Access
from ..live.live_table import LiveTable
from ..ops.metrics import Metrics
from .policy import TablePolicy
from .rate_limits import RateLimits
from .refusals import RefusalLog
from .removals import Removals
from .tokens import same


class CommandRunner:
    """Checks commands against keys, limits and the server's policy; the hub carries them out."""

    def __init__(
        self,
        hub: Hub,
        policy: TablePolicy,
        rate_limits: RateLimits,
        removals: Removals,
        metrics: Metrics,
        refusals: RefusalLog,
        clock: Callable[[], float],
    ) -> None:
        self._hub = hub
        self._policy = policy
        self._rate_limits = rate_limits
        self._removals = removals
        self._metrics = metrics
        self._refusals = refusals
        self._clock = clock

    async def run(
        self, access: Access, who: str, address: str, id: str, command: ClientCommand
    ) -> Done:
        """Carry a command out, if its sender may. What is refused, the caller reports."""
        began, live = self._clock(), access.live
        self._check(access, who, address, command)
        live.note_address(who, address)
        done = await self._hub.do(live, Sent(id, command), who)
        self._removals.seen(live.id, who, address)
        if type(command) is Kick:
            self._removals.add(live.id, live.table.removed, host=who)
        elif type(command) is Readmit:
            self._removals.lift(live.id, command.name)
        if self._refusals.store_failing:
            self._refusals.store_recovered()
        self._metrics.commands["done"].value += 1
        self._metrics.tell_seconds.observe(self._clock() - began)
        return done

    def _check(self, access: Access, who: str, address: str, command: ClientCommand) -> None:
        """Refuse a command for any reason that the table itself does not know."""
        live = access.live
        if access.purpose == "watch":
            raise refused("table.watch_only")
        if not who:
            raise NoToken
        self._rate_limits.move(live.id, who, address)
        if type(command) is Act:  # the most frequent command has no other checks
            return
        self._policy.check_command(command)
        if type(command) is Say and (seat := live.table.seat_of(who)) is not None:
            self._rate_limits.chat(live.id, seat, who, address)
        if type(command) is Sit:
            self._check_newcomer(live, who, address)

    def _check_newcomer(self, live: LiveTable, who: str, address: str) -> None:
        """Refuse too many newcomers from an address, or any from one that was removed."""
        if live.table.seat_of(who) is None and not same(who, live.table.host):
            self._removals.check(live.id, address)
            self._rate_limits.sit(live.id, address)

    def why(self, live: LiveTable, who: str, address: str, action: Action, id: str = "") -> Why:
        """Return why a seat may not take an action now."""
        seat = live.table.seat_of(who) if who else None
        if seat is None:
            raise refused("table.not_seated")
        self._rate_limits.move(live.id, who, address)
        return live.broadcaster.why(seat, action, id)
