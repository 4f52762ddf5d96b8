"""Routes of the table of the day: read it, and add one's own game (docs/hosting.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...protocol.daily import DayTable, NewDayEntry, read_entry
from ..access.clients import ClientIdentity
from ..access.rate_limits import RateLimits
from ..access.refusals import RefusalLog
from ..access.tokens import bearer_for_days
from ..errors import Limited, Overloaded
from ..live.day_tables import DayTables
from .responses import json_response
from .routing import API, Answer, ApiRoute, client_address, optional_person, required_person

DAY: Final = f"{API}/daily/{{date}}"


@dataclass(frozen=True)
class DailyEndpoints:
    """Handlers of the routes of the table of the day."""

    clients: ClientIdentity
    day_tables: DayTables
    rate_limits: RateLimits
    refusals: RefusalLog

    async def read_day(self, request: Request) -> Response:
        """Answer with the table of a day."""
        optional_person(self.clients, request)  # refuses what is no token
        who = _person_of_days(request)
        return json_response(await self.day_tables.read(request.path_params["date"], who))

    async def enter_day(self, request: Request) -> Response:
        """Check a game, add it to the table of its day, and answer with the table."""
        required_person(self.clients, request)
        who, address = _person_of_days(request), client_address(request)
        wanted = read_entry(await request.body())
        try:
            self.rate_limits.day_entry(address)
            table = await self.day_tables.enter(request.path_params["date"], who, wanted)
        except (Limited, Overloaded) as error:
            self.refusals.rejected_by_limit(error, address)
            raise
        return json_response(table, 201)


def _person_of_days(request: Request) -> str:
    """Return the hash of a request's token that no table but those of the day knows."""
    return bearer_for_days(request.headers.getlist("authorization"))


ROUTES: Final = (
    ApiRoute(
        "GET",
        DAY,
        DailyEndpoints.read_day,
        id="readDay",
        summary="Read the table of a day",
        answers=(Answer("The best entries, and those around your own.", DayTable),),
        token="may",
        errors=frozenset({404, 503}),
    ),
    ApiRoute(
        "POST",
        DAY,
        DailyEndpoints.enter_day,
        id="enterDay",
        summary="Add your game to the table of its day",
        answers=(Answer("Your game was checked, and is on the table.", DayTable, status=201),),
        token="must",
        errors=frozenset({404, 409, 503}),
        body=NewDayEntry,
    ),
)
