"""Contests on Ray give the rows that they give here; `make test-ray` installs it and runs this."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from catinthebox.arena import SeatResult, Terms, contest, directions, read

pytest.importorskip("ray", reason="Ray is not installed (make test-ray)")

MATCHES = directions(3, "follow", "random")
TERMS = Terms(seed="contest")
DEALS = 6


def timeless(rows: list[SeatResult]) -> list[SeatResult]:
    """Rows without what a clock says."""
    return [replace(row, ms=0, slowest_ms=0) for row in rows]


def test_ray_changes_nothing(tmp_path: Path) -> None:
    """Neither the rows that come back nor those in the file."""
    out = tmp_path / "rows.csv"
    here = timeless(contest(MATCHES, TERMS, DEALS))
    assert timeless(contest(MATCHES, TERMS, DEALS, jobs=2, ray=True, out=out)) == here
    assert timeless(read(out)) == here
    print(f"{len(here)} rows on Ray equal the local ones")
