"""The driver of `make soak`: it stops in time, and nothing that fails is lost."""

from __future__ import annotations

from itertools import count
from multiprocessing import Pipe
from pathlib import Path

import pytest
import soak
from soak import LAWS, Law, Outcome, checked, main, row


class Clock:
    """A clock that moves when a law is checked."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def law(clock: Clock, seconds: float, *, wrong: range = range(0)) -> Law:
    """A law that takes so long, and fails for some seeds."""

    def check(seed: int, folder: Path) -> int:
        assert not list(folder.iterdir())
        (folder / "games.db").touch()
        clock.now += seconds
        assert seed not in wrong, f"seed {seed} is wrong"
        return 10

    return Law("toy", "toys", "broken", 1.0, check)


@pytest.mark.parametrize(("seconds", "seeds"), [(1.0, 10), (3.0, 3), (50.0, 1)])
def test_no_seed_is_begun_that_would_end_too_late(seconds: float, seeds: int) -> None:
    """But one always is."""
    clock = Clock()
    outcome = checked(law(clock, seconds), count(7), 10.0, clock)
    assert outcome == Outcome(10 * seeds, seeds)


def test_a_failure_is_reported_with_its_seed_and_the_others_continue() -> None:
    """With everything that is needed to find it."""
    clock = Clock()
    toy = law(clock, 1.0, wrong=range(9, 11))
    outcome = checked(toy, count(7), 10.0, clock)
    assert (outcome.checked, outcome.seeds) == (80, 10)
    assert [seed for seed, _ in outcome.failed] == [9, 10]
    assert "seed 9 is wrong" in outcome.failed[0][1]
    assert row(toy, outcome, 10, 7) == "| toys | 80 | 2 broken | 0:10 | 10 from 7 |"


def test_failures_are_the_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the table has a row for every law."""
    asked: list[tuple[str, int]] = []

    def shared_out(law: Law, first: int, cores: int, seconds: float) -> Outcome:
        asked.append((law.name, round(seconds)))
        return Outcome(5, 2, [(42, "lost\n")] if law.name == "kills" and first == 1 else [])

    monkeypatch.setattr(soak, "shared_out", shared_out)
    assert main(["--minutes", "10", "--seed", "2"]) == 0
    assert [name for name, _ in asked] == [law.name for law in LAWS]
    assert sum(seconds for _, seconds in asked) == 600
    assert main(["--only", "kills", "--minutes", "1", "--seed", "1"]) == 1
    said = capsys.readouterr().out
    assert "python tests/soak.py --only kills --seed 42 --minutes 0" in said
    assert "| kills survived | 5 | 1 lost |" in said


def test_a_process_that_dies_has_failed_at_its_seed(tmp_path: Path) -> None:
    """Or would be taken for one that found nothing."""
    receive, send = Pipe(duplex=False)
    (note := tmp_path / "0").write_text("17")
    send.close()
    assert soak.printed(receive, note).failed == [(17, "its process died\n")]
    assert soak.printed(None, note).failed[0][0] == 17
    assert soak.printed(None, tmp_path / "1").failed[0][0] is None
