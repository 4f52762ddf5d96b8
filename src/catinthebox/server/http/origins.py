"""Which web pages may talk to this server, and under which names it may be called.

**Origin.** A browser says which page a request comes from, and no script can make it lie. A page of
ours (the same host) may talk to us, and so may pages that were named at the start. `null` is what
sandboxed frames and local files say: anybody can make one, so it is nobody. No `Origin` at all
means that no page is behind it: browsers send one with every WebSocket handshake and every POST. A
program can write whatever it likes there, so insisting on it would stop nobody; and it would gain
nothing, since nothing here is granted to a browser as such: there are no cookies, and a seat's
token travels in a message, from whoever knows it.

**Host.** A page of an enemy may have its own name lead to your machine's address after it was
loaded (DNS rebinding): then it *is* the same origin, also to a server that the rest of the world
cannot reach. But the browser still sends the name. So this server answers to names that it was
told, to `localhost`, and to addresses, which are what they are and cannot be made to lead
elsewhere. Behind a proxy, or under a name in a network at home, it must be told its name.

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
LENGTH: Final = 253 + len(":65535")  # the longest name there can be, with a port
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
        """Read a `Host` header, or what stands after the `//` of an origin."""
        found = HOST.fullmatch(text.lower()) if len(text) <= LENGTH else None
        name = found and _name(found[1])
        port = int(found[2]) if found and found[2] else None
        if not name or (port is not None and not 0 < port < 65536):
            raise ValueError("not a host: a name or an address, perhaps with a port")
        return cls(name, port)

    @property
    def literal(self) -> bool:
        """Whether it is an address."""
        return ":" in self.name or self.name.replace(".", "").isdigit()

    @property
    def loopback(self) -> bool:
        """Whether the name always means this machine (RFC 6761)."""
        return self.name == LOOPBACK or self.name.endswith(f".{LOOPBACK}")


@dataclass(frozen=True)
class Origin:
    """Where a page comes from. Its port is always given, where the scheme has a usual one."""

    scheme: str
    host: HostName

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an `Origin` header; `null` is none."""
        found = ORIGIN.fullmatch(text.lower())
        if found is None:
            raise ValueError("not an origin: https://name, perhaps with a port")
        return cls.at(found[1], HostName.parse(found[2]))

    @classmethod
    def at(cls, scheme: str, host: HostName) -> Self:
        """Return the origin of the pages of a host."""
        return cls(scheme, HostName(host.name, host.port or PORTS.get(scheme)))


@dataclass(frozen=True)
class Origins:
    """The names of this server, and the pages elsewhere that may talk to it."""

    names: frozenset[str] = frozenset()
    pages: frozenset[Origin] = frozenset()

    @classmethod
    def of(cls, names: Iterable[str] = (), pages: Iterable[str] = ()) -> Self:
        """Read what the command line says; an error names everything that is wrong."""
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

    def allows(self, origin: str | None, host: str | None, scheme: str) -> bool:
        """Whether a page may send requests to this server, called by `host` over `scheme`."""
        if origin is None:
            return True
        try:
            page = Origin.parse(origin)
            return page in self.pages or _same(page, HostName.parse(host or ""), scheme)
        except ValueError:
            return False


def _same(page: Origin, host: HostName, scheme: str) -> bool:
    """Whether a page is one of this server's.

    We may see `http` where the browser sees `https`, when a proxy ends TLS in front of us. The
    other way round, a page that came unprotected is not let into a protected server.
    """
    ours = UPGRADES.get(scheme, scheme)
    return page == Origin.at(page.scheme, host) and page.scheme in {ours, "https"}


def _name(text: str) -> str:
    """Return a name or an address in its normal form; an empty text if it is neither."""
    try:
        if text.startswith("["):
            return str(IPv6Address(text[1:-1]))
        if text.rpartition(".")[2].isdigit():  # as browsers do: what ends in a number is an address
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
