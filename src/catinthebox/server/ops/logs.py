"""The server's structured log: one entry for each event, and no secrets in it.

An entry is an event from a fixed list with fields from a fixed list. A field is a number, a word
from a list of its own, or a keyed hash, whose key is drawn at the start and never stored. No field
takes free text, so a token, a name, a card or a message cannot be logged. An exception is logged by
its type and its place in the code, never by its message, which may quote what a client sent.

>>> lines = []
>>> logs = Logs(lines.append, clock=lambda: 1_700_000_000.0, key=bytes(32), strict=False)
>>> logs.info("line_opened", table="a-secret-link")
>>> logs.info("worker_started", worker=2, token="a-secret")
>>> print(*lines, sep="")
{"time":"2023-11-14T22:13:20.000Z","level":"info","event":"line_opened","table":"fd83d227d7"}
{"time":"2023-11-14T22:13:20.000Z","level":"info","event":"worker_started","worker":2,"left_out":1}
<BLANKLINE>
"""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from traceback import walk_tb
from types import TracebackType
from typing import Final, Literal, Protocol, Self, TextIO, TypeAlias

from .throttling import Bucket

Value: TypeAlias = str | float | list[str]
LogLevel: TypeAlias = Literal["info", "warning", "error"]

EVENTS: Final = {  # every event, and how the human form words it
    "started": "the server accepts connections",
    "stopping": "the server is stopping; it finishes running commands",
    "stopped": "the server has stopped",
    "worker_started": "a worker has started",
    "worker_lost": "a worker has ended and is replaced",
    "line_opened": "a connection was opened",
    "line_closed": "a connection was closed",
    "turned_away": "a client was rejected",
    "limited": "a command was refused by a rate limit",
    "table_opened": "a table was opened",
    "table_broken": "the log of a table cannot be read",
    "table_damaged": "the stored log of a table is damaged; see catinthebox check-store",
    "store_failed": "the store failed",
    "store_recovered": "the store works again",
    "store_unavailable": "the store cannot be read or written, so /readyz answers 503",
    "store_available": "the store can be read and written again, and /readyz answers 200",
    "bot_failed": "a bot made no legal move; a simple player moves for it",
    "bots_lost": "a process of the bot pool has failed and is replaced",
    "failure": "a server error",
    "library": "a library has logged something",
}
HASHED: Final = frozenset({"table", "address"})  # what would identify a table or a client
NUMBERS: Final = frozenset({"status", "port", "pid", "worker", "lines"})
WORDS: Final = {  # fields that hold one word of a list
    "kind": {"websocket", "ndjson"},
    "limit": {
        *("socket", "seat", "chat", "address", "requests", "misses", "tables", "upgrades"),
        *("sockets", "streams", "lines", "spectators", "replays", "sits", "removed", "days"),
    },
    "reason": {
        *("host", "origin", "framing", "media", "too_large", "too_slow"),
        *("rate", "address_full", "server_full", "token"),  # of a client that was rejected
        *("closing", "slow", "idle", "left", "other"),  # of a connection that was closed
    },
    "logger": {"catinthebox", "uvicorn", "websockets", "asyncio", "psycopg", "other"},
}
LARGEST: Final = 2**53  # every secret has more bits
HASH_SIZE: Final = 5  # bytes: enough to tell tables apart, too few to guess one
FRAMES: Final = 6  # stack frames of an exception that are logged, the innermost ones
PACKAGE: Final = Path(__file__).parents[2]


class NotLoggable(ValueError):
    """An event, or a field, that may not be logged."""


@dataclass
class EventRate:
    """How often an event may still be logged, and how often it was not since its last entry."""

    bucket: Bucket
    missed: int = 0


