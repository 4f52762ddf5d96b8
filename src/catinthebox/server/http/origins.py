"""Which web pages may use this server, and which host names it answers to.

**Origin.** A browser sends the origin of the page that makes a request, and scripts cannot change
it. Pages of this server (the same host) may use it, and so may the configured origins. `null` is
the origin of sandboxed frames and local files: anybody can make one, so it is refused. Without an
`Origin` no page is involved: browsers send it with every WebSocket handshake and every POST. Other
programs can send any value, so requiring one would not stop them; and they would gain nothing,
since a browser has no privileges here: there are no cookies, and clients send their tokens.

**Host.** An attacker's page can make its own host name resolve to your machine's address after it
was loaded (DNS rebinding). Then it has the same origin as this server, even if the rest of the
world cannot reach the server. But the browser still sends the attacker's host name. So this server
answers only to configured names, to `localhost`, and to IP addresses, which cannot be made to
resolve to something else. Behind a proxy, or with a name in a local network, configure the name.

>>> pages = Origins.of(names=["cats.example"], pages=["https://club.example"])
>>> pages.knows("cats.example:8000"), pages.knows("192.168.1.7:8000"), pages.knows("evil.example")
(True, True, False)
>>> pages.allows("https://cats.example", host="cats.example", scheme="http")  # TLS at a proxy
True
>>> [pages.allows(page, "cats.example", "https") for page in (None, "https://club.example")]
[True, True]
>>> [pages.allows(page, "cats.example", "https") for page in ("null", "http://cats.example")]
[False, False]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Final, Self, TypeVar

NAME: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*", re.ASCII)
HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:]+)(?::([0-9]{1,5}))?", re.ASCII)
ORIGIN: Final = re.compile(r"([a-z][a-z0-9+.-]*)://(.+)", re.ASCII)
LENGTH: Final = 253 + len(":65535")  # the longest possible name, with a port
PORTS: Final = {"http": 80, "https": 443}
UPGRADES: Final = {"ws": "http", "wss": "https"}
LOOPBACK: Final = "localhost"

T = TypeVar("T")


@dataclass(frozen=True)
class HostName:
    """A name or an address, and a port if it is not the usual one.

    >>> HostName.parse("Cats.example:8000"), HostName.parse("[0::1]")
    (HostName(name='cats.example', port=8000), HostName(name='::1', port=None))
    >>> HostName.parse("::1")
    Traceback (most recent call last):
        ...
    ValueError: not a host: a name or an address, perhaps with a port
    """

    name: str
    port: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a `Host` header, or the part of an origin after `//`."""
        found = HOST.fullmatch(text.lower()) if len(text) <= LENGTH else None
        name = found and _name(found[1])
        port = int(found[2]) if found and found[2] else None
        if not name or (port is not None and not 0 < port < 65536):
            raise ValueError("not a host: a name or an address, perhaps with a port")
        return cls(name, port)

    @property
    def literal(self) -> bool:
        """Whether it is an IP address."""
        return ":" in self.name or self.name.replace(".", "").isdigit()

    @property
    def loopback(self) -> bool:
        """Whether the name always means this machine (RFC 6761)."""
        return self.name == LOOPBACK or self.name.endswith(f".{LOOPBACK}")


@dataclass(frozen=True)
class Origin:
    """The origin of a page; the port is set, if the scheme has a default one."""

    scheme: str
    host: HostName

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse an `Origin` header; `null` is invalid."""
        found = ORIGIN.fullmatch(text.lower())
        if found is None:
            raise ValueError("not an origin: https://name, perhaps with a port")
        return cls.at(found[1], HostName.parse(found[2]))

    @classmethod
    def at(cls, scheme: str, host: HostName) -> Self:
        """Return the origin of the pages that a host serves."""
        return cls(scheme, HostName(host.name, host.port or PORTS.get(scheme)))


@dataclass(frozen=True)
class Origins:
    """The host names of this server, and the other origins whose pages may use it."""

    names: frozenset[str] = frozenset()
    pages: frozenset[Origin] = frozenset()

    @classmethod
    def of(cls, names: Iterable[str] = (), pages: Iterable[str] = ()) -> Self:
        """Parse names and origins; an error lists all that are invalid."""
        hosts, bad_names = _each(HostName.parse, names)
        origins, bad_pages = _each(Origin.parse, pages)
        if bad_names or bad_pages:
            raise ValueError(f"not a name, or not an origin: {', '.join(bad_names + bad_pages)}")
        return cls(frozenset(host.name for host in hosts), frozenset(origins))

    def knows(self, host: str) -> bool:
        """Whether a `Host` header names this server."""
        try:
            found = HostName.parse(host)
        except ValueError:
            return False
        return found.literal or found.loopback or found.name in self.names

    def names_page(self, origin: str) -> bool:
        """Whether an origin is one of the configured other ones."""
        try:
            return Origin.parse(origin) in self.pages
        except ValueError:
            return False

    def allows(self, origin: str | None, host: str | None, scheme: str) -> bool:
        """Whether a page of an origin may send a request to `host` over `scheme`."""
        if origin is None:
            return True
        try:
            page = Origin.parse(origin)
            return page in self.pages or _same(page, HostName.parse(host or ""), scheme)
        except ValueError:
            return False


def _same(page: Origin, host: HostName, scheme: str) -> bool:
    """Whether a page is from this server.

    The browser may use `https` where this server gets `http`, if a proxy terminates TLS. The other
    way round, a page that was loaded over `http` may not use a server over `https`.
    """
    ours = UPGRADES.get(scheme, scheme)
    return page == Origin.at(page.scheme, host) and page.scheme in {ours, "https"}


def _name(text: str) -> str:
    """Return a name or an address in its normal form; an empty text if it is neither."""
    try:
        if text.startswith("["):
            return str(IPv6Address(text[1:-1]))
        if text.rpartition(".")[2].isdigit():  # as in browsers: such a name is an address
            return str(IPv4Address(text))
    except ValueError:
        return ""
    return text if NAME.fullmatch(text) else ""


def _each(parse: Callable[[str], T], texts: Iterable[str]) -> tuple[list[T], list[str]]:
    """Parse texts; return the values, and the texts that could not be parsed."""
    good, bad = [], []
    for text in texts:
        try:
            good.append(parse(text))
        except ValueError:
            bad.append(repr(text))
    return good, bad
