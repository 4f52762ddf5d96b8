"""Plots: what is dealt and played in several worlds that an audience cannot tell apart.

A plot has a story in every world: rounds of one or two games. Whatever the audience may see of them
is the same; hands, discards and cards left aside are not. Nothing of the server is used here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

from policies import random_round
from sample_rounds import whole
from secrecy.pairs import redealt

from catinthebox import Round
from catinthebox.table import DealRequest, DealtHands, token_hash

NAMES: Final = ("Ada", "Bohr", "Curie", "Dirac", "Emmy")
WORLDS: Final = 5  # of a plot; the first one is compared with each of the others
LATEST: Final = 4  # how many moments of a round are tried, if its end looks the same in no other

LONG: Final = {2: 0.4, 3: 0.12, 4: 0.05, 5: 0.03}  # how often a plot goes on into another game

Deals = tuple[Round, ...]
"""One round as it goes in each of the worlds."""


@dataclass(frozen=True)
class Scenario:
    """Who plays, whose eyes everything is seen with, and every card in every world."""

    seed: int
    players: int
    face: str
    audience: str  # a person's name; empty: spectators, or the bot of a seat
    seating: tuple[tuple[str, ...], ...]  # of every game: names by seat, empty for a bot
    seats: tuple[int | None, ...]  # of the audience, in every game
    rounds: dict[tuple[int, int], Deals] = field(repr=False)  # by game and round, from 1

    @property
    def worlds(self) -> int:
        """How many worlds there are."""
        return len(next(iter(self.rounds.values())))

    @property
    def people(self) -> list[str]:
        """Everybody who plays."""
        return [name for name in NAMES if name in self.seating[0]]

    def settings(self, rng: Random) -> dict[str, object]:
        """Draw what the host chooses besides."""
        return {
            "players": self.players,
            "face": self.face,
            "house_rules": True,
            "chat": "free",
            "move_ms": rng.choice((0, 0, 500)),
            "bank_ms": rng.choice((0, 0, 900)),
            "grace_ms": rng.choice((50, 150, 500, 90_000)),
            "look_ms": rng.choice((100, 2_000)),
            "undo_ms": 200,
            "visibility": rng.choice(("open", "link")),
            "spectators": rng.random() < 0.9,
        }


class Crooked:
    """The dealer of one world: deals what the plot says."""

    def __init__(self, scenario: Scenario, world: int) -> None:
        self._scenario = scenario
        self._world = world

    def commitment(self, table: str, game: int) -> str:
        """Return something that looks like one."""
        return token_hash(f"commitment {game}")

    def lot(self, asked: DealRequest) -> int:
        """Let the wanted seat start."""
        return self._round(asked.game, 1).setup.starter

    def deal(self, asked: DealRequest) -> DealtHands:
        """Return the deal of this world."""
        setup = self._round(asked.game, asked.round).setup
        return DealtHands(setup.hands, setup.aside)

    def reveal(self, table: str, game: int) -> str:
        """Return something that looks like a secret."""
        return secret(game)

    def _round(self, game: int, round: int) -> Round:
        """Return a round; what comes after the plot is the same in all worlds, and not played."""
        found = self._scenario.rounds.get((game, round))
        return found[self._world] if found else self._scenario.rounds[1, 1][0]


def secret(game: int) -> str:
    """Return what is revealed at the end of a game."""
    return token_hash(f"secret {game}")


# ── Drawing one ──────────────────────────────────────────────────────────────────────────────


def drawn(seed: int, players: int, face: str, worlds: int = WORLDS) -> Scenario:
    """Draw a plot: most end anywhere in the first rounds, some go on into a second game."""
    rng = Random(f"plot {seed} {players} {face}")
    people = rng.choice((1, players, rng.randint(1, players)))
    first = [*NAMES[:people], *[""] * (players - people)]
    rng.shuffle(first)
    seat = _audience(first, rng)
    audience = "" if seat is None else first[seat]
    second = _moved(first, seat if audience else None, rng)
    seats = (seat, second.index(audience) if audience else seat)
    most = players + 1 if rng.random() < LONG[players] else rng.choice((1, 1, 2))
    rounds = dict(_rounds(players, face, seats, most, worlds, rng))
    if not rounds:
        return drawn(seed + 1_000_000, players, face, worlds)
    return Scenario(seed, players, face, audience, (tuple(first), tuple(second)), seats, rounds)


def _audience(seating: list[str], rng: Random) -> int | None:
    """Choose whose eyes everything is seen with: mostly a person's, else a bot's, or nobody's."""
    chance = rng.random()
    bots = [seat for seat, name in enumerate(seating) if not name]
    people = [seat for seat, name in enumerate(seating) if name]
    return None if chance < 0.15 else rng.choice(bots if bots and chance < 0.3 else people)


def _moved(seats: list[str], seat: int | None, rng: Random) -> list[str]:
    """Let the audience sit somewhere else in the next game, sometimes."""
    moved = seats.copy()
    if seat is not None and rng.random() < 0.7:
        other = rng.choice([place for place in range(len(seats)) if place != seat])
        moved[seat], moved[other] = moved[other], moved[seat]
    return moved


def _rounds(
    players: int, face: str, seats: tuple[int | None, ...], most: int, worlds: int, rng: Random
) -> Iterator[tuple[tuple[int, int], Deals]]:
    """Deal round after round; the last one may end early, and no other one does."""
    starters = [rng.randrange(players) for _ in seats]
    for number in range(most):
        game, round = divmod(number, players)
        starter = (starters[game] + round) % players
        early = number == most - 1 and rng.random() < 0.6
        found = _deals(players, face, starter, seats[game], early, worlds, rng)
        if found is not None:
            yield (game + 1, round + 1), found
        if found is None or not found[0].over:
            return


def _deals(
    players: int, face: str, starter: int, seat: int | None, early: bool, worlds: int, rng: Random
) -> Deals | None:
    """Play a round and deal it again for every other world; None if it looks like no other."""
    round = random_round(players, face, rng)
    while round.setup.starter != starter:
        round = random_round(players, face, rng)
    path = list(whole(round, rng))
    last = rng.randrange(players, len(path)) if early else len(path) - 1
    for _ in range(LATEST):
        others = [redealt(path[last], seat, rng) for _ in range(worlds - 1)]
        found = [other for other in others if other is not None]
        if len(found) == worlds - 1:
            return path[last], *found
        last = last * 3 // 4
    return None
