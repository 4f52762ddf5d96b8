"""What the server writes about itself: one line for each thing that happened, and no secrets.

A line is an event from a fixed list with fields from a fixed list. A field is a number, a word of
its own short list, or something that only ever appears as a keyed hash, with a key that is drawn
at the start and forgotten at the end. There is no field for a text, so a token, a name, a card or
a message has nowhere to be written. An exception is told by its type and by where it was, never by
its words, since those may quote what somebody sent.

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
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from traceback import walk_tb
from types import TracebackType
from typing import Final, Literal, Protocol, Self, TextIO, TypeAlias

from .limits import Bucket

Value: TypeAlias = str | float | list[str]
LogLevel: TypeAlias = Literal["info", "warning", "error"]

EVENTS: Final = {  # what can happen, in the words of the human form
    "started": "the server listens",
    "stopping": "the server stops, and finishes what it began",
    "stopped": "the server has stopped",
    "worker_started": "a worker began",
    "worker_lost": "a worker died, another takes its place",
    "line_opened": "a line was opened",
    "line_closed": "a line was closed",
    "turned_away": "somebody was turned away at the door",
    "limited": "somebody was told to wait",
    "table_opened": "a table was opened",
    "table_broken": "the log of a table cannot be read",
    "table_damaged": "the stored log of a table is damaged; see catinthebox check-store",
    "store_failed": "the store failed",
    "store_recovered": "the store works again",
    "store_unavailable": "the store cannot be read or written, so /readyz answers 503",
    "store_available": "the store can be read and written again, and /readyz answers 200",
    "bot_failed": "a bot made no move; somebody else makes it",
    "bots_lost": "a process for bots failed and is replaced",
    "failure": "a server error",
    "library": "a library reports something",
}
HASHED: Final = frozenset({"table", "address"})  # links and people
NUMBERS: Final = frozenset({"status", "port", "pid", "worker", "lines"})
WORDS: Final = {  # a field and everything it can say
    "kind": {"websocket", "ndjson", "http", "metrics"},
    "store": {"sqlite", "postgresql"},
    "limit": {
        *("socket", "seat", "chat", "address", "requests", "misses", "tables", "upgrades"),
        *("sockets", "streams", "lines", "spectators", "nonsense", "bots", "replays"),
        *("sits", "removed"),
    },
    "method": {"GET", "HEAD", "POST", "OPTIONS", "other"},
    "reason": {
        *("host", "origin", "framing", "media", "too_large", "too_slow"),
        *("rate", "address_full", "server_full", "hello", "token", "heartbeat", "idle", "slow"),
        *("closing", "left", "protocol", "conflict", "busy", "closed", "failed", "time", "other"),
    },
    "logger": {"catinthebox", "uvicorn", "websockets", "asyncio", "psycopg", "other"},
}
CODE: Final = re.compile(  # of an error
    r"(http|illegal|input|limit|line|record|server|setup|table|turn)\.[a-z_]{1,30}"
)
LARGEST: Final = 2**53  # no secret of ours is so short a number
DIGITS: Final = 5  # bytes of a hash: enough to tell tables apart, far from enough to be one
FRAMES: Final = 6  # of an exception, the innermost ones
PACKAGE: Final = Path(__file__).parents[2]


class NotLoggable(ValueError):
    """An event, or a field, that no line may have."""


@dataclass
class Flow:
    """How fast an event may be written, and what was not since the last line of it."""

    bucket: Bucket
    missed: int = 0


@dataclass
class Logs:
    """Writes lines with `write`; `clock` gives seconds since 1970, `key` makes the hashes.

    Whoever can cause an event often could fill a disk with it: an event is written `rate` times a
    second in the long run, and the next line of it says how many were not. `strict` is for tests:
    what would be left out of a line raises `NotLoggable` instead.
    """

    write: Callable[[str], object]
    clock: Callable[[], float]
    key: bytes = field(repr=False)
    routes: Iterable[str] = ()
    strict: bool = True
    human: bool = False
    rate: float = 5.0
    burst: float = 100.0

    def __post_init__(self) -> None:
        self._flows = {event: Flow(Bucket(self.rate, self.burst)) for event in EVENTS}
        self._words = {**WORDS, "route": {*self.routes, "other"}}

    @classmethod
    def on(
        cls, stream: TextIO, clock: Callable[[], float], key: bytes, routes: Iterable[str] = ()
    ) -> Self:
        """Write to a stream: for people if it is a terminal, for machines if not."""

        def write(line: str) -> None:
            stream.write(line)
            stream.flush()

        return cls(write, clock, key, routes, strict=False, human=stream.isatty())

    def info(self, event: str, **fields: object) -> None:
        """Write what is as it should be."""
        self.write_line("info", event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """Write what somebody else did wrong, or what mends itself."""
        self.write_line("warning", event, fields)

    def error(self, event: str, **fields: object) -> None:
        """Write what somebody should look after."""
        self.write_line("error", event, fields)

    def failure(self, error: BaseException, event: str = "failure", **fields: object) -> None:
        """Write that an exception was caught: its type, its cause's, and where in our code."""
        self.write_line("error", event, fields, _described(error))

    # ── A line ───────────────────────────────────────────────────────────────────────────────

    def write_line(
        self,
        level: LogLevel,
        event: str,
        fields: dict[str, object],
        more: dict[str, Value] | None = None,
    ) -> None:
        """Write a line; `more` is made in this module, and not looked at again."""
        if event not in EVENTS:
            self._refuse("no such event")
            event = "failure"
        now = self.clock()
        flow = self._flows[event]
        if flow.bucket.take(now):
            flow.missed += 1
            return
        line = self._allowed(fields) | (more or {})
        if flow.missed:
            line["missed"], flow.missed = flow.missed, 0
        form = _human if self.human else _json
        with suppress(OSError, ValueError):  # nobody reads any more; that must not end a game
            self.write(form(now, level, event, line))

    def _allowed(self, fields: dict[str, object]) -> dict[str, Value]:
        """Return what may be written of these fields."""
        line: dict[str, Value] = {}
        for name, value in fields.items():
            allowed = self._value(name, value)
            if allowed is None:
                self._refuse(f"the field {name!r} cannot hold this")
            else:
                line[name] = allowed
        if len(line) < len(fields):
            line["left_out"] = len(fields) - len(line)
        return line

    def _value(self, name: str, value: object) -> Value | None:
        if name in HASHED:
            return self.tag(name, value) if isinstance(value, str) else None
        if name in NUMBERS:
            return value if isinstance(value, int | float) and abs(value) < LARGEST else None
        if not isinstance(value, str):
            return None
        known = CODE.fullmatch(value) if name == "code" else value in self._words.get(name, ())
        return value if known else None

    def tag(self, name: str, value: str) -> str:
        """Return the hash that stands for a table or an address in these lines."""
        text = value.encode("utf-8", "replace")
        return blake2b(text, digest_size=DIGITS, key=self.key, person=name.encode()).hexdigest()

    def _refuse(self, why: str) -> None:
        if self.strict:
            raise NotLoggable(why)


