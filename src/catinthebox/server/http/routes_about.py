"""Routes about the server itself: levels of bots, addresses, health, metrics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...players.levels import LEVELS
from ...protocol.server_info import Addresses, Health, Levels, LevelShown
from ..access.clients import ClientIdentity
from ..live.hub import Hub
from ..ops.config import LOOPBACK, Config
from ..ops.lifecycle import Lifecycle
from ..ops.metrics import CONTENT_TYPE, Metrics
from ..ops.networks import Networks
from ..ops.store_health import StoreHealth
from .responses import HttpError, json_response
from .routing import API, Answer, ApiRoute

THIS_MACHINE: Final = Networks.parse(LOOPBACK)
SHOWN: Final = Levels(tuple(LevelShown(level.name, level.sentence) for level in LEVELS.values()))


@dataclass(frozen=True)
class AboutEndpoints:
    """Handlers of the routes about the server; `config` has its addresses and metrics' readers."""

    config: Config
    clients: ClientIdentity
    lifecycle: Lifecycle
    store_health: StoreHealth
    hub: Hub
    metrics: Metrics

    async def list_levels(self, request: Request) -> Response:
        """Answer with the levels of bots that the server offers.

        Pages of the configured origins may read this, and nothing else: a site without a server
        looks here whether an address is one of ours, before it sends people there (docs/site.md).
        """
        headers = {"Cache-Control": "public, max-age=3600", "Vary": "Origin"}
        origin = request.headers.get("origin")
        if origin is not None and self.config.allowed_origins.names_page(origin):
            headers["Access-Control-Allow-Origin"] = origin
        return json_response(SHOWN, headers=headers)

    async def list_addresses(self, request: Request) -> Response:
        """Answer with the addresses under which others reach the server, for invitations.

        Only clients on the same machine see them: they reveal the local network.
        """
        here = self.clients.comes_from(request.scope, THIS_MACHINE)
        return json_response(Addresses(self.config.addresses if here else ()))

    async def is_alive(self, request: Request) -> Response:
        """Answer that the process is alive."""
        return json_response(Health("ok"))

    async def is_ready(self, request: Request) -> Response:
        """Answer whether a load balancer should send clients here."""
        health = await self._health()
        return json_response(health, 200 if health.status == "ok" else 503)

    async def _health(self) -> Health:
        if self.lifecycle.closing:
            return Health("closing")
        if not self.lifecycle.started:
            return Health("starting")
        return Health("ok" if await self.store_health.available() else "store")

    async def read_metrics(self, request: Request) -> Response:
        """Answer with the metrics for Prometheus, if the client's address may read them."""
        if not self.clients.comes_from(request.scope, self.config.metrics_readers):
            raise HttpError(403, "http.address", "metrics are not for this address; see --metrics")
        self.metrics.tables_live.value = len(self.hub.tables)
        self.metrics.games_damaged.value = len(self.hub.store.damaged())
        return Response(self.metrics.text(), media_type=CONTENT_TYPE)


ROUTES: Final = (
    ApiRoute(
        "GET",
        f"{API}/levels",
        AboutEndpoints.list_levels,
        id="listLevels",
        summary="List the levels of bots",
        answers=(Answer("All levels, from the weakest to the strongest.", Levels),),
    ),
    ApiRoute(
        "GET",
        f"{API}/addresses",
        AboutEndpoints.list_addresses,
        id="listAddresses",
        summary="List the addresses of this server",
        answers=(
            Answer(
                "Addresses for invitations; empty unless the client is on the same machine.",
                Addresses,
            ),
        ),
    ),
    ApiRoute(
        "GET",
        "/healthz",
        AboutEndpoints.is_alive,
        id="isAlive",
        summary="Check that the process is alive",
        answers=(Answer("It is alive.", Health),),
        rate_limited=False,
    ),
    ApiRoute(
        "GET",
        "/readyz",
        AboutEndpoints.is_ready,
        id="isReady",
        summary="Check whether the server is ready for clients",
        answers=(Answer("It is ready.", Health), Answer("It is not, and why.", Health, status=503)),
        rate_limited=False,
    ),
    ApiRoute(
        "GET",
        "/metrics",
        AboutEndpoints.read_metrics,
        id="readMetrics",
        summary="Read the metrics, from an allowed address",
        answers=(
            Answer(
                "Metrics in the text format of Prometheus.",
                {"type": "string"},
                CONTENT_TYPE.partition(";")[0],
            ),
        ),
        errors=frozenset({403}),
    ),
)
