"""`catinthebox serve`: live games for browsers and programs (docs/hosting.md)."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final

from .. import NotUnderstood
from ..optional import load
from ..server.http.origins import Origins
from ..server.ops.networks import Networks
from ..store import default_path
from ..store.open import is_postgres
from .database import add_db
from .listen import PORT, has_desktop, lan_addresses, listening, show, urls

if TYPE_CHECKING:
    from ..server.ops.config import Config

EVERYWHERE: Final = "0.0.0.0"
HOST: Final = f"the address to listen on (default {EVERYWHERE}: all addresses of this machine)"
MOST: Final = 64  # of workers, and of bot processes
MOST_MS: Final = 60_000
MOST_DAYS: Final = 3650
LOGS: Final = {"text": "human", "json": "json", None: "auto"}
ALONE: Final = """--workers: a file is written by one process; \
several need PostgreSQL, --db postgresql://…"""
NOT_HERE: Final = "--workers: not on this system; start several servers, each on its own port"


# ── Options ──────────────────────────────────────────────────────────────────────────────────


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_db(parser)
    add = parser.add_argument
    add("--host", default=EVERYWHERE, metavar="ADDRESS", help=HOST)
    add(
        "--port",
        type=_number(0, 65535),
        metavar="N",
        help=f"the port to listen on (default: {PORT}, or if that is taken the next free one)",
    )
    add("--no-open", action="store_true", help="do not open the browser")
    add(
        "--workers",
        type=_number(1, MOST),
        default=1,
        metavar="N",
        help="the number of processes that share the port (default 1); more need PostgreSQL",
    )
    many: Callable[..., object] = partial(add, action="append", default=[])
    many(
        "--host-name",
        type=_name,
        metavar="NAME",
        help="a host name of this server, such as cats.example",
    )
    many(
        "--origin",
        type=_page,
        metavar="URL",
        help="let pages of this origin use the server, too",
    )
    many(
        "--proxy",
        type=_network,
        metavar="ADDRESS",
        help="trust the X-Forwarded headers of this proxy address or network",
    )
    many(
        "--metrics",
        type=_network,
        metavar="ADDRESS",
        help="let this address or network read /metrics, too",
    )
    add(
        "--bot-processes",
        type=_number(0, MOST),
        metavar="N",
        help="the number of processes for bots (default 1)",
    )
    add(
        "--bot-pace",
        type=_number(0, MOST_MS),
        metavar="MS",
        help="the minimum milliseconds for a bot's move (default 700)",
    )
    add(
        "--free-chat",
        action="store_true",
        help="allow tables with free text in the chat, not only phrases",
    )
    add(
        "--daily-days",
        type=_number(0, MOST_DAYS),
        metavar="N",
        help="how many days to keep the tables of the day (default 31; 0: offer none)",
    )
    add(
        "--log",
        choices=("text", "json"),
        help="how to write the log (default: text on a terminal, json elsewhere)",
    )


def _number(least: int, most: int) -> Callable[[str], int]:
    """Return a parser of whole numbers within limits."""

    def number(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and least <= int(text[:9]) <= most):
            raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a number, {least} to {most}")
        return int(text)

    return number


def _checked(check: Callable[[str], object]) -> Callable[[str], str]:
    """Return a parser that keeps the text if a check accepts it."""

    def checked(text: str) -> str:
        try:
            check(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        return text

    return checked


_name = _checked(lambda text: Origins.of(names=(text,)))
_page = _checked(lambda text: Origins.of(pages=(text,)))
_network = _checked(lambda text: Networks.parse((text,)))


def _config(arguments: argparse.Namespace, port: int) -> Config:
    """Build the server's configuration from the options."""
    server = import_module("catinthebox.server.ops.config")
    pace, bots, days = arguments.bot_pace, arguments.bot_processes, arguments.daily_days
    try:
        made: Config = server.Config(
            db=arguments.db,
            host=arguments.host,
            port=port,
            names=tuple(arguments.host_name),
            addresses=tuple(_elsewhere(arguments, port)),
            origins=tuple(arguments.origin),
            proxies=tuple(arguments.proxy),
            metrics=(*server.LOOPBACK, *arguments.metrics),
            pace=server.Pace() if pace is None else server.Pace(bot_ms=pace),
            processes=server.Config.processes if bots is None else bots,
            free_chat=arguments.free_chat,
            daily_days=server.Config.daily_days if days is None else days,
            logs=LOGS[arguments.log],
        )
    except ValueError as error:
        raise NotUnderstood("input.option", str(error)) from None
    return made


# ── Running ──────────────────────────────────────────────────────────────────────────────────


def run(arguments: argparse.Namespace) -> int:
    """Serve until stopped."""
    workers = _workers()
    if arguments.workers > 1:
        _check_workers(arguments.db)
    with listening(arguments.host, arguments.port) as listener:
        port: int = listener.getsockname()[1]
        config = _config(arguments, port)
        try:
            if arguments.workers > 1:
                workers.supervise(
                    config, arguments.workers, listener, lambda: _open(arguments, port)
                )
            else:
                workers.serve_in_process(config, listener, lambda: _open(arguments, port))
        except workers.StartFailed as error:
            sentence = " ".join(str(error).split())  # a library's message may have several lines
            raise NotUnderstood("input.option", f"--db: {sentence}") from None
    print("Stopped. All games are saved.", flush=True)
    return 0


def _workers() -> ModuleType:
    return load("catinthebox.server.ops.workers", extra="serve")


def _check_workers(db: str | None) -> None:
    """Raise an error unless several processes can write to the store."""
    if db is None or not is_postgres(db):
        raise NotUnderstood("input.option", ALONE)
    if os.name == "nt":
        raise NotUnderstood("input.option", NOT_HERE)


def _elsewhere(arguments: argparse.Namespace, port: int) -> list[str]:
    """Return the URLs for other machines; host names come first, people remember them."""
    named = [f"http://{name}:{port}/" for name in arguments.host_name if ":" not in name]
    _, *found = urls(arguments.host, port, lan_addresses())
    return [*named, *found] if found else []


def _open(arguments: argparse.Namespace, port: int) -> None:
    """Print the server's addresses, and open the browser."""
    here, *_ = urls(arguments.host, port, ())
    if arguments.port is None and port != PORT:
        print(f"Port {PORT} is taken by another program; this is the next free one.")
    print(f"The box is open: {here}")
    for url in _elsewhere(arguments, port):
        print(f"  from other machines of your network: {url}")
    print(f"Games are kept in {_where(arguments.db)}. Ctrl-C stops; nothing is lost.", flush=True)
    if not arguments.no_open and sys.stdout.isatty() and has_desktop(os.environ):
        show(here)


def _where(db: str | None) -> str:
    if db is None:
        return str(default_path())
    return "PostgreSQL" if is_postgres(db) else db
