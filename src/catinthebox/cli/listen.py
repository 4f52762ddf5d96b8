"""Where a server listens: a socket on a free port, addresses to share, the browser.

>>> urls("0.0.0.0", 8123, lan=["192.168.1.7"])
['http://localhost:8123/', 'http://192.168.1.7:8123/']
>>> urls("127.0.0.1", 8123, lan=["192.168.1.7"]), urls("::1", 80, lan=[])
(['http://localhost:8123/'], ['http://localhost/'])
>>> urls("192.168.1.7", 8123, lan=[]), urls("2001:db8::7", 8123, lan=[])
(['http://192.168.1.7:8123/'], ['http://[2001:db8::7]:8123/'])
"""

from __future__ import annotations

import errno
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from ipaddress import ip_address
from threading import Thread
from typing import Final

from .. import NotUnderstood

PORT: Final = 8123
TRIES: Final = 20  # how many ports are tried
WAITING: Final = 1024  # connections waiting to be accepted
NOWHERE: Final = "192.0.2.1"  # an address for documentation (RFC 5737)
DISPLAYS: Final = ("DISPLAY", "WAYLAND_DISPLAY")

# ── A socket ─────────────────────────────────────────────────────────────────────────────────


class Taken(NotUnderstood):
    """The port is in use."""


def listening(host: str, port: int | None) -> socket.socket:
    """Listen on a port; by default on the first free one, starting at the default port."""
    if port is None:
        return _first_free(host, PORT)
    try:
        return _bound(host, port)
    except Taken as error:
        with _first_free(host, min(port + 1, 65535)) as free:
            sentence = f"{error}; port {free.getsockname()[1]} is free"
        raise Taken("input.option", sentence) from None


def _first_free(host: str, first: int) -> socket.socket:
    for port in range(first, min(first + TRIES, 65535)):
        with suppress(Taken):
            return _bound(host, port)
    return _bound(host, 0)  # any free port


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, *_, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        both = host == "::" and socket.has_dualstack_ipv6()
        return socket.create_server(
            address[:2], family=family, backlog=WAITING, dualstack_ipv6=both
        )
    except socket.gaierror:
        raise NotUnderstood("input.option", f"--host {host}: no such address") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise Taken("input.option", f"port {port} is taken by another program") from None
        raise NotUnderstood("input.option", _why_not(host, port, error)) from None


def _why_not(host: str, port: int, error: OSError) -> str:
    """Explain why an address cannot be listened on.

    >>> _why_not("0.0.0.0", 80, PermissionError(errno.EACCES, "Permission denied"))
    '--port 80: only an administrator may listen there; take one from 1024 on'
    >>> _why_not("192.0.2.1", 8123, OSError(errno.EADDRNOTAVAIL, "…"))
    '--host 192.0.2.1: this machine has no such address'
    """
    if error.errno == errno.EACCES:
        return f"--port {port}: only an administrator may listen there; take one from 1024 on"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"--host {host}: this machine has no such address"
    return f"--host {host} --port {port}: {error.strerror}"


# ── Addresses ────────────────────────────────────────────────────────────────────────────────


def urls(host: str, port: int, lan: Iterable[str]) -> list[str]:
    """Return the server's URLs: for this machine first, then for others in the network."""
    try:
        address = ip_address(host)
    except ValueError:
        return [_url(host, port)]
    if address.is_unspecified:
        return [_url("localhost", port), *(_url(other, port) for other in lan)]
    if address.is_loopback:
        return [_url("localhost", port)]
    return [_url(f"[{host}]" if address.version == 6 else host, port)]


def _url(host: str, port: int) -> str:
    return f"http://{host}/" if port == 80 else f"http://{host}:{port}/"


def lan_addresses() -> list[str]:
    """Return the addresses of this machine in its networks, without sending anything.

    Connecting a UDP socket only selects the interface that packets would use.
    """
    found = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((NOWHERE, 9))
        found.append(probe.getsockname()[0])
    if not found:  # no route; the machine's own name may still resolve
        with suppress(OSError):
            known = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
            found = [str(address[0]) for *_, address in known]
    return [address for address in dict.fromkeys(found) if not ip_address(address).is_loopback]


# ── The browser ──────────────────────────────────────────────────────────────────────────────


def has_desktop(environ: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a graphical browser can open; one in the terminal would be in the way.

    >>> has_desktop({"DISPLAY": ":0"}, "linux"), has_desktop({}, "linux"), has_desktop({}, "darwin")
    (True, False, True)
    """
    return platform in ("darwin", "win32") or any(environ.get(name) for name in DISPLAYS)


def show(url: str, opener: Callable[[str], object] = webbrowser.open) -> None:
    """Open the browser, if there is one, in the background."""

    def opened() -> None:
        with suppress(Exception):  # without a browser, the printed address is enough
            opener(url)

    Thread(target=opened, daemon=True).start()
