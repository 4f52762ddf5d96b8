"""Counters add up, and Prometheus can read the text, whatever is in it."""

from __future__ import annotations

import os
import re
from itertools import pairwise
from math import inf, nan
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catinthebox.server.ops.metrics import (
    CLASSES,
    CONTENT_TYPE,
    OTHER,
    OUTCOMES,
    PREFIX,
    Family,
    Histogram,
    Metrics,
    Number,
    formatted,
    process,
)

LAW = settings(deadline=None, derandomize=True)  # a busy machine proves nothing wrong

LINE = re.compile(r'([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)')
LABEL = re.compile(r'([a-z]+)="((?:[^"\\\n]|\\["\\n])*)"')


def unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else str(m[1]), text)


def read(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Read the format as its definition says; every line must be one of three forms."""
    found = {}
    assert text.endswith("\n")
    for line in text[:-1].split("\n"):
        if not re.fullmatch(r"# (HELP [a-z_]+ .*|TYPE [a-z_]+ (counter|gauge|histogram))", line):
            sample = LINE.fullmatch(line)
            assert sample, line
            labels = [(name, unescaped(value)) for name, value in LABEL.findall(sample[2] or "")]
            key = sample[1], tuple(labels)
            assert key not in found, "a sample appears once"
            found[key] = float(sample[3])
    return found


def test_a_new_server_has_counted_nothing() -> None:
    """Every sample is there from the start, at zero, so that rates can be computed."""
    metrics = Metrics(["/api/tables"], proc=Path("nowhere"))
    samples = read(metrics.text())
    assert set(samples.values()) == {0.0}
    assert all(name.startswith(PREFIX) for name, _ in samples)


def test_every_name_has_help_and_type_once_before_its_samples() -> None:
    """In the order of declaration, which is always the same."""
    text = Metrics(["/api/tables"]).text()
    lines = text.splitlines()
    names = [line.split()[2] for line in lines if line.startswith("# HELP")]
    assert len(names) == len(set(names))
    for name in names:
        at = next(i for i, line in enumerate(lines) if line.startswith(f"# HELP {name} "))
        assert lines[at + 1].startswith(f"# TYPE {name} ")
        assert lines[at + 2].startswith(name)
    counters = [line.split()[2] for line in lines if line.endswith(" counter")]
    assert all(name.endswith("_total") for name in counters)
    assert Metrics(["/api/tables"], Path("x")).text() == Metrics(["/api/tables"], Path("x")).text()


def test_what_is_added_is_shown() -> None:
    """Each attribute stands for its own sample."""
    metrics = Metrics()
    metrics.connections["websocket"].value += 2
    metrics.connections["websocket"].value -= 1
    metrics.events_stored.value += 17
    metrics.bots_waiting.value += 3
    metrics.store_errors["conflict"].value += 1
    samples = read(metrics.text())
    assert samples["catinthebox_connections", (("kind", "websocket"),)] == 1
    assert samples["catinthebox_events_stored_total", ()] == 17
    assert samples["catinthebox_bots_waiting", ()] == 3
    assert samples["catinthebox_store_errors_total", (("kind", "conflict"),)] == 1
    assert sum(samples[key] for key in samples if key[0].startswith("catinthebox_frames")) == 0


def test_labels_are_a_closed_list() -> None:
    """What a visitor sends cannot become a label: there is no way to add one."""
    metrics = Metrics()
    with pytest.raises(KeyError):
        metrics.commands["<script>"].value += 1
    assert list(metrics.commands) == list(OUTCOMES)


@LAW
@given(st.text(max_size=20), st.sampled_from([200, 201, 304, 400, 404, 413, 429, 500, 503]))
def test_paths_that_are_no_route_are_one(route: str, status: int) -> None:
    """However many paths are tried, the text does not grow."""
    metrics = Metrics(["/api/tables"])
    size = len(read(metrics.text()))
    metrics.http(route, status).value += 1
    metrics.http("/api/tables", status).value += 1
    samples = read(metrics.text())
    assert len(samples) == size
    kind = ("status", f"{status // 100}xx")
    assert samples["catinthebox_http_requests_total", (("route", "/api/tables"), kind)] == 1
    assert samples["catinthebox_http_requests_total", (("route", OTHER), kind)] == 1


def test_a_route_that_is_given_twice() -> None:
    """Two methods of one path are one label."""
    samples = read(Metrics(["/a", "/a"]).text())
    routes = [labels for name, labels in samples if name.endswith("http_requests_total")]
    assert len(routes) == 2 * len(CLASSES)


# ── Histograms ───────────────────────────────────────────────────────────────────────────────


@LAW
@given(
    st.lists(st.floats(0, 100), max_size=50),
    st.lists(st.floats(0.001, 50), min_size=1, max_size=8, unique=True),
)
def test_histograms(values: list[float], bounds: list[float]) -> None:
    """Each bucket has what is at most its bound; the last one has everything."""
    histogram = Histogram(sorted(bounds))
    for value in values:
        histogram.observe(value)
    samples = read(
        "".join(f"{line}\n" for line in Family("h", "histogram", "", {(): histogram}).lines())
    )
    name = f"{PREFIX}h_bucket"
    counts = [samples[name, (("le", formatted(bound)),)] for bound in [*sorted(bounds), inf]]
    assert counts[:-1] == [sum(value <= bound for value in values) for bound in sorted(bounds)]
    assert counts[-1] == samples[f"{PREFIX}h_count", ()] == len(values)
    assert all(before <= after for before, after in pairwise(counts))
    assert samples[f"{PREFIX}h_sum", ()] == pytest.approx(sum(values))


# ── The format ───────────────────────────────────────────────────────────────────────────────


@LAW
@given(st.text(), st.text())
def test_any_text_is_escaped(label: str, about: str) -> None:
    """Backslashes, quotes and line ends come back as they were."""
    lines = list(Family("x", "gauge", about, {(("a", label),): Number()}).lines())
    assert len(lines) == 3
    assert not any("\n" in line for line in lines)
    assert read(lines[2] + "\n") == {(f"{PREFIX}x", (("a", label),)): 0.0}
    assert unescaped(lines[0].removeprefix(f"# HELP {PREFIX}x ")) == about


@LAW
@given(st.floats(allow_nan=False))
def test_numbers_come_back(value: float) -> None:
    """Exactly; whole ones are written whole."""
    assert float(formatted(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (3.0, "3"),
        (0.5, "0.5"),
        (inf, "+Inf"),
        (-inf, "-Inf"),
        (nan, "NaN"),
        (1e300, "1e+300"),
    ],
)
def test_numbers(value: float, text: str) -> None:
    """As the format wants them."""
    assert formatted(value) == text


def test_the_type_of_the_text() -> None:
    """Prometheus reads the version from it."""
    assert CONTENT_TYPE == "text/plain; version=0.0.4; charset=utf-8"


# ── The process ──────────────────────────────────────────────────────────────────────────────


def test_the_process(tmp_path: Path) -> None:
    """Ticks and pages become seconds and bytes; a name with brackets and blanks does no harm."""
    ticks, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    rest = ["S", *["0"] * 10, str(3 * ticks), str(ticks // 2), *["0"] * 8, "25", "0"]
    (tmp_path / "stat").write_text(f"7 (a) b (c) {' '.join(rest)}\n")
    samples = read("".join(f"{line}\n" for family in process(tmp_path) for line in family.lines()))
    assert samples == {
        ("catinthebox_process_cpu_seconds_total", ()): 3 + (ticks // 2) / ticks,
        ("catinthebox_process_resident_memory_bytes", ()): 25 * page,
    }


@pytest.mark.parametrize("stat", [None, "", "7 (x) S 1", "7 (x) " + "y " * 40])
def test_a_system_that_does_not_say(tmp_path: Path, stat: str | None) -> None:
    """Then these two are missing, and nothing else is."""
    if stat is not None:
        (tmp_path / "stat").write_text(stat)
    assert process(tmp_path) == []
    assert "process" not in Metrics(proc=tmp_path).text()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux")
def test_this_process() -> None:
    """It has used some time, and some memory."""
    samples = read(Metrics().text())
    assert samples["catinthebox_process_cpu_seconds_total", ()] > 0
    assert samples["catinthebox_process_resident_memory_bytes", ()] > 1_000_000
