"""About the server: the bots that it offers, whether it is well, its numbers."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ..players.levels import LEVELS
from .answers import Problem, said
from .config import HERE
from .doors import API, Door
from .edge import Edge
from .headers import header
from .limits import Trusted
from .metrics import CONTENT_TYPE
from .wire import Addresses, Health, Levels, LevelShown

FORWARDED: Final = (b"x-forwarded-for", b"x-real-ip", b"forwarded", b"via")
THIS_MACHINE: Final = Trusted.parse(HERE)
SHOWN: Final = Levels(tuple(LevelShown(level.name, level.sentence) for level in LEVELS.values()))


async def levels(edge: Edge, request: Request) -> Response:
    """List the levels of bots."""
    return said(SHOWN, headers={"Cache-Control": "public, max-age=3600"})


async def addresses(edge: Edge, request: Request) -> Response:
    """Say to whoever sits at this machine what others call it: an invitation to localhost is none.

    What it is called inside of its network is nobody else's business.
    """
    here = _comes_from(edge, request, THIS_MACHINE)
    return said(Addresses(edge.config.addresses if here else ()))


async def healthz(edge: Edge, request: Request) -> Response:
    """Say that the process is alive."""
    return said(Health("ok"))


async def readyz(edge: Edge, request: Request) -> Response:
    """Say whether it should be sent visitors."""
    health = await _health(edge)
    return said(health, 200 if health.status == "ok" else 503)


async def _health(edge: Edge) -> Health:
    if edge.closing:
        return Health("closing")
    if not edge.started:
        return Health("starting")
    return Health("ok" if await edge.pulse.beats() else "store")


async def metrics(edge: Edge, request: Request) -> Response:
    """Give the numbers, to those who may see them."""
    if not _comes_from(edge, request, edge.config.readers):
        raise Problem(403, "http.address", "the numbers are not for this address")
    edge.metrics.tables_live.value = len(edge.hub.tables)
    edge.metrics.games_damaged.value = len(edge.hub.store.damaged())
    return Response(edge.metrics.text(), media_type=CONTENT_TYPE)


def _comes_from(edge: Edge, request: Request, networks: Trusted) -> bool:
    """Whether somebody comes from one of some networks.

    Behind a proxy that we were not told of, the whole world has the proxy's address.
    """
    scope, config = request.scope, edge.config
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


DOORS: Final = (
    Door(f"{API}/levels", {"GET": levels}),
    Door(f"{API}/addresses", {"GET": addresses}),
    Door("/healthz", {"GET": healthz}),
    Door("/readyz", {"GET": readyz}),
    Door("/metrics", {"GET": metrics}),
)
