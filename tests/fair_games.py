"""Games whose cards were dealt fairly, for tests."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random

from policies import cooperative

from catinthebox import Game
from catinthebox.fair import deal, promise, starter_by_lot

VECTORS = Path(__file__).parents[1] / "vectors" / "deals.fair"


def noise(*words: object) -> bytes:
    """Thirty-two bytes that belong to some words."""
    return sha256(" ".join(map(str, words)).encode()).digest()


def nonces_of(players: int, *, bots: int = 0) -> tuple[bytes, ...]:
    """A nonce for every seat; the last ones are bots without one."""
    people = players - bots
    return tuple(noise("nonce", seat) if seat < people else b"" for seat in range(players))


def moments(players: int, *, bots: int = 0, table: str = "lab-7") -> list[Game]:
    """Every moment of a game that is dealt fairly, the revealed one last."""
    secret, nonces, rng = noise("secret", players), nonces_of(players, bots=bots), Random(players)
    starter = starter_by_lot(secret, table, nonces)
    game = Game.new(players, starter=starter, fairness=promise(secret, table, nonces))
    found = [game]
    while not game.over:
        if game.between_rounds:
            game = game.deal(*deal(secret, table, nonces, game.number + 1))
        else:
            seat = game.current.to_act[0]
            game = game.play(cooperative(game.current, seat, rng), seat)
        found.append(game)
    return [*found, game.reveal(secret)]


@cache
def fair_game(players: int, *, bots: int = 0, table: str = "lab-7") -> Game:
    """A finished game, its secret revealed."""
    return moments(players, bots=bots, table=table)[-1]


@cache
def vectors() -> tuple[dict[str, str], ...]:
    """The published fair deals."""
    blocks = VECTORS.read_text("ascii").strip().split("\n\n")
    return tuple(
        {key: rest for key, _, rest in (line.partition(" ") for line in block.splitlines())}
        for block in blocks
        if block.startswith("vector ")
    )
