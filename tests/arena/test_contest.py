"""Contests: the same rows however the work is divided, stopped and taken up again."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from waiting import ended, until

from catinthebox import Action, CatInTheBoxError, NotUnderstood
from catinthebox.arena import Match, Results, SeatResult, Terms, contest, directions, pool, read
from catinthebox.arena.contest import missing, settings
from catinthebox.arena.match import ready
from catinthebox.arena.pool import Outcome, Task, WorkerFailure, chunk, rows_of, work
from catinthebox.arena.progress import LINE_EVERY, Progress, Running
from catinthebox.players import PLAYERS, Budget
from catinthebox.views import View

MATCHES = directions(3, "follow", "random")
TERMS = Terms(seed="contest")
DEALS = 6


def timeless(rows: Iterable[SeatResult]) -> list[SeatResult]:
    """Rows without what a clock says."""
    return [replace(row, ms=0, slowest_ms=0) for row in rows]


@pytest.fixture(scope="module")
def expected() -> list[SeatResult]:
    """The rows of the contest, played in this process."""
    return timeless(contest(MATCHES, TERMS, DEALS))


# ── The same rows ────────────────────────────────────────────────────────────────────────────


@pytest.mark.process
def test_processes_change_nothing(expected: list[SeatResult], tmp_path: Path) -> None:
    """Two workers find the same rows, in the same order, also in the file."""
    out = tmp_path / "rows.csv"
    assert timeless(contest(MATCHES, TERMS, DEALS, jobs=2, out=out)) == expected
    assert timeless(read(out)) == expected


def test_deals_are_nested_and_matches_apart(expected: list[SeatResult]) -> None:
    """Fewer deals, or one match alone, give the same rows as among others."""
    fewer = timeless(contest(MATCHES, TERMS, 2))
    assert fewer == [row for row in expected if row.deal < 2]
    alone = timeless(contest(MATCHES[:1], TERMS, DEALS))
    assert alone == [row for row in expected if row.match == MATCHES[0].key]
    assert timeless(contest(MATCHES, Terms(seed="other"), 2)) != fewer


def test_tasks_cover_every_deal_once() -> None:
    """Whatever is done already, and however large the chunks are."""
    for jobs, deals in [(1, 5), (2, 100), (3, 1000)]:
        done = {(MATCHES[0].key, number) for number in range(0, deals, 3)}
        tasks = missing(MATCHES, TERMS, deals, done, jobs)
        units = [(task.match.key, number) for task in tasks for number in task.deals]
        everything = {(match.key, number) for match in MATCHES for number in range(deals)}
        assert len(units) == len(set(units))
        assert set(units) == everything - done
        assert max(len(task.deals) for task in tasks) <= chunk(deals * 2, jobs)


# ── Going on ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_a_finished_deal_is_never_repeated(
    name: str, expected: list[SeatResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that was interrupted goes on; one that is complete plays nothing."""
    out = tmp_path / name
    played: list[pool.Task[SeatResult]] = []

    def counting(task: pool.Task[SeatResult]) -> pool.Outcome[SeatResult]:
        played.append(task)
        return work(task)

    def interrupted(task: pool.Task[SeatResult]) -> pool.Outcome[SeatResult]:
        if len(played) == 5:
            raise KeyboardInterrupt
        return counting(task)

    monkeypatch.setattr(pool, "work", interrupted)
    with pytest.raises(KeyboardInterrupt):
        contest(MATCHES, TERMS, DEALS, out=out)
    monkeypatch.setattr(pool, "work", counting)
    assert timeless(contest(MATCHES, TERMS, DEALS, out=out)) == expected
    assert len(played) == len(MATCHES) * DEALS
    assert timeless(contest(MATCHES, TERMS, DEALS, out=out)) == expected
    assert timeless(contest(MATCHES, TERMS, 2, out=out)) == [r for r in expected if r.deal < 2]
    assert len(played) == len(MATCHES) * DEALS
    assert timeless(read(out)) == expected


