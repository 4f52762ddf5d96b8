"""What was left out is said in one line, and nothing is said when nothing was."""

from __future__ import annotations

from pathlib import Path

from not_run import add, printed


def test_the_parts_of_a_run_make_one_line(tmp_path: Path) -> None:
    """Each reason once, on one line, with the number of tests that it kept from running."""
    notes = tmp_path / "cache" / "not-run"
    add(["needs Ray: make test-ray", "needs IPv6"], notes)
    add([], notes)
    add(["needs\n  IPv6"], notes)
    assert printed(notes) == "Not run here: needs Ray: make test-ray; needs IPv6 (2 tests)."


def test_nothing_left_out_is_nothing_said(tmp_path: Path) -> None:
    """Not even an empty list is written."""
    notes = tmp_path / "not-run"
    add([], notes)
    assert printed(notes) == ""
    assert not notes.exists()
