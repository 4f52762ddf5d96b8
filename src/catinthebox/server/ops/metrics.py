"""The server's metrics, and their text for Prometheus (format 0.0.4).

Counting is adding to an attribute, on the event loop's thread. Labels come from lists that are
fixed when the server starts: nothing that a client sends becomes a label, so the text has a bounded
size and reveals nothing about anybody.

>>> metrics = Metrics(routes=["/api/tables"])
>>> metrics.frames_in.value += 1
>>> metrics.commands["done"].value += 1
>>> metrics.tell_seconds.observe(0.003)
>>> metrics.http("/api/tables", 201).value += 1
>>> for line in metrics.text().splitlines():
...     if "outcome" in line or "frames_in" in line:
...         print(line)
# HELP catinthebox_frames_in_total Messages received.
# TYPE catinthebox_frames_in_total counter
catinthebox_frames_in_total 1
catinthebox_commands_total{outcome="done"} 1
catinthebox_commands_total{outcome="refused"} 0
catinthebox_commands_total{outcome="not_understood"} 0
catinthebox_commands_total{outcome="limited"} 0
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from math import inf, isnan
from pathlib import Path
from typing import Final, Literal, TypeAlias

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
PREFIX: Final = "catinthebox_"
PROC: Final = Path("/proc/self")

Labels: TypeAlias = tuple[tuple[str, str], ...]


# ── Kinds of metrics ─────────────────────────────────────────────────────────────────────────


class Number:
    """A counter, which only grows, or a gauge; callers add to `value`."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value: float = 0

    def samples(self) -> Iterator[tuple[str, Labels, float]]:
        """Iterate over the samples: a suffix of the name, more labels, a value."""
        yield "", (), self.value