def test_a_run_that_died_before_its_last_step(tmp_path: Path, expected: list[SeatResult]) -> None:
    """Everything is played and Parquet is not written: the same command writes it."""
    out = tmp_path / "rows.parquet"
    kept = Results(out, settings(MATCHES, TERMS))
    for match in MATCHES:
        for number in range(DEALS):
            kept.add(match.play(TERMS, number))
    kept.close()
    assert not out.exists()
    assert timeless(contest(MATCHES, TERMS, DEALS, out=out)) == expected
    assert timeless(read(out)) == expected
    assert [file.name for file in tmp_path.iterdir()] == [out.name]


@pytest.mark.skipif(os.name != "posix", reason="needs locks")
def test_two_contests_on_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second is refused before it plays, and takes nothing from the first."""
    out = tmp_path / "rows.csv"
    refused: list[NotUnderstood] = []

    def visited(task: Task[SeatResult]) -> Outcome[SeatResult]:
        with pytest.raises(NotUnderstood, match="another run is at work") as caught:
            contest(MATCHES, TERMS, 1, out=out)
        refused.append(caught.value)
        return work(task)

    monkeypatch.setattr(pool, "work", visited)
    rows = contest(MATCHES, TERMS, 2, out=out)
    assert len(refused) == len(MATCHES) * 2
    assert read(out) == rows


def test_more_deals_go_on(expected: list[SeatResult], tmp_path: Path) -> None:
    """The number of deals is no setting: a file may grow."""
    contest(MATCHES, TERMS, 2, out=tmp_path / "rows.csv")
    assert timeless(contest(MATCHES, TERMS, DEALS, out=tmp_path / "rows.csv")) == expected


def test_another_contest_is_refused(tmp_path: Path) -> None:
    """The file of one seed is not the file of another."""
    contest(MATCHES, TERMS, 1, out=tmp_path / "rows.csv")
    with pytest.raises(NotUnderstood, match="seed there contest, here other"):
        contest(MATCHES, Terms(seed="other"), 1, out=tmp_path / "rows.csv")
    assert settings(MATCHES, TERMS)["face"] == "white"


LISTENING = """
import signal, sys
from catinthebox.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where tests run in the background
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.timing
@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_what_is_finished(jobs: str, tmp_path: Path) -> None:
    """The command ends soon and cleanly; what it leaves is whole."""
    out = tmp_path / "rows.csv"
    words = ["arena", "--players", "3", "--a", "follow", "--b", "random", "--deals", "100000"]
    command = [sys.executable, "-c", LISTENING, *words, "--jobs", jobs, "--out", str(out)]
    run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        until(lambda: out.exists() and out.stat().st_size > 2000, run)
        run.send_signal(signal.SIGINT)
        _, complaints = ended(run)
    finally:
        run.kill()
        run.wait()
    assert run.returncode == 130
    assert complaints == "stopped; the same command goes on from here\n"
    kept = read(out)
    assert kept
    assert len(kept) % 9 == 0


ENDLESS = """
import os, sys
from catinthebox.arena import Match, Terms
from catinthebox.arena.pool import Task, rows_of

task = Task(Match(3, ("follow", "random")), Terms("endless"), tuple(range(10**4)))
short = Task(Match(3, ("follow", "random")), Terms("endless"), (0,))
for rows in rows_of([short, task, task, task], jobs=2):
    os.write(1, b"begun")
"""


@pytest.mark.timing
@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_the_process_that_started_them(number: signal.Signals) -> None:
    """Their standard output is the same pipe: it ends when the last of them has ended."""
    run = subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE)
    assert run.stdout is not None
    assert run.stdout.read(5) == b"begun"  # the workers are busy for a while
    run.send_signal(number)
    assert ended(run) == (-number, "")


HOSTILE = "raise SystemExit('imported from the working directory')"


