"""Plays rounds and games among players, each of which sees only its seat's view.

>>> from random import Random
>>> from catinthebox.game import Round
>>> from catinthebox.players import Budget, player
>>> seats = [player("follow"), player("random")]
>>> played = play_round(Round.shuffled(2, Random(1)), seats, Budget(), "a seed")
>>> played.round.over, [clock.decisions for clock in played.clocks]
(True, [7, 6])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter
from traceback import extract_tb

from ..game import Action, CatInTheBoxError, Game, Phase, Play, Round
from ..players import Budget, Player
from ..views import View, opening, visible
from .deals import ArenaDeal


class Stopped(Exception):
    """The run was asked to stop; the current round is not finished."""


@dataclass
class Clock:
    """The time a seat has spent on its decisions."""

    decisions: int = 0
    ms: float = 0.0
    slowest_ms: float = 0.0

    def took(self, ms: float) -> None:
        """Count a decision."""
        self.decisions += 1
        self.ms += ms
        self.slowest_ms = max(self.slowest_ms, ms)


@dataclass(frozen=True)
class PlayedRound:
    """A finished round, and the time it took."""

    round: Round
    clocks: tuple[Clock, ...]


@dataclass(frozen=True)
class PlayedGame:
    """A finished game, and the time it took."""

    game: Game
    clocks: tuple[Clock, ...]


def play_round(
    round: Round,
    seats: Sequence[Player],
    budget: Budget,
    seed_key: str,
    *,
    names: Sequence[str] = (),
    totals: tuple[int, ...] = (),
    rounds_left: int = 0,
    clocks: tuple[Clock, ...] = (),
) -> PlayedRound:
    """Play a round to its end; randomness comes from the key and the number of the decision.

    `totals` and `rounds_left` describe the game; `names` are for errors, `clocks` are continued.
    """
    views = [View(opening(round, seat, totals, rounds_left)) for seat in range(round.players)]
    clocks = clocks or tuple(Clock() for _ in views)
    table = _Table(round, views, seats, budget, seed_key, names or [repr(p) for p in seats], clocks)
    table.discard()
    while not table.round.over:
        seat = table.round.turn
        assert seat is not None, "a round that is not over has a seat to act"
        table.act(seat, table.ask(seat))
    return PlayedRound(table.round, clocks)


def play_game(
    deal: ArenaDeal,
    seats: Sequence[Player],
    budget: Budget,
    seed_key: str,
    *,
    names: Sequence[str] = (),
) -> PlayedGame:
    """Play as many rounds as there are players (R1); every seat knows the totals."""
    game = deal.game
    clocks = tuple(Clock() for _ in seats)
    while not game.over:
        totals, left = game.totals, game.players - game.number - 1
        game = deal.shuffle(game)
        played = play_round(
            game.current,
            seats,
            budget,
            f"{seed_key}:{game.number}",
            names=names,
            totals=totals,
            rounds_left=left,
            clocks=clocks,
        )
        rounds = (*game.rounds[:-1], played.round)
        game = Game(game.names, game.face, game.starter_of_game, game.edition, rounds)
    return PlayedGame(game, clocks)


@dataclass
class _Table:
    """A round in play, and the view of every seat."""

    round: Round
    views: list[View]
    seats: Sequence[Player]
    budget: Budget
    seed_key: str
    names: Sequence[str]
    clocks: tuple[Clock, ...]
    number: int = 0  # of the next decision, counted over all seats

    def discard(self) -> None:
        """Ask every seat for its discard before any of them sees another's (R7)."""
        if self.round.phase is Phase.DISCARD:
            for seat, action in [(seat, self.ask(seat)) for seat in self.round.to_act]:
                self.act(seat, action)

    def ask(self, seat: int) -> Action:
        """Ask a player for its action, measure the time, and check the answer."""
        view, chance = self.views[seat], Random(f"{self.seed_key}/{self.number}")
        self.number += 1
        begun = perf_counter()
        try:
            answer: object = self.seats[seat].choose(view, self.budget, chance)
        except Exception as error:
            raise self._failed(seat, f"raised {_in_words(error)}") from error
        self.clocks[seat].took((perf_counter() - begun) * 1000)
        if self.budget.cancelled():
            raise Stopped
        if not isinstance(answer, Action) or answer not in view.legal:
            raise self._failed(seat, f"answered {_shown(answer)}")
        return answer

    def act(self, seat: int, action: Action) -> None:
        """Carry an action out, and update every view."""
        before, self.round = self.round, self.round.play(action, seat)
        played = Play(seat, action)
        for watching, view in enumerate(self.views):
            self.views[watching] = view.see(*visible(before, played, self.round, watching))

    def _failed(self, seat: int, what: str) -> CatInTheBoxError:
        view = self.views[seat]
        sentence = (
            f"{self.names[seat]} at seat {seat} {what}; it could do {view.legal}, "
            f"having seen {view!r}"
        )
        return CatInTheBoxError("input.player", sentence)


def _shown(answer: object) -> str:
    return str(answer) if isinstance(answer, Action) else f"{answer!r:.100}"


def _in_words(error: Exception) -> str:
    """Name an error and the line it came from."""
    lines = extract_tb(error.__traceback__)
    where = f" ({lines[-1].name}, line {lines[-1].lineno})" if lines else ""
    return f"{type(error).__name__}: {error}{where}"
