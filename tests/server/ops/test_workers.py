"""Several workers behind one socket: they share games, are replaced, and end together."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from errno import EAGAIN
from functools import partial
from pathlib import Path

import pytest
from server_process import RUN, Someone, hosting, started
from store.cluster import Cluster, start, worker
from waiting import HANG, soon, until

from catinthebox.cli import main
from catinthebox.server.child_process import ChildProcess
from catinthebox.server.ops import workers
from catinthebox.server.ops.config import Config
from catinthebox.server.ops.workers import StartFailed, Supervisor, WorkerSlot

pytestmark = pytest.mark.timing

# ── Without a data base: what becomes of processes ───────────────────────────────────────────

READY = "import os, pickle, signal, sys, time\npickle.load(sys.stdin.buffer)\nprint('ready')\n"
READY += "sys.stdout.flush()\n"
NOTE = "open({!r}, 'a').write(f'{{os.getpid()}}\\n')\n"


class Trial:
    """A supervisor of workers that are a few lines of Python."""

    def __init__(self, folder: Path, source: str, count: int = 2) -> None:
        self.pids = folder / "pids"
        script = folder / "worker.py"
        script.write_text(source.replace("NOTE", NOTE.format(str(self.pids))))
        self.program = [sys.executable, str(script)]
        self.count = count
        self.begun = False

    def run(self, workers: int, signals: int = 1) -> None:
        """Supervise until so many workers were started, or none can be; then send signals."""
        asyncio.run(self._run(workers, signals))

    async def _run(self, workers: int, signals: int) -> None:
        with socket.create_server(("127.0.0.1", 0)) as door:
            supervisor = Supervisor(Config(logs="json"), self.count, door, self.program)
            task = asyncio.create_task(supervisor.run(self._begin))
            await soon(lambda: task.done() or (self.begun and len(self.started) >= workers))
            for _ in range(0 if task.done() else signals):
                os.kill(os.getpid(), signal.SIGTERM)
                await asyncio.sleep(0.1)
            await task

    def _begin(self) -> None:
        self.begun = True

    @property
    def started(self) -> list[int]:
        """The processes that were started so far."""
        return [*map(int, self.pids.read_text().split())] if self.pids.exists() else []


def gone(pid: int) -> bool:
    """Whether a process has ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.process
def test_workers_are_started_and_ended(tmp_path: Path) -> None:
    """A signal ends them all, and the supervisor last."""
    trial = Trial(tmp_path, f"{READY}NOTE\nwhile True: time.sleep(1)")
    trial.run(2)
    assert trial.begun
    assert len({*trial.started}) == 2
    assert all(map(gone, trial.started))


@pytest.mark.process
def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    """Again and again, but slower each time."""
    trial = Trial(tmp_path, f"{READY}NOTE\ntime.sleep(0.05)", count=1)
    begun = time.monotonic()
    trial.run(4)
    assert time.monotonic() - begun > 0.25 + 0.5 + 1.0
    assert len({*trial.started}) >= 4