@pytest.mark.process
def test_workers_import_nothing_from_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither while they begin nor while they play; programs of players are left alone."""
    for name in ("numpy", "numba", "multiprocessing", "signal"):
        (tmp_path / f"{name}.py").write_text(HOSTILE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(pool.SAFE_PATH, raising=False)
    tasks = [Task(MATCHES[0], TERMS, (deal,)) for deal in range(2)]
    assert len([*rows_of(tasks, jobs=2)]) == 2
    assert pool.SAFE_PATH not in os.environ


@pytest.mark.parametrize("before", [None, "", "yes"])
def test_a_worker_passes_on_the_environment_of_the_run(
    before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player's own program may import what lies beside it."""
    monkeypatch.setenv(pool.SAFE_PATH, "")
    pool._set_safe_path(before)
    with pool._safe_path():
        assert os.environ[pool.SAFE_PATH] == "1"
    assert os.environ.get(pool.SAFE_PATH) == before


# ── Errors ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Broken:
    """A player that fails in its third deal."""

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Work while the starter is not seat 2."""
        if view.starter == 2:
            raise RuntimeError("lost my cards")
        return next(iter(view.legal))


def test_a_broken_player_stops_the_contest(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With the match and the deal in the error; the deals before it are kept."""
    monkeypatch.setitem(PLAYERS, "broken", Broken)
    match = Match(3, ("broken", "follow"))
    sentence = "^3p broken vs follow one, deal 2: broken at seat 0 raised RuntimeError: lost my"
    with pytest.raises(CatInTheBoxError, match=sentence):
        contest([match], TERMS, 5, out=tmp_path / "rows.csv")
    assert {row.deal for row in read(tmp_path / "rows.csv")} == {0, 1}
    ready.cache_clear()


@pytest.mark.process
def test_errors_come_home_from_workers() -> None:
    """An unknown player is named by the process that looked for it."""
    with pytest.raises(CatInTheBoxError, match="no player nobody") as caught:
        contest([Match(2, ("nobody", "random"))], TERMS, 4, jobs=2)
    assert caught.value.code == "input.player"


def test_a_stopped_worker_gives_what_it_has() -> None:
    """Whole deals only."""
    task = pool.Task(MATCHES[0], TERMS, (0, 1))
    assert work(task, lambda: True) == Outcome([])
    assert work(task).failure is None


def deals_of(rows: Iterable[SeatResult]) -> set[int]:
    """Which deals some rows are about."""
    return {row.deal for row in rows}


def given(tasks: Sequence[Task[SeatResult]], words: str, jobs: int) -> list[SeatResult]:
    """The rows that come home before the error that must follow."""
    rows: list[SeatResult] = []
    coming = rows_of(tasks, jobs)
    with pytest.raises(CatInTheBoxError, match=words):
        rows.extend(row for found in coming for row in found)
    return rows


def test_a_failing_task_gives_its_finished_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not played again."""
    monkeypatch.setitem(PLAYERS, "broken", Broken)
    tasks = [
        Task(Match(3, ("broken", "follow")), TERMS, (0, 1, 2, 3)),
        Task(MATCHES[0], TERMS, (0,)),
    ]
    rows, failure = work(tasks[0])
    assert deals_of(rows) == {0, 1}
    assert len(rows) == 18
    assert failure is not None
    assert failure.message.startswith("3p broken vs follow one, deal 2: ")
    assert timeless(given(tasks, "lost my cards", jobs=1)) == timeless(rows)  # no task after it
    ready.cache_clear()


def test_what_is_done_together_with_a_failure_is_kept(
    expected: list[SeatResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All rows come home, then the first error is raised."""
    first, *others = (work(Task(MATCHES[0], TERMS, (number,))) for number in range(3))
    failed: list[Outcome[SeatResult]] = [
        Outcome([], WorkerFailure("input.player", name)) for name in ("this one", "not this one")
    ]
    together = [failed[0], first, failed[1], *others]
    monkeypatch.setattr(pool, "_outcomes", lambda *_: (outcome for outcome in together))
    rows = given([], "^this one$", jobs=2)
    assert timeless(rows) == [row for row in expected if row.match == MATCHES[0].key][:27]


