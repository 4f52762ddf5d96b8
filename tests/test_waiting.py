"""Waiting in tests ends: with what was waited for, or with what the child said."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import waiting
from waiting import Hanging, completed, ended, line_of, soon, until

pytestmark = [pytest.mark.process, pytest.mark.timing]

DYING = [sys.executable, "-c", "print('one'); print('oh dear'); raise SystemExit(3)"]
LASTING = [sys.executable, "-c", "import time; time.sleep(600)"]


def child(words: list[str]) -> subprocess.Popen[str]:
    """A process, and everything that it says."""
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.mark.parametrize("wait", [until, lambda so, *them: asyncio.run(soon(so, *them))])
def test_nobody_waits_for_a_process_that_has_ended(wait: Callable[..., None]) -> None:
    """The test fails at once, and says what the process said."""
    with child(DYING) as process:
        assert line_of(process) == "one\n"
        with pytest.raises(AssertionError, match=r"status 3; it said:\noh dear"):
            wait(lambda: False, process)


def test_what_comes_with_the_end_of_a_process_has_come() -> None:
    """The process has ended because it had done its work."""
    with child(DYING) as process:
        until(lambda: process.poll() is not None, process)


def test_a_line_that_never_comes(tmp_path: Path) -> None:
    """The end of its output is no line; a log is shown, too."""
    log = tmp_path / "log"
    log.write_text("nothing is well")
    with child(DYING) as process:
        assert [line_of(process), line_of(process)] == ["one\n", "oh dear\n"]
        with pytest.raises(AssertionError, match=r"status 3; it said:\nnothing is well"):
            line_of(process, log)


def test_others_have_to_live_until_a_process_ends() -> None:
    """A client that waits for a server that has ended is not waited for."""
    with child(LASTING) as client, child(DYING) as server:
        with pytest.raises(AssertionError, match="oh dear"):
            ended(client, server)
        client.kill()
    with child(DYING) as process:
        assert ended(process) == (3, "one\noh dear\n")


def test_a_process_that_has_to_end_well() -> None:
    """If it does not, what it said is told."""
    assert completed([sys.executable, "-c", "print(7)"]) == "7\n"
    with pytest.raises(AssertionError, match=r"status 3; it said:\none\noh dear"):
        completed(DYING)


def test_there_is_an_end_to_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing happens, nobody has ended: the limit, which no machine reaches otherwise."""
    monkeypatch.setattr(waiting, "HANG", -1.0)
    with pytest.raises(Hanging):
        until(lambda: False)
    with pytest.raises(Hanging):
        asyncio.run(soon(lambda: False))
    with child(LASTING) as process:
        with pytest.raises(Hanging, match="does not end"):
            ended(process)
        process.kill()
