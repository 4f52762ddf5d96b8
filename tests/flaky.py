"""Repeat the tests that wait for something, on a machine that is kept busy: `make flaky`.

    python tests/flaky.py --times 20 --busy 2 [options of pytest]

A test that fails once in a while fails here sooner: two endless loops per core take most of the
machine. Whatever failed is told at the end, with how often; the status is 1 then.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
LOOP: Final = "import os, sys\nwhile os.getppid() == int(sys.argv[1]): sum(range(10**6))"
FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.M)
GOOD, SOME_FAILED = 0, 1  # statuses of pytest; any other means that it did not run


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Keep so many cores busy; the loops end with this process, whatever becomes of it."""
    words = [sys.executable, "-c", LOOP, str(os.getpid())]
    running = [subprocess.Popen(words) for _ in range(loops)]
    try:
        yield
    finally:
        for loop in running:
            loop.kill()
            loop.wait()


def marked() -> list[str]:
    """The files that have such tests; to collect all others would take longer than to run these."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [str(file) for file in files if "mark.timing" in file.read_text("utf-8")]


def run(files: Sequence[str], options: Sequence[str]) -> list[str]:
    """Run the marked tests of some files once; give those that failed."""
    words = [sys.executable, "-m", "pytest", "-m", "timing", "-q", "--tb=short", *options, *files]
    done = subprocess.run(
        words, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", errors="replace", check=False
    )
    if done.returncode != GOOD:
        print(done.stdout, flush=True)
    if done.returncode not in (GOOD, SOME_FAILED):
        sys.exit(f"pytest has ended with status {done.returncode}")
    return failures(done.stdout)


def failures(report: str) -> list[str]:
    """The tests that a report of pytest names as failed.

    >>> failures("FAILED tests/a.py::test_b[1] - assert 1 == 2")
    ['tests/a.py::test_b[1]']
    """
    return FAILED.findall(report)


def main(arguments: Sequence[str]) -> int:
    """Repeat them, and say what failed."""
    parser = argparse.ArgumentParser(description="repeat the tests marked `timing` under load")
    parser.add_argument("--times", type=int, default=20, help="how often (20)")
    parser.add_argument("--busy", type=int, default=2, help="endless loops per core (2)")
    parser.add_argument("--files", nargs="*", default=marked(), help="only those of these files")
    wanted, options = parser.parse_known_args(arguments)
    found: Counter[str] = Counter()
    with busy(wanted.busy * (os.cpu_count() or 1)):
        for number in range(1, wanted.times + 1):
            begun = time.monotonic()
            failed = run(wanted.files, options)
            found.update(failed)
            seconds = time.monotonic() - begun
            printed = f"run {number} of {wanted.times}: {len(failed)} failed, {seconds:.0f} s"
            print(printed, flush=True)
    for test, times in found.most_common():
        print(f"{times} of {wanted.times}: {test}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
