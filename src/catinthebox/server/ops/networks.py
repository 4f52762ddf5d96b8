"""IP networks, and the address that a request counts for behind proxies.

>>> address_key("2001:db8:7:8:9::1"), address_key("203.0.113.9")
('2001:db8:7:8::/64', '203.0.113.9')
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Final, Self, TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
LOCAL: Final = "local"  # a peer without an address: a unix socket
UNIX: Final = "unix"


@dataclass(frozen=True)
class Networks:
    """A set of IP networks, such as the trusted proxies.

    `X-Forwarded-For` is a list to which every proxy appends the address of its own peer. So only
    its right end can be trusted, for as long as each hop is a trusted proxy; a client can write
    anything into the rest. If the peer itself is not a trusted proxy, the header is ignored.

    >>> proxies = Networks.parse(["127.0.0.1", "10.0.0.0/8"])
    >>> proxies.client("127.0.0.1", ["6.6.6.6, 203.0.113.9, 10.0.0.2"])
    '203.0.113.9'
    >>> proxies.client("198.51.100.1", ["203.0.113.9"])
    '198.51.100.1'
    """

    networks: tuple[IPv4Network | IPv6Network, ...] = ()
    unix: bool = False  # includes peers at our unix socket, which is a file with permissions

    @classmethod
    def parse(cls, texts: Iterable[str]) -> Self:
        """Parse addresses, networks and the word `unix`; an error lists all that are invalid."""
        words = list(texts)
        networks, bad = [], []
        for word in words:
            try:
                networks += [ip_network(word)] if word != UNIX else []
            except ValueError:
                bad.append(word)
        if bad:
            raise ValueError(f"not an address, a network or 'unix': {', '.join(map(repr, bad))}")
        return cls(tuple(networks), UNIX in words)

    def client(self, peer: str | None, forwarded: Sequence[str] = ()) -> str:
        """Return the client's address: `peer`, or what proxies of this set have forwarded."""
        hops = [hop for value in forwarded for hop in value.split(",")]
        found, trusted = _parsed(peer), peer in self
        while hops and trusted:
            hop = _parsed(hops.pop().strip(" \t"))
            if hop is None:  # not an address: then the proxy counts as the client
                break
            found, trusted = hop, self._has(hop)
        return LOCAL if found is None else str(found)

    def __contains__(self, peer: str | None) -> bool:
        """Whether an address is in one of the networks; None is a peer at a unix socket."""
        return self.unix if peer is None else self._has(_parsed(peer))

    def _has(self, address: Address | None) -> bool:
        return address is not None and any(address in network for network in self.networks)


def _parsed(text: str | None) -> Address | None:
    """Parse an address in its usual form: no port, no brackets, no name."""
    try:
        found = ip_address(text or "")
    except ValueError:
        return None
    if isinstance(found, IPv6Address):
        return found.ipv4_mapped or IPv6Address(int(found))  # without the name of an interface
    return found


def address_key(address: str) -> str:
    """Return what the limits of a client are counted under: its IPv4 address, or its IPv6 /64.

    A household, or a single machine, has 2**64 IPv6 addresses; a limit for each would be none.
    """
    found = _parsed(address)
    if isinstance(found, IPv6Address):
        return str(IPv6Network((int(found) >> 64 << 64, 64)))
    return LOCAL if found is None else str(found)
