"""Lines say what happened, and there is no way for a secret to get into one."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import secrets
import sys
import threading
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catinthebox.server.ops.limits import Limits
from catinthebox.server.ops.logs import (
    EVENTS,
    HASHED,
    NUMBERS,
    PACKAGE,
    WORDS,
    Logs,
    NotLoggable,
    capture_logging,
)
from catinthebox.server.ops.metrics import TURNED_AWAY

LAW = settings(deadline=None, derandomize=True)  # a busy machine proves nothing wrong

KEY = bytes(range(32))
FIELDS = sorted(HASHED | NUMBERS | {*WORDS})


class Paper:
    """Logs that are kept, and a clock to be turned by hand."""

    def __init__(self, *, strict: bool = True, human: bool = False, key: bytes = KEY) -> None:
        self.lines: list[str] = []
        self.now = 1_700_000_000.25
        self.logs = Logs(
            self.lines.append,
            lambda: self.now,
            key,
            strict=strict,
            human=human,
        )

    @property
    def last(self) -> dict[str, object]:
        """The last line, read."""
        line: dict[str, object] = json.loads(self.lines[-1])
        return line

    @property
    def places(self) -> list[str]:
        """Where the exception of the last line was."""
        at: list[str] = json.loads(self.lines[-1])["at"]
        return at


# ── Lines ────────────────────────────────────────────────────────────────────────────────────


def test_a_line() -> None:
    """Time, level and event first, then the fields as they were given; one line of ASCII."""
    paper = Paper()
    paper.logs.warning("turned_away", reason="origin", kind="websocket", status=403)
    (line,) = paper.lines
    assert line == (
        '{"time":"2023-11-14T22:13:20.250Z","level":"warning","event":"turned_away",'
        '"reason":"origin","kind":"websocket","status":403}\n'
    )


def test_levels() -> None:
    """Three."""
    paper = Paper()
    paper.logs.info("started", port=8000)
    paper.logs.warning("worker_lost", worker=1)
    paper.logs.error("store_failed", reason="other")
    assert [json.loads(line)["level"] for line in paper.lines] == ["info", "warning", "error"]


def test_a_line_for_people() -> None:
    """The sentence of the event instead of its name; no date."""
    paper = Paper(human=True)
    paper.logs.info("line_opened", kind="ndjson", worker=1)
    paper.logs.error("store_failed", status=12.5)
    assert paper.lines == [
        "22:13:20  a connection was opened  kind=ndjson  worker=1\n",
        "22:13:20  error: the store failed  status=12.5\n",
    ]


def test_streams() -> None:
    """A terminal gets the form for people, anything else the one for machines."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, begins in ((Terminal(), "00:00:00"), (io.StringIO(), '{"time":')):
        Logs.on(stream, lambda: 0.0, KEY).info("started", port=8000)
        assert stream.getvalue().startswith(begins)


def test_nobody_reads() -> None:
    """A closed stream is no reason to end a game."""
    stream = io.StringIO()
    logs = Logs.on(stream, lambda: 0.0, KEY)
    stream.close()
    logs.info("started", port=8000)


def test_reasons_of_the_metrics_can_be_logged() -> None:
    """Anyone who is counted can be written down."""
    assert set(TURNED_AWAY) <= WORDS["reason"]
    assert not HASHED & NUMBERS & set(WORDS)


# ── No secrets ───────────────────────────────────────────────────────────────────────────────

secret = st.one_of(
    st.binary(min_size=32, max_size=32).map(bytes.hex),
    st.text(min_size=8, max_size=60).filter(lambda text: len(set(text)) > 4),
    st.integers(2**64, 2**256),
)


@LAW
@given(secret, st.one_of(st.sampled_from(FIELDS), st.from_regex(r"[a-z_]{1,20}", fullmatch=True)))
def test_no_field_takes_a_secret(value: str | int, name: str) -> None:
    """Under whatever name it is given: it is left out, or hashed, and the line still written."""
    paper = Paper(strict=False)
    if name in {"self", "event"}:
        return
    paper.logs.info("line_opened", **{name: value})
    assert json.dumps(value).strip('"') not in paper.lines[0]
    assert str(value) not in paper.lines[0]
    assert ("left_out" in paper.last) is not (name in HASHED and isinstance(value, str))


