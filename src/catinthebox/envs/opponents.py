"""Opponents: players by name or object, or functions; they see only their seat's view.

>>> from random import Random
>>> from catinthebox.game import Round
>>> view = View.of(Round.deal(("1223345566", "1123344556", "1122344566")), seat=0)
>>> opponent("follow")(view, Random(1)) in view.legal
True
>>> opponent("steady")(view, Random(1))
Action('-5')
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from ..game import Action, NotUnderstood, Phase, Play, Round
from ..players import Budget, Player, player
from ..views import View, visible

Choice: TypeAlias = Callable[[View, Random], Action]
Opponent: TypeAlias = Player | Choice


@dataclass(frozen=True)
class Seated:
    """A player as a function of a view and an rng; its own parameters limit its budget."""

    player: Player

    def __call__(self, view: View, rng: Random) -> Action:
        """Let the player choose."""
        return self.player.choose(view, Budget(), rng)


def opponent(who: str | Opponent) -> Choice:
    """Return an opponent by name; a player or a function of a view and an rng is accepted as is."""
    if isinstance(who, str):
        who = player(who)
    return Seated(who) if isinstance(who, Player) else who


class OtherSeats:
    """The other seats of a table, each with its own view."""

    def __init__(self, seats: dict[int, Choice]) -> None:
        self._seats = seats
        self._views: dict[int, View] = {}

    def start(self, round: Round) -> None:
        """Start a round with new views."""
        self._views = {seat: View.of(round, seat) for seat in self._seats}

    def update(self, before: Round, played: Play, after: Round) -> None:
        """Update every view after an action."""
        for seat, view in self._views.items():
            self._views[seat] = view.see(*visible(before, played, after, seat))

    def act(self, seat: int, rng: Random) -> Action:
        """Return the action of a seat."""
        return self._seats[seat](self._views[seat], rng)

    def discards(self, rng: Random) -> list[Play]:
        """Return the discards of all seats, chosen independently (R7)."""
        return [
            Play(seat, self._seats[seat](view, rng))
            for seat, view in self._views.items()
            if view.phase is Phase.DISCARD and seat in view.to_act
        ]


def other_seats(
    players: int, seat: int, opponents: str | Opponent | Sequence[str | Opponent]
) -> OtherSeats:
    """Assign opponents to seats, clockwise after the learner: one for all, or one for each."""
    if isinstance(opponents, str | Player) or callable(opponents):
        opponents = [opponents] * (players - 1)
    if len(opponents) != players - 1:
        sentence = f"{len(opponents)} opponents for {players} players; {players - 1} are needed"
        raise NotUnderstood("input.option", sentence)
    others = [(seat + step) % players for step in range(1, players)]
    return OtherSeats({other: opponent(who) for other, who in zip(others, opponents, strict=True)})
