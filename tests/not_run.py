"""What `make test` did not run here, in one line: its parts add to a list, its end prints it.

python tests/not_run.py --forget    at the beginning: nothing has been left out yet
python tests/not_run.py             at the end: what was left out, and why
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

NOTES = Path(__file__).resolve().parents[1] / ".pytest_cache" / "not-run"


def add(reasons: Iterable[str], notes: Path = NOTES) -> None:
    """Add a line per test that was left out: why, and with which command it would run."""
    lines = [" ".join(reason.split()) + "\n" for reason in reasons]
    if lines:
        notes.parent.mkdir(exist_ok=True)
        with notes.open("a", encoding="utf-8") as file:
            file.writelines(lines)


def printed(notes: Path = NOTES) -> str:
    """One line about everything that was left out; empty if nothing was."""
    found = Counter(notes.read_text(encoding="utf-8").splitlines() if notes.exists() else [])
    parts = [
        reason if count == 1 else f"{reason} ({count} tests)" for reason, count in found.items()
    ]
    return f"Not run here: {'; '.join(parts)}." if parts else ""


if __name__ == "__main__":
    if "--forget" in sys.argv:
        NOTES.unlink(missing_ok=True)
    elif line := printed():
        print(line)
