"""Which tests run (`quick.py`); what did not is noted for the end of `make test` (`not_run.py`)."""

from __future__ import annotations

import pytest
import quick
from not_run import add


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--quick`."""
    sentence = "leave out tests that need a browser, a database server or child processes, or long"
    parser.addoption("--quick", action="store_true", help=sentence)


def pytest_configure(config: pytest.Config) -> None:
    """Watch the tests of quick mode."""
    if quick.left_out(config):
        quick.watch(config)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Sort the tests, or leave some of them out."""
    quick.choose(config, items)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Note the reason of everything that was skipped."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = [report.longrepr[2] for report in skipped if isinstance(report.longrepr, tuple)]
    add(reason.removeprefix("Skipped: ") for reason in reasons)
