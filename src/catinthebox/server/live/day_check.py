"""Whether a record is a daily game: the cards of that day, and what the bots of that day decide.

Reading a record checks that every move is legal and every score is right. `played` adds that the
game is that of the day: its face, its first starter, its cards. `decisions` are those of the bots,
each with what its seat knew and the seed of the day (docs/browser.md); whether the level decides so
is for the caller to find out.

What the person did needs no check: whatever is legal is theirs to decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date as calendar_date
from datetime import timedelta
from typing import Final, NamedTuple

from ...fair.daily import PLAYERS, Daily, daily, seed
from ...game import Action, Face, Game, NotLegal, Phase, Round
from ...game.edition import STANDARD
from ...game.record import read_any
from ...table.errors import refused
from ...views import View

FACE: Final = Face.named("white")


class BotDecision(NamedTuple):
    """What a bot did, and all that follows from the date and its view."""

    level: str
    view: View
    seed: int
    action: Action
    place: str  # for an error message


def later(date: str, days: int) -> str:
    """Return the date so many days later.

    >>> later("2026-12-31", 1), later("2027-01-01", -1)
    ('2027-01-01', '2026-12-31')
    """
    return (calendar_date.fromisoformat(date) + timedelta(days)).isoformat()


def played(date: str, record: str) -> Game:
    """Read the game of a day from its record; an error says why it is none."""
    game, day = read_any(record), daily(date)
    if game.players != PLAYERS or game.face != FACE or game.edition != STANDARD:
        raise another("a daily game has three players, on the white face")
    if not game.over:
        raise another("the game is not over")
    if game.starter_of_game != day.starter:
        raise another("another seat begins on that day")
    for number, (round, deal) in enumerate(zip(game.rounds, day.rounds, strict=True), 1):
        if tuple(round.setup.hands) != tuple(deal.hands):
            raise another(f"round {number} has other cards on that day")
    return game


def decisions(date: str, game: Game) -> Iterator[BotDecision]:
    """Iterate over what the bots of a daily game decided, in order."""
    day = daily(date)
    for number, round in enumerate(game.rounds, 1):
        totals = replace(game, rounds=game.rounds[: number - 1]).totals
        yield from _of_round(date, day, number, round, totals)


def _of_round(
    date: str, day: Daily, number: int, round: Round, totals: tuple[int, ...]
) -> Iterator[BotDecision]:
    """Iterate over the bots' decisions in a round.

    All set a card aside at the same time (R7), and the record does not say in which order. So a bot
    sees the round as it was dealt then, and so it does in the browser.
    """
    dealt = now = Round(round.setup)
    made: Counter[int] = Counter()  # decisions, by seat
    for action, seat in ((each.action, each.seat) for each in round.actions):
        level = day.levels[seat]
        if level is not None:
            known = dealt if action.phase is Phase.DISCARD else now
            view = View.of(known, seat, totals, PLAYERS - number)
            chance = seed(date, round_number=number, seat=seat, decision=made[seat])
            yield BotDecision(level, view, chance, action, f"round {number}, {seat}:{action}")
        made[seat] += 1
        now = now.play(action, seat)


def another(why: str) -> NotLegal:
    """Return the error for a record of another game."""
    return refused("daily.game", f"this is not the game of that day: {why}")
