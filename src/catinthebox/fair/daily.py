"""The deal of a day: all of a daily game follows from its date (docs/browser.md, "The daily deal").

"catinthebox daily 1": the cards are a fair deal whose secret is the hash of a public text, so that
anybody can compute them; seat, levels and the seeds of the opponents are hashes of longer texts.

>>> day = daily("2026-11-15")
>>> day.seat, day.levels, day.starter
(1, ('gentle', None, 'sharp'), 0)
>>> day.rounds[0].hands[day.seat]
'1112235566'
>>> seed("2026-11-15", round_number=1, seat=0, decision=2)
348388335824351705
"""

from __future__ import annotations

import hashlib
from datetime import date as calendar_date
from typing import Final, NamedTuple

from ..game import BadSetup, Refusal
from .deals import FairDeal, deal, starter_by_lot

DOMAIN: Final = "catinthebox daily 1"
PLAYERS: Final = 3  # a whole game has a round for every seat (R2): three
LEVELS: Final = ("gentle", "steady", "sharp")  # what decides alike on every machine, without a file
NOBODY: Final = (b"",) * PLAYERS  # no seat adds a nonce
SEED_BITS: Final = 62


class Daily(NamedTuple):
    """The game of a day."""

    seat: int  # of the person
    levels: tuple[str | None, ...]  # by seat; None for the person
    starter: int  # of the first round (R1)
    rounds: tuple[FairDeal, ...]


def daily(date: str) -> Daily:
    """Return the game of a day, such as `2026-11-15`."""
    _check(date)
    secret = hashlib.sha256(f"{DOMAIN} {date}".encode()).digest()
    seat = _number(date, "seat") % PLAYERS
    levels = (
        None if other == seat else LEVELS[_number(date, f"level {other}") % len(LEVELS)]
        for other in range(PLAYERS)
    )
    rounds = (deal(secret, f"daily-{date}", NOBODY, n + 1) for n in range(PLAYERS))
    starter = starter_by_lot(secret, f"daily-{date}", NOBODY)
    return Daily(seat, tuple(levels), starter, tuple(rounds))


def seed(date: str, *, round_number: int, seat: int, decision: int) -> int:
    """Return the chance of a decision.

    Rounds count from 1, the decisions of a seat in a round from 0.
    """
    _check(date)
    return _number(date, f"round {round_number} seat {seat} decision {decision}") >> 64 - SEED_BITS


def _number(date: str, purpose: str) -> int:
    """The first eight bytes of a hash, the highest first."""
    return int.from_bytes(hashlib.sha256(f"{DOMAIN} {date} {purpose}".encode()).digest()[:8], "big")


def _check(date: str) -> None:
    try:
        is_day = calendar_date.fromisoformat(date).isoformat() == date
    except ValueError:
        is_day = False
    if not is_day:
        sentence = f"{date!r} is no day; days are written as 2026-11-15"
        raise BadSetup([Refusal("setup.date", "R5", sentence)])
