"""`make flaky` keeps the machine busy, repeats the right tests, and tells what failed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import flaky
import pytest
from waiting import ended

SOME = """
import pytest

@pytest.mark.timing
def test_waits():
    assert False

def test_waits_for_nothing():
    assert False
"""
ALONE = ("-n", "0", "-p", "no:cacheprovider")


@pytest.mark.process
def test_what_is_marked_is_run(tmp_path: Path) -> None:
    """And nothing else; a file that is not there is no success."""
    test = tmp_path / "test_some.py"
    test.write_text(SOME)
    (failed,) = flaky.run([str(test)], ALONE)
    assert failed.endswith("test_some.py::test_waits")
    with pytest.raises(SystemExit, match="pytest has ended with status 4"):
        flaky.run([str(tmp_path / "nowhere.py")], ALONE)


def test_intermittent_failures_are_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With how often; one failure is enough for the status."""
    runs = [["a"], [], ["a", "b"]]
    monkeypatch.setattr(flaky, "run", lambda files, options: runs.pop(0))
    assert flaky.main(["--times", "3", "--busy", "0"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert [line.partition(",")[0] for line in said[:3]] == [
        f"run {number} of 3: {failed} failed" for number, failed in ((1, 1), (2, 0), (3, 2))
    ]
    assert said[3:] == ["2 of 3: a", "1 of 3: b"]
    runs = [[]]
    assert flaky.main(["--times", "1", "--busy", "0"]) == 0


@pytest.mark.process
def test_loops_end_with_the_process_that_started_them() -> None:
    """Also if it is killed and cannot end them."""
    code = "import os, flaky\nwith flaky.busy(2): os.write(1, b'x\\n'); os.kill(os.getpid(), 9)"
    folder = str(Path(flaky.__file__).parent)
    words = [sys.executable, "-c", f"import sys; sys.path.insert(0, {folder!r})\n{code}"]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as run:
        assert ended(run) == (-9, "x\n")  # its output ends when the last loop has ended


def test_there_are_tests_to_repeat() -> None:
    """Those that once failed on a busy machine are among them."""
    files = {Path(file).name for file in flaky.marked()}
    assert {"test_examples.py", "test_presence.py", "test_pool.py", "test_contest.py"} <= files
