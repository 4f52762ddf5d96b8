"""Which tests run, and in which order (`conftest.py` asks).

`pytest --quick` leaves out what drives browsers, asks a PostgreSQL server, starts child processes
or takes long. Such tests are marked `browser`, `process` or `long`; `database` are those that ask
for the fixture `cluster`. So that the marks stay true, an unmarked test that starts a child process
fails in quick mode.

Marked tests come first: they wait a lot, and others use the processor meanwhile.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from multiprocessing.process import BaseProcess
from threading import current_thread, main_thread
from typing import Final

import pytest

SLOW: Final = ("browser", "database", "process", "long")  # in the order in which they run
# Examples cannot be marked: these modules have one that starts a process.
EXAMPLES: Final = ("cli/play/session.py", "players/program.py", "server/bots/pool.py")
STARTS: Final = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"}


class Guard:
    """Notices child processes while a test without a mark is running."""

    def __init__(self) -> None:
        self.watching = False
        self.started: list[str] = []
        sys.addaudithook(self._audit)  # cannot be taken away again, only told to look elsewhere

    def _audit(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.watching and event in STARTS and arguments[0] != "uname":  # asked by `platform`
            self._refuse(f"{event} {arguments[:2]}")

    def _refuse(self, what: str) -> None:
        self.started.append(what)
        sentence = f"a child process in quick mode, from a test without a mark: {what}"
        if current_thread() is main_thread():
            pytest.fail(sentence)
        raise PermissionError(sentence)  # what a server can bear; the test fails when it ends

    def watch_multiprocessing(self) -> None:
        """Replace what starts a process without telling any audit hook."""
        start = BaseProcess.start

        def guarded(process: BaseProcess) -> None:
            if self.watching:
                self._refuse(f"multiprocessing {process.name}")
            start(process)

        BaseProcess.start = guarded  # type: ignore[assignment, method-assign]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        """Look at every test from its first fixture to its last."""
        self.started.clear()
        self.watching = True
        try:
            return (yield)
        finally:
            self.watching = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self) -> Generator[None, object, object]:
        """Fail a test whose other threads were refused a process."""
        done = yield
        if self.started:
            pytest.fail(f"mark it with `process`; it started {self.started}")
        return done


def left_out(config: pytest.Config) -> bool:
    """Whether what is slow is left out."""
    return bool(config.getoption("quick"))


def watch(config: pytest.Config) -> None:
    """Watch the tests of quick mode."""
    guard = Guard()
    guard.watch_multiprocessing()
    config.pluginmanager.register(guard)


def choose(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what cannot mark itself; sort, or leave out, what is slow."""
    for item in items:
        if "cluster" in getattr(item, "fixturenames", ()):
            item.add_marker("database")
        if isinstance(item, pytest.DoctestItem) and item.path.as_posix().endswith(EXAMPLES):
            item.add_marker("process")
    if left_out(config):
        config.hook.pytest_deselected(items=[item for item in items if rank(item) < len(SLOW)])
        items[:] = [item for item in items if rank(item) == len(SLOW)]
    items.sort(key=rank)


def rank(item: pytest.Item) -> int:
    """Return the place of a test among the slow ones, or the place behind them."""
    places = (place for place, mark in enumerate(SLOW) if item.get_closest_marker(mark))
    return next(places, len(SLOW))
