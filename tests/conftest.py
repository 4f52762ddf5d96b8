"""What did not run is noted, so that `make test` can say so at its end (`tests/not_run.py`)."""

from __future__ import annotations

import pytest
from not_run import add


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Note the reason of everything that was skipped."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = [report.longrepr[2] for report in skipped if isinstance(report.longrepr, tuple)]
    add(reason.removeprefix("Skipped: ") for reason in reasons)
