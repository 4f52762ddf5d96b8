"""Quick mode notices what it leaves out."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from quick import Guard

pytestmark = pytest.mark.process  # in quick mode the other guard would fail these, as it should


@pytest.fixture
def guard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Guard]:
    """A guard that looks at this test only."""
    monkeypatch.setattr(multiprocessing.process.BaseProcess, "start", start := nothing)
    guard = Guard()
    guard.watch_multiprocessing()
    assert multiprocessing.process.BaseProcess.start is not start
    guard.watching = True
    yield guard
    guard.watching = False


def nothing(*_: object) -> None:
    """Start no process."""


@pytest.mark.parametrize(
    "start",
    [
        lambda: subprocess.run([sys.executable, "-V"], check=True),
        lambda: os.system("true"),
        lambda: os.posix_spawn("/bin/true", ["true"], {}),
        lambda: multiprocessing.get_context("spawn").Process(target=nothing).start(),
    ],
    ids=["subprocess", "system", "spawn", "multiprocessing"],
)
@pytest.mark.skipif(os.name == "nt", reason="starts processes as POSIX does")
def test_a_child_process_is_refused(guard: Guard, start: Callable[[], object]) -> None:
    """And is remembered, in case nobody reads the error."""
    with pytest.raises(pytest.fail.Exception, match="a child process in quick mode"):
        start()
    assert len(guard.started) == 1


def test_a_server_in_another_thread_is_refused_in_a_way_that_it_can_bear(guard: Guard) -> None:
    """An error that ends its loop would let the test wait for ever."""
    with ThreadPoolExecutor(1) as pool:
        refused = pool.submit(subprocess.run, [sys.executable, "-V"], check=True).exception()
    assert isinstance(refused, PermissionError)
    assert len(guard.started) == 1


def test_only_tests_are_watched(guard: Guard) -> None:
    """Python itself may ask what machine it runs on, and nothing is refused between two tests."""
    with pytest.raises(FileNotFoundError):
        subprocess.run(["uname"], env={"PATH": ""}, cwd="/nowhere", check=True)
    guard.watching = False
    subprocess.run([sys.executable, "-V"], check=True, capture_output=True)
    assert guard.started == []