@pytest.mark.parametrize(
    "fields",
    [
        {"token": secrets.token_urlsafe(32)},
        {"name": "Ada"},
        {"text": "hello"},
        {"card": 5},
        {"nonce": "ab" * 32},
        {"reason": "Ada"},
        {"kind": "a secret"},
        {"worker": "2"},
        {"worker": None},
        {"count": 2**53},
        {"status": float("nan")},
        {"status": float("inf")},
        {"table": 5},
        {"table": b"id"},
        {"code": "Ada"},
        {"code": "ada.lovelace"},
        {"code": "table." + "x" * 31},
        {"route": "/api/tables/a-secret-link"},
        {"error": "Ada"},
        {"at": ["Ada"]},
        {"time": "now"},
        {"level": "Ada"},
    ],
)
def test_tests_notice_it(fields: dict[str, object]) -> None:
    """Strict logs raise where others leave out; and neither tells the value."""
    with pytest.raises(NotLoggable) as caught:
        Paper().logs.info("line_opened", **fields)
    assert "Ada" not in str(caught.value)
    paper = Paper(strict=False)
    paper.logs.info("line_opened", **fields)
    assert list(paper.last) == ["time", "level", "event", "left_out"]
    assert paper.last["level"] == "info"


def test_events_are_a_closed_list() -> None:
    """An event is no place for a text, either."""
    with pytest.raises(NotLoggable):
        Paper().logs.info("Ada sat down")
    paper = Paper(strict=False)
    paper.logs.info("Ada sat down")
    assert paper.last["event"] == "failure"
    assert "Ada" not in paper.lines[0]


def test_what_is_allowed() -> None:
    """Numbers, and words of a field's own list."""
    Paper().logs.info("limited", status=0.5, port=3)
    Paper().logs.info("limited", limit="address", reason="rate", kind="ndjson")


@LAW
@given(st.text(min_size=1), st.text(min_size=1))
def test_hashes(one: str, two: str) -> None:
    """The same thing has the same hash in one process, and another one in another."""
    paper, again, other = Paper(), Paper(), Paper(key=bytes(32))
    paper.logs.info("line_opened", table=one, address=one)
    again.logs.info("line_opened", table=one, address=two)
    other.logs.info("line_opened", table=one)
    assert paper.last["table"] == again.last["table"]
    assert paper.last["table"] not in {paper.last["address"], other.last["table"]}
    assert len(str(paper.last["table"])) == 10
    same = one.encode("utf-8", "replace") == two.encode("utf-8", "replace")
    assert (paper.last["address"] == again.last["address"]) is same


def test_the_key_is_not_shown() -> None:
    """Anyone who has it could try all addresses there are."""
    assert repr(KEY) not in repr(Paper().logs)


# ── Exceptions ───────────────────────────────────────────────────────────────────────────────


def fail_with(error: Exception) -> Exception:
    try:
        raise error
    except Exception as caught:
        return caught


def caught_in_our_code() -> Exception:
    """An exception out of our own code; its words are about sockets."""
    with pytest.raises(ValueError, match="sockets") as caught:
        Limits(sockets=0)
    return caught.value


def test_exceptions_are_logged_by_type_and_place() -> None:
    """In our own files, relative to the package; the words stay away."""
    paper = Paper()
    paper.logs.failure(caught_in_our_code(), table="a-secret-link")
    assert paper.last["error"] == "ValueError"
    assert [place.split(":")[0] for place in paper.places] == ["server/ops/limits.py"]
    assert "sockets" not in paper.lines[0]
    assert str(Path.home()) not in paper.lines[0]
    assert paper.last["event"] == "failure"


def test_exceptions_elsewhere() -> None:
    """The innermost frame, without the folders in which it is installed."""
    paper = Paper()
    paper.logs.failure(fail_with(KeyError("a secret")), "bot_failed")
    assert paper.last["error"] == "KeyError"
    assert [place.split(":")[0] for place in paper.places] == ["ops/test_logs.py"]
    assert "secret" not in paper.lines[0]


def test_causes_and_groups() -> None:
    """The type of the cause, and the first of many."""
    paper = Paper()
    try:
        try:
            raise KeyError("a secret")
        except KeyError as error:
            raise ExceptionGroup("a secret", [RuntimeError("a secret")]) from error
    except ExceptionGroup as group:
        group.exceptions[0].__cause__ = group.__cause__
        paper.logs.failure(group)
    assert (paper.last["error"], paper.last["cause"]) == ("RuntimeError", "KeyError")
    assert paper.places == []
    assert "secret" not in paper.lines[0]


# ── Floods ───────────────────────────────────────────────────────────────────────────────────