PAIR_OF_BOTS = """
import json, os, sys, time
gate, role = sys.argv[0] + ".gate", sys.argv[1]
for line in sys.stdin:
    asked = json.loads(line)
    answer = {"type": "hello", "name": role}
    if asked["type"] != "hello":
        answer = {"type": "action", "action": asked["legal"][0]}
        if role == "opens" and asked["starter"] == 1:
            open(gate, "w").close()
        if role == "fails" and asked["starter"] == 2:
            while not os.path.exists(gate):
                time.sleep(0.01)
            sys.exit(7)
    print(json.dumps(answer), flush=True)
"""


@pytest.mark.timing
@pytest.mark.process
def test_workers_bring_home_what_they_have_finished(tmp_path: Path) -> None:
    """Of the task that failed in its third deal, and of one that was in its second or later."""
    (tmp_path / "bot.py").write_text(PAIR_OF_BOTS, encoding="utf-8")
    command = f"external:timeout_ms=600000,{sys.executable} {tmp_path / 'bot.py'}"
    fails, opens = (Match(3, (f"{command} {role}", "follow")) for role in ("fails", "opens"))
    tasks = [Task(fails, TERMS, (0, 1, 2)), Task(opens, TERMS, tuple(range(5000)))]
    rows = given(tasks, "deal 2: .* ended with status 7", jobs=2)
    assert deals_of(row for row in rows if row.match == fails.key) == {0, 1}
    others = [row for row in rows if row.match == opens.key]
    assert others
    assert len(others) % 9 == 0


class Deadly(tuple[int, ...]):
    """Deals whose sight no worker survives."""

    def __reduce__(self) -> tuple[Callable[[int], object], tuple[int]]:
        """Unpacking them ends the process."""
        return os._exit, (9,)


@pytest.mark.process
@pytest.mark.parametrize("before", [0, 1, 3, 6])
def test_a_worker_that_dies_is_an_error(before: int) -> None:
    """One sentence, and no waiting, whatever else is under way; what had come home is kept."""
    tasks = [Task(MATCHES[0], TERMS, (number,)) for number in range(before)]
    tasks += [Task(MATCHES[0], TERMS, Deadly()), *(Task(MATCHES[1], TERMS, (0,)) for _ in range(9))]
    rows = given(tasks, "a worker process died, killed or out of memory", jobs=2)
    assert len(rows) % 9 == 0


class Cluster:
    """Stands for Ray: what is begun here is done at once."""

    def __init__(self) -> None:
        self.begun: list[Task[SeatResult]] = []

    def remote(
        self, function: Callable[[Task[SeatResult]], Outcome[SeatResult]]
    ) -> SimpleNamespace:
        """Nothing is far away."""

        def begin(task: Task[SeatResult]) -> Outcome[SeatResult]:
            self.begun.append(task)
            return function(task)

        return SimpleNamespace(remote=begin)

    def cluster_resources(self) -> dict[str, float]:
        """Two tasks for its one core are under way."""
        return {"CPU": 1.0}

    def wait(
        self, running: list[Outcome[SeatResult]], num_returns: int = 1, timeout: float | None = None
    ) -> tuple[list[Outcome[SeatResult]], list[Outcome[SeatResult]]]:
        """All are done."""
        return running[:num_returns], running[num_returns:]

    def get(self, done: list[Outcome[SeatResult]]) -> list[Outcome[SeatResult]]:
        """Return what is there."""
        return done


