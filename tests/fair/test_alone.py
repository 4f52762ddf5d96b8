"""Whoever has a record can check it: nothing but this package and Python is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

ALONE = """
import sys
sys.modules["msgspec"] = None  # as if it were not installed
import catinthebox.fair, catinthebox.cli.verify
print(sorted(name for name in sys.modules if name.startswith("catinthebox.table")))
"""


@pytest.mark.process
def test_deals_are_checked_without_other_packages() -> None:
    """`catinthebox verify` needs nothing that a server needs."""
    done = subprocess.run(
        [sys.executable, "-c", ALONE], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"