def test_nobody_fills_the_disk() -> None:
    """An event is written so often; then the number of those that were not."""
    paper = Paper()
    for _ in range(10_000):
        paper.logs.warning("turned_away", reason="origin")
    paper.logs.info("started", port=8000)
    assert len(paper.lines) == 100 + 1
    paper.now += 1
    paper.logs.warning("turned_away", reason="host")
    assert paper.last["missed"] == 9_900
    paper.logs.warning("turned_away", reason="host")
    assert "missed" not in paper.last


# ── Libraries ────────────────────────────────────────────────────────────────────────────────


def test_libraries_are_logged_by_place() -> None:
    """Not by their words, which quote paths and what clients sent."""
    paper = Paper()
    with capture_logging(paper.logs):
        logging.getLogger("uvicorn.error").warning("GET /api/tables/%s", "a-secret-link")
        logging.getLogger("websockets.server").error("a-secret-link", exc_info=caught_in_our_code())
        logging.getLogger("somebody").warning("a-secret-link")
    assert [json.loads(line)["logger"] for line in paper.lines] == [
        "uvicorn",
        "websockets",
        "other",
    ]
    assert [json.loads(line)["level"] for line in paper.lines] == ["warning", "error", "warning"]
    second = json.loads(paper.lines[1])
    assert second["error"] == "ValueError"
    assert second["at"][0].startswith("websockets.server:test_logs.py:")
    assert second["at"][1].startswith("server/ops/limits.py:")
    assert "secret" not in "".join(paper.lines)


def test_modules_of_ours_may_name_the_event() -> None:
    """Others may not, and there is no other event than ours."""
    paper, lost = Paper(strict=False), {"event": "bots_lost"}
    with capture_logging(paper.logs):
        logging.getLogger("catinthebox.bots").warning("a-secret", extra=lost)
        logging.getLogger("uvicorn.error").warning("a-secret", extra=lost)
        logging.getLogger("catinthebox.bots").warning("a-secret", extra={"event": "a-secret"})
    events = [json.loads(line)["event"] for line in paper.lines]
    assert events == ["bots_lost", "library", "failure"]
    assert "secret" not in "".join(paper.lines)


def test_every_event_happens() -> None:
    """Nobody waits for a line that is never written."""
    sources = [path for path in PACKAGE.rglob("*.py") if path.name != "logs.py"]
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    never = {event for event in EVENTS if f'"{event}"' not in text}
    assert never == {"failure", "library"}  # the logs write these themselves


def test_no_access_log() -> None:
    """A line for each request would hold the link to each table."""
    paper = Paper()
    with capture_logging(paper.logs):
        logging.getLogger("uvicorn.access").error("GET /api/tables/a-secret-link")
        logging.getLogger("uvicorn.error").info("WebSocket /a-secret-link [accepted]")
    assert paper.lines == []


def test_what_fails_unobserved_is_logged(capfd: pytest.CaptureFixture[str]) -> None:
    """In a thread, in a task nobody waits for, in a finalizer: type and place, nothing else."""
    paper = Paper()

    def die() -> NoReturn:
        raise LookupError("a secret")

    class Dies:
        def __del__(self) -> None:
            die()

    async def main() -> None:
        asyncio.get_running_loop().call_soon(die)
        await asyncio.sleep(0)

    with capture_logging(paper.logs):
        thread = threading.Thread(target=die)
        thread.start()
        thread.join()
        Dies()
        asyncio.run(main())
    assert [json.loads(line)["error"] for line in paper.lines] == ["LookupError"] * 3
    assert "secret" not in "".join(paper.lines)
    assert capfd.readouterr().err == ""


def test_everything_is_put_back() -> None:
    """Handlers, levels and hooks are as they were."""
    names = ("", "uvicorn", "uvicorn.access", "asyncio")
    loggers = [logging.getLogger(name) for name in names]
    before = [(list(logger.handlers), logger.propagate, logger.level) for logger in loggers]
    hooks = threading.excepthook, sys.unraisablehook
    with pytest.raises(KeyError), capture_logging(Paper().logs):
        raise KeyError
    assert [(logger.handlers, logger.propagate, logger.level) for logger in loggers] == before
    assert (threading.excepthook, sys.unraisablehook) == hooks


def test_every_event_has_a_sentence() -> None:
    """Short, lower case, without a full stop: it stands before the fields."""
    assert all(words[0].islower() and not words.endswith(".") for words in EVENTS.values())