@dataclass
class Logs:
    """Writes entries with `write`; `clock` returns seconds since 1970, `key` is that of the hashes.

    A client that causes an event again and again could fill the disk. So an event is logged `rate`
    times a second in the long run, and its next entry says how many were `missed`. With `strict`,
    which is for tests, a field that would be left out raises `NotLoggable` instead.
    """

    write: Callable[[str], object]
    clock: Callable[[], float]
    key: bytes = field(repr=False)
    strict: bool = True
    human: bool = False
    rate: float = 5.0
    burst: float = 100.0

    def __post_init__(self) -> None:
        self._rates = {event: EventRate(Bucket(self.rate, self.burst)) for event in EVENTS}

    @classmethod
    def on(cls, stream: TextIO, clock: Callable[[], float], key: bytes) -> Self:
        """Log to a stream: in the human form on a terminal, else as JSON."""

        def write(entry: str) -> None:
            stream.write(entry)
            stream.flush()

        return cls(write, clock, key, strict=False, human=stream.isatty())

    def info(self, event: str, **fields: object) -> None:
        """Log something ordinary."""
        self.write_entry("info", event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """Log a client's error, or a problem that resolves itself."""
        self.write_entry("warning", event, fields)

    def error(self, event: str, **fields: object) -> None:
        """Log a problem that needs somebody's attention."""
        self.write_entry("error", event, fields)

    def failure(self, error: BaseException, event: str = "failure", **fields: object) -> None:
        """Log an exception: its type, the type of its cause, and its place in our code."""
        self.write_entry("error", event, fields, _described(error))

    # ── One entry ────────────────────────────────────────────────────────────────────────────

    def write_entry(
        self,
        level: LogLevel,
        event: str,
        fields: dict[str, object],
        more: dict[str, Value] | None = None,
    ) -> None:
        """Write an entry; `fields` are checked, `more` is from this module and is not."""
        if event not in EVENTS:
            self._refuse("no such event")
            event = "failure"
        now = self.clock()
        rate = self._rates[event]
        if rate.bucket.take(now):
            rate.missed += 1
            return
        entry = self._allowed(fields) | (more or {})
        if rate.missed:
            entry["missed"], rate.missed = rate.missed, 0
        form = _human if self.human else _json
        with suppress(OSError, ValueError):  # a log that cannot be written must not end a game
            self.write(form(now, level, event, entry))

    def _allowed(self, fields: dict[str, object]) -> dict[str, Value]:
        """Return those fields that may be logged, as they are logged."""
        entry: dict[str, Value] = {}
        for name, value in fields.items():
            allowed = self._value(name, value)
            if allowed is None:
                self._refuse(f"the field {name!r} cannot hold this")
            else:
                entry[name] = allowed
        if len(entry) < len(fields):
            entry["left_out"] = len(fields) - len(entry)
        return entry

    def _value(self, name: str, value: object) -> Value | None:
        if name in HASHED:
            return self.tag(name, value) if isinstance(value, str) else None
        if name in NUMBERS:
            return value if isinstance(value, int | float) and abs(value) < LARGEST else None
        return value if isinstance(value, str) and value in WORDS.get(name, ()) else None

    def tag(self, name: str, value: str) -> str:
        """Return the hash that stands for a table or an address in this log."""
        text = value.encode("utf-8", "replace")
        return blake2b(text, digest_size=HASH_SIZE, key=self.key, person=name.encode()).hexdigest()

    def _refuse(self, why: str) -> None:
        if self.strict:
            raise NotLoggable(why)


def _time(now: float) -> str:
    return datetime.fromtimestamp(now, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


def _json(now: float, level: LogLevel, event: str, entry: dict[str, Value]) -> str:
    whole = {"time": _time(now), "level": level, "event": event, **entry}
    return json.dumps(whole, separators=(",", ":")) + "\n"  # ASCII: an entry is one line


def _human(now: float, level: LogLevel, event: str, entry: dict[str, Value]) -> str:
    fields = [f"{name}={','.join(v) if isinstance(v, list) else v}" for name, v in entry.items()]
    prefix = "" if level == "info" else f"{level}: "
    return "  ".join([_time(now)[11:19], prefix + EVENTS[event], *fields]) + "\n"


# ── Exceptions ───────────────────────────────────────────────────────────────────────────────


def _described(error: BaseException, *places: str) -> dict[str, Value]:
    """Return the fields of an exception: its type, the type of its cause, and its place."""
    while isinstance(error, BaseExceptionGroup):  # as task groups raise them
        error = error.exceptions[0]
    found: dict[str, Value] = {"error": type(error).__name__}
    cause = error.__cause__ or error.__context__
    found |= {"cause": type(cause).__name__} if cause else {}
    return found | {"at": [*places, *_places(error.__traceback__)]}


def _places(trace: TracebackType | None) -> list[str]:
    """Return file and line of our own stack frames, the innermost last; or of a foreign one."""
    frames = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(trace)]
    ours = [(path.relative_to(PACKAGE), line) for path, line in frames if PACKAGE in path.parents]
    # Without the home folder.
    short = [(Path(*path.parts[-2:]), line) for path, line in frames[-1:]]
    return [f"{path.as_posix()}:{line}" for path, line in ours[-FRAMES:] or short]


# ── Python's own logging ─────────────────────────────────────────────────────────────────────


class LogBridge(logging.Handler):
    """Logs that a library has logged something: which library, where, upon which exception.

    The message is left out: it may hold paths, addresses and what clients sent. The place in the
    code identifies it. A module of ours that has no `Logs` may name the event, and the table that
    it is about: `extra={"event": "bots_lost"}`.
    """

    def __init__(self, logs: Logs) -> None:
        super().__init__(logging.WARNING)
        self._logs = logs

    def emit(self, record: logging.LogRecord) -> None:
        """Log one record."""
        level: LogLevel = "error" if record.levelno >= logging.ERROR else "warning"
        place = f"{record.name}:{record.module}.py:{record.lineno}"
        error = record.exc_info[1] if record.exc_info else None
        more: dict[str, Value] = _described(error, place) if error else {"at": [place]}
        root = record.name.partition(".")[0]
        event = getattr(record, "event", "library") if root == OURS else "library"
        fields: dict[str, object] = {"logger": root if root in WORDS["logger"] else "other"}
        if root == OURS and hasattr(record, "table"):
            fields["table"] = record.table  # written as a hash
        self._logs.write_entry(level, event, fields, more)


OURS: Final = "catinthebox"
ACCESS: Final = "uvicorn.access"  # an entry for each request, with its path: never
LOGGERS: Final = ("", "uvicorn", "uvicorn.error", "uvicorn.asgi", ACCESS, "websockets", "asyncio")


@contextmanager
def capture_logging(logs: Logs) -> Iterator[None]:
    """Send what libraries log, and exceptions that nothing catches, to `logs` for a while.

    uvicorn has to be started with `log_config=None, access_log=False`.
    """
    loggers = [logging.getLogger(name) for name in LOGGERS]
    before = [(logger, logger.handlers, logger.propagate, logger.level) for logger in loggers]
    hooks = threading.excepthook, sys.unraisablehook
    for logger in loggers:
        logger.handlers, logger.propagate = [], logger.name != ACCESS
    loggers[0].handlers = [LogBridge(logs)]
    loggers[0].setLevel(logging.WARNING)
    threading.excepthook = sys.unraisablehook = _hook(logs)
    try:
        yield
    finally:
        threading.excepthook, sys.unraisablehook = hooks
        for logger, handlers, propagate, level in before:
            logger.handlers, logger.propagate = handlers, propagate
            logger.setLevel(level)


class Uncaught(Protocol):
    """The argument of Python's hooks for uncaught exceptions."""

    @property
    def exc_value(self) -> BaseException | None:
        """The exception, if there is an object for it."""


def _hook(logs: Logs) -> Callable[[Uncaught], None]:
    return lambda uncaught: logs.failure(uncaught.exc_value or RuntimeError())
