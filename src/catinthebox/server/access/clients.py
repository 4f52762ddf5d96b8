"""Who a client is: the address that its limits are counted under, and the person of its token."""

from __future__ import annotations

from typing import Final

from starlette.types import Scope

from ..errors import NoToken
from ..http.middleware import header
from ..ops.networks import LOCAL, Networks, address_key
from .rate_limits import RateLimits
from .refusals import RefusalLog
from .tokens import bearer, person

FORWARDED: Final = (b"x-forwarded-for", b"x-real-ip", b"forwarded", b"via")


class ClientIdentity:
    """Reads addresses and tokens of requests; `proxies` are those whose headers are trusted."""

    def __init__(self, proxies: Networks, rate_limits: RateLimits, refusals: RefusalLog) -> None:
        self._proxies = proxies
        self._rate_limits = rate_limits
        self._refusals = refusals

    def address(self, scope: Scope) -> str:
        """Return the address that the limits of a client are counted under."""
        return address_key(self._proxies.client(_peer(scope), header(scope, b"x-forwarded-for")))

    def comes_from(self, scope: Scope, networks: Networks) -> bool:
        """Whether the client's address is in one of some networks.

        Behind a proxy that is not configured, every client has the proxy's address; so a request
        with a header that only proxies write, and that no trusted proxy wrote, is never accepted.
        """
        peer, forwarded = _peer(scope), header(scope, b"x-forwarded-for")
        by_proxy = bool(forwarded) and peer in self._proxies
        if not by_proxy and any(header(scope, name) for name in FORWARDED):
            return False
        address = self._proxies.client(peer, forwarded)
        return (None if address == LOCAL else address) in networks

    def person(self, token: str, address: str) -> str:
        """Return the hash of a token; an invalid one is counted against the address."""
        try:
            return person(token)
        except NoToken:
            self._count_invalid_token(address)
            raise

    def bearer(self, scope: Scope, address: str) -> str:
        """Return the hash of a request's bearer token; an empty text if it has none."""
        try:
            return bearer(header(scope, b"authorization"))
        except NoToken:
            self._count_invalid_token(address)
            raise

    def _count_invalid_token(self, address: str) -> None:
        self._refusals.rejected("token", address)
        self._rate_limits.missed(address)


def _peer(scope: Scope) -> str | None:
    """Return the address that a connection comes from; None for a unix socket."""
    client = scope.get("client")
    return client[0] if client else None