class Histogram:
    """Counts observations by the smallest bound that they do not exceed.

    >>> waits = Histogram((0.1, 1.0))
    >>> for seconds in (0.1, 0.5, 7.0):
    ...     waits.observe(seconds)
    >>> [(suffix, value) for suffix, _, value in waits.samples()]
    [('_bucket', 1), ('_bucket', 2), ('_bucket', 3), ('_sum', 7.6), ('_count', 3)]
    """

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = (*bounds, inf)
        self.counts = [0] * len(self.bounds)
        self.sum = 0.0

    def observe(self, value: float) -> None:
        """Count one observation."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value

    def samples(self) -> Iterator[tuple[str, Labels, float]]:
        """Iterate over the samples, as `Number.samples` does."""
        for bound, count in zip(self.bounds, accumulate(self.counts), strict=True):
            yield "_bucket", (("le", formatted(bound)),), count
        yield "_sum", (), self.sum
        yield "_count", (), sum(self.counts)


@dataclass(frozen=True)
class Family:
    """All metrics of one name, by their labels."""

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    help: str
    members: Mapping[Labels, Number | Histogram]

    def lines(self) -> Iterator[str]:
        """Iterate over the lines of the text format."""
        name = PREFIX + self.name
        yield f"# HELP {name} {_escaped(self.help)}"
        yield f"# TYPE {name} {self.kind}"
        for labels, member in self.members.items():
            for suffix, more, value in member.samples():
                yield f"{name}{suffix}{_braced(labels + more)} {formatted(value)}"


def formatted(value: float) -> str:
    """Return a number as Prometheus reads it."""
    if isnan(value):
        return "NaN"
    if value in (inf, -inf):
        return "+Inf" if value > 0 else "-Inf"
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(float(value))


def _braced(labels: Labels) -> str:
    pairs = [f'{name}="{_escaped(value, quotes=True)}"' for name, value in labels]
    return f"{{{','.join(pairs)}}}" if pairs else ""


def _escaped(text: str, *, quotes: bool = False) -> str:
    text = text.replace("\\", r"\\").replace("\n", r"\n")
    return text.replace('"', r"\"") if quotes else text


# ── All metrics ──────────────────────────────────────────────────────────────────────────────

KINDS: Final = ("websocket", "ndjson")
OUTCOMES: Final = ("done", "refused", "not_understood", "limited")
STORE_ERRORS: Final = ("conflict", "full", "failed", "busy", "closed", "damaged", "other")
TURNED_AWAY: Final = (  # why a client was rejected before it could send a command
    *("host", "origin", "framing", "media", "too_large", "too_slow"),  # server/http/middleware.py
    *("rate", "address_full", "server_full", "token"),
)
CLASSES: Final = ("1xx", "2xx", "3xx", "4xx", "5xx")
OTHER: Final = "other"  # every path that is not a route
SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
THINKING: Final = (0.01, 0.05, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)


class Metrics:
    """All metrics of a server, each an attribute; `routes` are the labels of HTTP requests."""

    def __init__(self, routes: Iterable[str] = (), proc: Path = PROC) -> None:
        self._families: list[Family] = []
        self._proc = proc
        self.connections = self._by(
            "gauge", "connections", "Connections that are open now.", "kind", KINDS
        )
        self.turned_away = self._by(
            "counter",
            "turned_away_total",
            "Clients that were rejected.",
            "reason",
            TURNED_AWAY,
        )
        self.frames_in = self._one("counter", "frames_in_total", "Messages received.")
        self.frames_out = self._one("counter", "frames_out_total", "Messages sent.")
        self.commands = self._by(
            "counter", "commands_total", "Commands by their result.", "outcome", OUTCOMES
        )
        self.tell_seconds = self._histogram(
            "tell_seconds", "From a command's arrival to its frames in every queue.", SECONDS
        )
        self.connections_dropped = self._one(
            "counter",
            "lines_dropped_total",
            "Connections of clients that read too slowly.",
        )
        self.resyncs = self._one("counter", "resyncs_total", "Snapshots upon reconnection.")
        self.resends = self._one("counter", "resends_total", "Frames sent again.")
        self._store()
        self._play()
        routes = (*dict.fromkeys(routes), OTHER)
        self._http = self._table(
            *("http_requests_total", "HTTP responses by route and class of status."),
            *("route", routes, "status", CLASSES),
        )

    def _store(self) -> None:
        self.events_stored = self._one(
            "counter", "events_stored_total", "Events that were stored durably."
        )
        self.store_seconds = self._histogram(
            "store_seconds", "From an append to its confirmation.", SECONDS
        )
        self.store_errors = self._by(
            "counter", "store_errors_total", "Appends and reads that failed.", "kind", STORE_ERRORS
        )

        self.games_damaged = self._one(
            "gauge", "games_damaged", "Games whose stored logs were found damaged."
        )

    def _play(self) -> None:
        self.tables_live = self._one("gauge", "tables_live", "Tables in memory.")
        self.games_finished = self._one("counter", "games_finished_total", "Games that ended.")
        self.bot_moves = self._one("counter", "bot_moves_total", "Moves that bots have made.")
        self.bots_waiting = self._one("gauge", "bots_waiting", "Bots' moves that are being chosen.")
        self.bot_seconds = self._histogram(
            "bot_seconds", "From asking a bot for a move to its answer.", THINKING
        )

    def http(self, route: str, status: int) -> Number:
        """Return the counter of a response; `route` is the path of its route, with placeholders."""
        key = route, f"{status // 100}xx"
        return self._http.get(key) or self._http[OTHER, key[1]]

    def text(self) -> str:
        """Return all metrics in the text format, in the order of declaration."""
        families = [*self._families, *process(self._proc)]
        return "".join(f"{line}\n" for family in families for line in family.lines())

    # ── Declarations ─────────────────────────────────────────────────────────────────────────

    def _one(self, kind: Literal["counter", "gauge"], name: str, about: str) -> Number:
        number = Number()
        self._families.append(Family(name, kind, about, {(): number}))
        return number

    def _by(
        self,
        kind: Literal["counter", "gauge"],
        name: str,
        about: str,
        label: str,
        values: Iterable[str],
    ) -> dict[str, Number]:
        numbers = {value: Number() for value in values}
        members: dict[Labels, Number] = {((label, value),): numbers[value] for value in numbers}
        self._families.append(Family(name, kind, about, members))
        return numbers

    def _table(
        self,
        name: str,
        about: str,
        label: str,
        values: Iterable[str],
        other: str,
        others: Iterable[str],
    ) -> dict[tuple[str, str], Number]:
        numbers = {key: Number() for key in product(values, others)}
        members: dict[Labels, Number] = {
            ((label, value), (other, second)): number for (value, second), number in numbers.items()
        }
        self._families.append(Family(name, "counter", about, members))
        return numbers

    def _histogram(self, name: str, about: str, bounds: Sequence[float]) -> Histogram:
        histogram = Histogram(bounds)
        self._families.append(Family(name, "histogram", about, {(): histogram}))
        return histogram


def process(proc: Path = PROC) -> list[Family]:
    """Return the metrics of this process from /proc; none on systems other than Linux."""
    try:
        # The second field is a name in parentheses, which may contain anything.
        fields = (proc / "stat").read_text("ascii", "replace").rpartition(")")[2].split()
        cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        memory = int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return []
    return [
        _sample("process_cpu_seconds_total", "counter", "Processor time.", cpu),
        _sample("process_resident_memory_bytes", "gauge", "Memory in use.", memory),
    ]


def _sample(name: str, kind: Literal["counter", "gauge"], about: str, value: float) -> Family:
    number = Number()
    number.value = value
    return Family(name, kind, about, {(): number})