def _time(now: float) -> str:
    return datetime.fromtimestamp(now, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


def _json(now: float, level: LogLevel, event: str, line: dict[str, Value]) -> str:
    whole = {"time": _time(now), "level": level, "event": event, **line}
    return json.dumps(whole, separators=(",", ":")) + "\n"  # ASCII: a line is one line


def _human(now: float, level: LogLevel, event: str, line: dict[str, Value]) -> str:
    words = [f"{name}={','.join(v) if isinstance(v, list) else v}" for name, v in line.items()]
    mark = "" if level == "info" else f"{level}: "
    return "  ".join([_time(now)[11:19], mark + EVENTS[event], *words]) + "\n"


# ── Exceptions ───────────────────────────────────────────────────────────────────────────────


def _described(error: BaseException, *places: str) -> dict[str, Value]:
    """Tell of an exception: its type, its cause's, and where it was."""
    while isinstance(error, BaseExceptionGroup):  # as task groups raise them
        error = error.exceptions[0]
    found: dict[str, Value] = {"error": type(error).__name__}
    cause = error.__cause__ or error.__context__
    found |= {"cause": type(cause).__name__} if cause else {}
    return found | {"at": [*places, *_places(error.__traceback__)]}


def _places(trace: TracebackType | None) -> list[str]:
    """Return file and line of our own frames, the innermost last; or of a foreign one."""
    frames = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(trace)]
    ours = [(path.relative_to(PACKAGE), line) for path, line in frames if PACKAGE in path.parents]
    short = [(Path(*path.parts[-2:]), line) for path, line in frames[-1:]]  # no one's home folder
    return [f"{path.as_posix()}:{line}" for path, line in ours[-FRAMES:] or short]


# ── What libraries write ─────────────────────────────────────────────────────────────────────


class Bridge(logging.Handler):
    """Writes that a library wrote something: which one, where, upon which exception; not what.

    Their texts hold paths, addresses and what clients sent. The place tells which text it was. A
    module of ours that knows no `Logs` may name the event: `extra={"event": "bots_lost"}`, and the
    table that it is about.
    """

    def __init__(self, logs: Logs) -> None:
        super().__init__(logging.WARNING)
        self._logs = logs

    def emit(self, record: logging.LogRecord) -> None:
        """Write one."""
        level: LogLevel = "error" if record.levelno >= logging.ERROR else "warning"
        place = f"{record.name}:{record.module}.py:{record.lineno}"
        error = record.exc_info[1] if record.exc_info else None
        more: dict[str, Value] = _described(error, place) if error else {"at": [place]}
        root = record.name.partition(".")[0]
        event = getattr(record, "event", "library") if root == OURS else "library"
        fields: dict[str, object] = {"logger": root if root in WORDS["logger"] else "other"}
        if root == OURS and hasattr(record, "table"):
            fields["table"] = record.table  # written as a hash
        self._logs.write_line(level, event, fields, more)


OURS: Final = "catinthebox"
ACCESS: Final = "uvicorn.access"  # a line for each request, with its path: never
LOGGERS: Final = ("", "uvicorn", "uvicorn.error", "uvicorn.asgi", ACCESS, "websockets", "asyncio")


@contextmanager
def routed(logs: Logs) -> Iterator[None]:
    """Let whatever libraries log, and whatever dies in a thread, go through `logs` for a while.

    uvicorn is to be started with `log_config=None, access_log=False`.
    """
    loggers = [logging.getLogger(name) for name in LOGGERS]
    before = [(logger, logger.handlers, logger.propagate, logger.level) for logger in loggers]
    hooks = threading.excepthook, sys.unraisablehook
    for logger in loggers:
        logger.handlers, logger.propagate = [], logger.name != ACCESS
    loggers[0].handlers = [Bridge(logs)]
    loggers[0].setLevel(logging.WARNING)
    threading.excepthook = sys.unraisablehook = _hook(logs)
    try:
        yield
    finally:
        threading.excepthook, sys.unraisablehook = hooks
        for logger, handlers, propagate, level in before:
            logger.handlers, logger.propagate = handlers, propagate
            logger.setLevel(level)


class Died(Protocol):
    """What Python tells of an exception that nobody caught."""

    @property
    def exc_value(self) -> BaseException | None:
        """The exception, if it got as far as being one."""


def _hook(logs: Logs) -> Callable[[Died], None]:
    return lambda died: logs.failure(died.exc_value or RuntimeError())
