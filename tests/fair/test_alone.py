"""Anyone who has a record can check it: nothing but this package and Python is needed."""

from __future__ import annotations

import sys

import pytest
from waiting import completed

ALONE = """
import sys
sys.modules["msgspec"] = None  # as if it were not installed
import catinthebox.fair, catinthebox.cli.verify
print(sorted(name for name in sys.modules if name.startswith("catinthebox.table")))
"""


@pytest.mark.process
def test_deals_are_checked_without_other_packages() -> None:
    """`catinthebox verify` needs nothing that a server needs."""
    assert completed([sys.executable, "-c", ALONE]) == "[]\n"
