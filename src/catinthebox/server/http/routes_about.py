"""Routes about the server itself: its bots, its addresses, its health, its metrics."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...players.levels import LEVELS
from ...protocol.api import Addresses, Health, Levels, LevelShown
from ..context import ServerContext
from ..ops.config import HERE
from ..ops.limits import Trusted
from ..ops.metrics import CONTENT_TYPE
from .middleware import header
from .responses import HttpError, json_response
from .routing import API, Answer, ApiRoute

FORWARDED: Final = (b"x-forwarded-for", b"x-real-ip", b"forwarded", b"via")
THIS_MACHINE: Final = Trusted.parse(HERE)
SHOWN: Final = Levels(tuple(LevelShown(level.name, level.sentence) for level in LEVELS.values()))


async def list_levels(context: ServerContext, request: Request) -> Response:
    """Answer with the levels of bots that the server offers."""
    return json_response(SHOWN, headers={"Cache-Control": "public, max-age=3600"})


async def list_addresses(context: ServerContext, request: Request) -> Response:
    """Answer with the addresses under which others reach the server, for invitations.

    Only clients on the same machine see them: they tell how the local network is built.
    """
    here = _comes_from(context, request, THIS_MACHINE)
    return json_response(Addresses(context.config.addresses if here else ()))


async def is_alive(context: ServerContext, request: Request) -> Response:
    """Answer that the process is alive."""
    return json_response(Health("ok"))


async def is_ready(context: ServerContext, request: Request) -> Response:
    """Answer whether a load balancer should send clients here."""
    health = await _health(context)
    return json_response(health, 200 if health.status == "ok" else 503)


async def _health(context: ServerContext) -> Health:
    if context.closing:
        return Health("closing")
    if not context.started:
        return Health("starting")
    return Health("ok" if await context.store_health.beats() else "store")


async def read_metrics(context: ServerContext, request: Request) -> Response:
    """Answer with the metrics for Prometheus, if the client's address may read them."""
    if not _comes_from(context, request, context.config.readers):
        raise HttpError(403, "http.address", "the numbers are not for this address")
    context.metrics.tables_live.value = len(context.hub.tables)
    context.metrics.games_damaged.value = len(context.hub.store.damaged())
    return Response(context.metrics.text(), media_type=CONTENT_TYPE)


def _comes_from(context: ServerContext, request: Request, networks: Trusted) -> bool:
    """Whether the client's address is in one of some networks.

    Behind a proxy that is not configured, every client has the proxy's address; so a request with a
    header that only proxies write, and that no trusted proxy wrote, is never accepted.
    """
    scope, config = request.scope, context.config
    client, forwarded = scope.get("client"), header(scope, b"x-forwarded-for")
    peer = client and client[0]
    told = bool(forwarded) and config.trusted.believes(peer)
    if not told and any(header(scope, name) for name in FORWARDED):
        return False
    found = config.trusted.address(peer, forwarded)
    try:
        return any(ip_address(found) in network for network in networks.networks)
    except ValueError:  # a unix socket
        return networks.unix


ROUTES: Final = (
    ApiRoute(
        *("GET", f"{API}/levels", list_levels),
        *("listLevels", "List the bots that are offered"),
        (Answer("The gentlest first.", Levels),),
    ),
    ApiRoute(
        *("GET", f"{API}/addresses", list_addresses),
        *("listAddresses", "Ask where others find this server"),
        (Answer("What to put into an invitation, on the server's own machine.", Addresses),),
    ),
    ApiRoute(
        *("GET", "/healthz", is_alive),
        *("isAlive", "Ask whether the server is alive"),
        (Answer("It is.", Health),),
        rate_limited=False,
    ),
    ApiRoute(
        *("GET", "/readyz", is_ready),
        *("isReady", "Ask whether the server takes part"),
        (Answer("It does.", Health), Answer("Not now, and why.", Health, status=503)),
        rate_limited=False,
    ),
    ApiRoute(
        *("GET", "/metrics", read_metrics),
        *("readMetrics", "Read the metrics, from an address that may"),
        (Answer("For Prometheus.", {"type": "string"}, CONTENT_TYPE.partition(";")[0]),),
        errors=frozenset({403}),
    ),
)
