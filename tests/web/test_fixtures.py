"""What the client is tested with is what the server shows, today."""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable

import msgspec
import pytest
from web.tools import WEB

GALLERY = WEB / "gallery"
RECORDS = WEB / "src" / "engine" / "records"
LEARN = WEB / "src" / "pages" / "learn"
LOCAL = WEB / "src" / "engine" / "table"
DAILY = WEB / "src" / "engine" / "daily"
MADE: dict[str, Callable[[], object]] = runpy.run_path(str(GALLERY / "fixtures.py"))["MADE"]


@pytest.mark.long
@pytest.mark.parametrize("name", MADE)
def test_fixtures_are_up_to_date(name: str) -> None:
    """Scenes of the gallery, and the server's reasons that the client's are held against."""
    kept = json.loads((GALLERY / name).read_text(encoding="utf-8"))
    made = json.loads(msgspec.json.encode(MADE[name]()))
    assert kept == made, "out of date; run: python web/gallery/fixtures.py"


RECORDS_MADE: dict[str, Callable[[], object]] = runpy.run_path(str(RECORDS / "make.py"))["MADE"]


@pytest.mark.long
@pytest.mark.parametrize("name", RECORDS_MADE)
def test_records_are_up_to_date(name: str) -> None:
    """What the client's reader of records is told, and the records that it is tested with."""
    kept = json.loads((RECORDS / name).read_text(encoding="utf-8"))
    made = RECORDS_MADE[name]()
    assert kept == made, "out of date; run: python web/src/engine/records/make.py"


def test_the_tutorial_is_up_to_date() -> None:
    """Its positions are those of the rules and the table."""
    kept = json.loads((LEARN / "steps.json").read_text(encoding="utf-8"))
    made = runpy.run_path(str(LEARN / "make.py"))["steps"]()
    assert kept == made, "out of date; run: python web/src/pages/learn/make.py"


@pytest.mark.long
def test_the_games_of_the_local_table_are_up_to_date() -> None:
    """What the table in the page is compared with is what Python's table says."""
    kept = json.loads((LOCAL / "games.json").read_text(encoding="utf-8"))
    made = runpy.run_path(str(LOCAL / "make.py"))["games"]()
    assert kept == made, "out of date; run: python web/src/engine/table/make.py"


@pytest.mark.long
def test_the_daily_games_are_up_to_date() -> None:
    """The bots of a day decide in the page as they do on a server that checks games."""
    kept = json.loads((DAILY / "games.json").read_text(encoding="utf-8"))
    made = json.loads(runpy.run_path(str(DAILY / "make.py"))["text"]())
    assert kept == made, "out of date; run: python web/src/engine/daily/make.py"