def test_a_cluster_brings_home_what_it_has_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all tasks that were begun; after a failure no other one is."""
    monkeypatch.setitem(PLAYERS, "broken", Broken)
    match, cluster = Match(3, ("broken", "follow")), Cluster()
    tasks = [Task(match, TERMS, (0, 1, 2)), *(Task(MATCHES[0], TERMS, (n,)) for n in range(3))]
    outcomes = [*pool._remote(cluster, tasks)]
    assert [deals_of(outcome.rows) for outcome in outcomes] == [{0, 1}, {0}]
    assert cluster.begun == tasks[:2]
    whole = [*pool._remote(Cluster(), tasks[1:])]
    assert [deals_of(outcome.rows) for outcome in whole] == [{0}, {1}, {2}]
    ready.cache_clear()


# ── Progress ─────────────────────────────────────────────────────────────────────────────────


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Pretend."""
        return True


def test_a_terminal_shows_a_bar_with_the_estimate(tmp_path: Path) -> None:
    """Full at the end, and a run that goes on begins where the other stopped."""
    stream = Terminal()
    contest(MATCHES, TERMS, 4, progress=Progress(stream), out=tmp_path / "rows.csv")
    last = stream.getvalue().split("\r")[-1]
    assert last.startswith("█" * 24 + " 8/8 deals, 0:00 left, 3p follow vs random many: +")
    assert last.endswith("\n")
    again = Progress(Terminal())
    contest(MATCHES, TERMS, 5, progress=again, out=tmp_path / "rows.csv")
    assert (again.before, again.done, again.total) == (8, 10, 10)


def test_without_a_terminal_progress_is_a_line_at_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing for a short run, a plain line for a long one; no stream, no word."""
    stream = io.StringIO()
    contest(MATCHES, TERMS, 1, progress=Progress(stream))
    assert stream.getvalue() == ""
    monkeypatch.setattr("catinthebox.arena.progress.LINE_EVERY", 0.0)
    table = Match(2, ("random", "follow"), "table")
    contest([table], TERMS, 2, progress=Progress(stream))
    assert stream.getvalue().splitlines()[-1] == "2/2 deals, 0:00 left"
    assert LINE_EVERY >= 10


def received(
    finishing: Sequence[tuple[float, int]], total: int, side_by_side: int = 1
) -> list[str]:
    """What a bar says each time; `finishing` are times at which so many more deals are done."""
    match, stream, times = MATCHES[0], Terminal(), iter([0.0, 0.0])
    progress = Progress(stream, lambda: next(times))
    progress.begin(total, [], [match], side_by_side)
    rows = contest([match], TERMS, total)
    words, done = [], 0
    for at, more in finishing:
        times = iter([at, at])
        found = [row for row in rows if done <= row.deal < done + more]
        progress.finished(match, found)
        words.append(stream.getvalue().split("\r")[-1].split(" ", 1)[1])
        done += more
    return words


def test_the_time_left_does_not_count_the_start() -> None:
    """A minute of compiling, then a deal a second: 8 are left after the second one."""
    first, second, *_ = received([(60.0, 1), (61.0, 1)], total=10)
    assert first.startswith("1/10 deals, estimating the time left, ")
    assert second.startswith("2/10 deals, 0:08 left, ")


def test_the_time_left_does_not_count_what_began_together() -> None:
    """Four workers end their first deals at the same time: that says nothing about their pace."""
    words = received([(60.0, 1), (60.1, 1), (60.1, 1), (60.2, 1), (64.2, 4)], 12, side_by_side=4)
    assert all("estimating the time left" in each for each in words[:4])
    assert words[4].startswith("8/12 deals, 0:04 left, ")


def test_one_deal_has_no_interval() -> None:
    """A margin of nothing would say that all is known."""
    first, second = received([(1.0, 1), (2.0, 1)], total=3)
    assert "(an interval needs more deals)" in first
    assert "±" not in first
    assert "±" in second


def test_a_running_mean() -> None:
    """The same as of all values at once."""
    running = Running()
    assert running.margin is None
    for value in (1.0, 2.0, 6.0):
        running.add(value)
    assert running.mean == 3
    assert running.margin == pytest.approx(1.96 * (7 / 3) ** 0.5)
