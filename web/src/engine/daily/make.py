"""Make the daily games that the browser and Python have to agree on: what bots do on some days.

    .venv/bin/python web/src/engine/daily/make.py

The person always does the first thing that is legal. A server checks games of the day by what
Python says here (`catinthebox.server.live.day_check`).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[4]
OUT: Final = Path(__file__).with_name("games.json")
DAYS: Final = ("2026-01-01", "2026-11-14", "2026-11-15", "2026-11-17", "2026-12-31")

sys.path.insert(0, str(ROOT / "tests"))
from daily_games import play_day  # noqa: E402 (it is among the tests)


def rounds(date: str) -> list[list[str]]:
    """Return the moves of every round; those who set a card aside do so in the order of seats."""
    game = play_day(date)
    return [[f"{play.seat}:{play.action}" for play in round.actions] for round in game.rounds]


def text() -> str:
    """Return the whole file."""
    games = {date: [" ".join(moves) for moves in rounds(date)] for date in DAYS}
    return json.dumps(games, indent=2) + "\n"


if __name__ == "__main__":
    OUT.write_text(text(), encoding="ascii")
