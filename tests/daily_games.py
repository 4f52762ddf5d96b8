"""Daily games as somebody would play them in a browser, for the tests of the table of the day."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from catinthebox import Action, Game, Round
from catinthebox.fair.daily import PLAYERS, daily, seed
from catinthebox.game import Phase
from catinthebox.players import Budget, player
from catinthebox.players.player import GivenSeed
from catinthebox.views import View

EASY = "2026-11-17"  # both bots are gentle, which costs next to nothing
Choose = Callable[[View], Action]


def first(view: View) -> Action:
    """Choose the first thing that is legal."""
    return next(iter(view.legal))


def at_random(number: int) -> Choose:
    """Choose anything."""
    rng = Random(number)
    return lambda view: rng.choice([*view.legal])


def play_day(date: str, choose: Choose = first, *, bots: bool = True) -> Game:
    """Play the game of a day. Without `bots`, somebody decides for all seats."""
    day = daily(date)
    game = Game.new(PLAYERS, face="white", starter=day.starter)
    for number, deal in enumerate(day.rounds, 1):
        game = game.deal(deal.hands)
        dealt = game.current
        while not game.current.over:
            seat = next(seat for seat in range(PLAYERS) if game.current.legal_for(seat))
            view = _view(game, dealt, seat)
            level = day.levels[seat] if bots else None
            if level is None:
                action = choose(view)
            else:
                made = sum(play.seat == seat for play in game.current.actions)
                chance = seed(date, round_number=number, seat=seat, decision=made)
                action = player(level).choose(view, Budget(), GivenSeed(chance))
            game = game.play(action, seat)
    return game


def _view(game: Game, dealt: Round, seat: int) -> View:
    """What a seat knows; while cards are set aside, that is what was dealt (docs/browser.md)."""
    round = dealt if game.current.phase is Phase.DISCARD else game.current
    return View.of(round, seat, game.totals, PLAYERS - game.number)