@pytest.mark.process
def test_a_worker_is_replaced_even_if_the_system_starts_no_process_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The supervisor tries again; one exception must not end the task that keeps a worker."""
    start, starts = ChildProcess.start, []

    async def scarce(*command: str, pass_fds: Sequence[int] = ()) -> ChildProcess:
        starts.append(command)
        if len(starts) in (2, 3):
            raise BlockingIOError(EAGAIN, "Resource temporarily unavailable")
        return await start(*command, pass_fds=pass_fds)

    monkeypatch.setattr(ChildProcess, "start", scarce)
    trial = Trial(tmp_path, f"{READY}NOTE\ntime.sleep(0.05)", count=1)
    trial.run(2)
    assert len({*trial.started}) >= 2


def test_a_system_that_starts_no_process_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the start there is nothing to keep running: the host learns why, without a traceback."""

    async def scarce(*_: str, pass_fds: Sequence[int] = ()) -> ChildProcess:
        raise BlockingIOError(EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(ChildProcess, "start", scarce)
    with pytest.raises(StartFailed, match="Resource temporarily unavailable"):
        Trial(tmp_path, READY).run(1)


@pytest.mark.process
def test_a_worker_that_does_not_end_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anyone who ignores the signal is killed when the time to finish is over."""
    monkeypatch.setattr(workers, "SPARE_S", -9.5)
    stubborn = f"{READY}signal.signal(signal.SIGTERM, signal.SIG_IGN)\nNOTE\ntime.sleep(600)"
    trial = Trial(tmp_path, stubborn)
    trial.run(2)
    assert all(map(gone, trial.started))


@pytest.mark.process
def test_asked_twice_they_end_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second signal is passed on as one that nobody finishes anything for."""
    busy = f"{READY}signal.signal(signal.SIGTERM, signal.SIG_IGN)\nNOTE\ntime.sleep(600)"
    monkeypatch.setattr(workers, "SPARE_S", HANG)  # the time to finish is never over
    trial = Trial(tmp_path, busy)
    trial.run(2, signals=2)
    assert all(map(gone, trial.started))


@pytest.mark.process
@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("import os\nNOTE\nprint('failed the data base is not there')", "the data base is not"),
        ("import os\nNOTE\nraise SystemExit(3)", "ended as soon as it was started"),
        ("import os, time\nNOTE\ntime.sleep(600)", "did not start within"),
    ],
)
def test_workers_that_cannot_begin_are_an_error(
    source: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first one that fails is enough; no second is tried, and nothing was open."""
    for seconds in (1.0, 10.0, HANG):  # a busy machine needs longer to start a process
        monkeypatch.setattr(workers, "START_S", HANG if "sleep" not in source else seconds)
        trial = Trial(tmp_path, source)
        with pytest.raises(StartFailed, match=sentence):
            trial.run(2)
        if trial.started:
            break
    assert not trial.begun
    assert len(trial.started) == 1
    assert all(map(gone, trial.started))


def test_a_worker_that_lived_long_is_replaced_at_once() -> None:
    """A worker that dies after hours is an accident, not a habit."""
    slot = WorkerSlot(1, since=0.0, failures=7)
    slot.ended(now=3600.0)
    assert (slot.failures, slot.delay()) == (0, 0.0)
    slot.ended(now=5.0)
    assert slot.delay() == 0.25


# ── With PostgreSQL: the real thing ──────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A PostgreSQL of our own."""
    base = tmp_path_factory.getbasetemp()
    cluster = start(f"workers-{base.parent.name}-{base.name}")
    yield cluster
    cluster.stop()


@pytest.fixture
def database(cluster: Cluster) -> str:
    """An empty data base."""
    return cluster.database(f"{worker()}_workers")


@pytest.mark.process
def test_a_game_across_workers_that_die(
    tmp_path: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two workers, four seats; each worker is killed once in the middle, and the game goes on."""
    with hosting(tmp_path, "--workers", "2", db=database) as host:
        ada = Someone(host)
        link = ada.open("gentle", "steady")
        first, second = (int(line["pid"]) for line in host.events("worker_started"))
        with (
            started(*RUN, "bot", link, "--player", "follow", "--name", "Robo") as robo,
            started(*RUN, "bot", link, "--player", "follow", "--name", "Bobo") as bobo,
        ):
            ada.start(robo, bobo)
            for moves, victim in ((20, first), (50, second)):
                host.until(partial(far, ada, moves), robo, bobo)
                os.kill(victim, signal.SIGKILL)
                host.until(partial(gone, victim))
            assert [host.outlived(robo)[0], host.outlived(bobo)[0]] == [0, 0]
        host.until(lambda: len(host.events("worker_started")) == 4)
        path = tmp_path / "game.cat"
        path.write_bytes(ada.record())
        assert main(["verify", str(path)]) == 0
        assert "proven" in capsys.readouterr().out
        assert host.stop() == 0
        pids = [int(line["pid"]) for line in host.events("worker_started")]
        assert all(map(gone, pids))


def far(ada: Someone, version: int) -> bool:
    """Whether a game has come so far; a worker may die over the question."""
    try:
        return bool(ada.look()["version"] >= version)
    except (OSError, ValueError):
        return False


@pytest.mark.process
def test_workers_do_not_outlive_their_supervisor(tmp_path: Path, database: str) -> None:
    """Killed without a word, it leaves nobody behind, and the port free."""
    with hosting(tmp_path, "--workers", "2", db=database) as host:
        pids = [int(line["pid"]) for line in host.events("worker_started")]
        assert len(pids) == 2
        assert host.stop(signal.SIGKILL) == -signal.SIGKILL
        until(lambda: all(map(gone, pids)))
        host.start("--workers", "2")
        assert host.stop() == 0
