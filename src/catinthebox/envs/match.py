"""The table behind the adapters: successive rounds of a seed, and their rewards.

>>> match = EnvMatch(3, length="match")
>>> match.begin(seed=7)
>>> while not match.over:
...     legal = match.legal_ids(match.turn)
...     rewards = match.act(match.turn, legal.bit_length() - 1)
>>> len(match.scores), match.totals == tuple(map(sum, zip(*match.scores)))
(3, True)
"""

from __future__ import annotations

from random import SystemRandom
from typing import Final

from ..game import ACTIONS, EDITIONS, Action, Face, NotUnderstood, Round, standing
from ..rules.layout import MAX_SEATS
from ..views import View
from .deal import seeded_round
from .rewards import known_reward, rewards

LENGTHS: Final = ("round", "match")
SEEDS: Final = 1 << 63
ILLEGAL: Final = -10.0  # for an illegal action that does not raise: worse than any round


def known_players(players: int) -> int:
    """Return the number of players; raise `ValueError` unless it is 2 to 5."""
    if not 2 <= players <= MAX_SEATS:
        raise NotUnderstood("input.option", f"{players} players; 2 to 5 can play")
    return players


def known_face(face: Face | str | None, players: int) -> Face:
    """Find a face by name; by default the one for a first game."""
    if isinstance(face, Face):
        return face
    return Face.named(EDITIONS["standard"].faces[players][0] if face is None else face)


def known_length(length: str) -> str:
    """Return a length; raise `ValueError` if it is unknown."""
    if length not in LENGTHS:
        raise NotUnderstood("input.option", f"no length {length!r}; there are round, match")
    return length


class EnvMatch:
    """A single round, or a whole match of as many rounds as players (R1)."""

    def __init__(
        self,
        players: int = 4,
        *,
        face: Face | str | None = None,
        length: str = "round",
        reward: str = "points",
        illegal_reward: float | None = None,
    ) -> None:
        self.players = known_players(players)
        self.face = known_face(face, players)
        self.rounds = players if known_length(length) == "match" else 1
        self.reward = known_reward(reward)
        self.illegal_reward = illegal_reward  # None: an illegal action raises
        self.spoiled = False  # ended by an illegal action
        self.seed: int | None = None
        self.number = 0  # of the next deal
        self.scores: list[tuple[int, ...]] = []  # of finished rounds
        self.round: Round  # the current round, or the last one once the match is over
        self.last: Round  # after the latest action, even if the next round is dealt already

    def begin(self, seed: int | None = None) -> None:
        """Begin at a seed's first round; without a seed, at the next round."""
        if seed is not None and not 0 <= seed < SEEDS:
            raise NotUnderstood("input.option", f"seed {seed}; seeds are 0 to 2**63 - 1")
        if seed is not None:
            self.seed, self.number = seed, 0
        elif self.seed is None:
            self.seed = SystemRandom().randrange(SEEDS)
        self.scores = []
        self.spoiled = False
        self._deal()
        self.last = self.round

    def _deal(self) -> None:
        assert self.seed is not None, "begin first"
        self.round = seeded_round(self.seed, self.number, self.players, self.face)
        self.number += 1

    @property
    def over(self) -> bool:
        """Whether the last round, or an illegal action, has ended the match."""
        return self.spoiled or len(self.scores) == self.rounds

    @property
    def turn(self) -> int | None:
        """The seat to act; while discarding, the lowest seat still to discard."""
        return self.round.turn

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of finished rounds, by seat."""
        return standing(tuple(self.scores))[0] if self.scores else (0,) * self.players

    def legal_ids(self, seat: int) -> int:
        """Return the legal actions of a seat, as a bit set of ids."""
        return 0 if self.over else self.round.legal_for(seat).ids

    def is_legal(self, seat: int, action: int) -> bool:
        """Whether an action of a seat is legal now."""
        return 0 <= action < len(ACTIONS) and bool(self.legal_ids(seat) >> action & 1)

    def act(self, seat: int, action: int) -> list[float] | None:
        """Act for a seat; return the rewards if that ended a round, legally or not."""
        if self.illegal_reward is not None and not self.is_legal(seat, action):
            self.spoiled = True
            return [self.illegal_reward * (other == seat) for other in range(self.players)]
        self.last = self.round = self.round.play(action_of(action), seat)
        scores = self.round.scores
        if scores is None:
            return None
        self.scores.append(scores)
        if not self.over:
            self._deal()
        return rewards(self.reward, self.scores, over=self.over)

    def describe(self, seat: int | None = None) -> str:
        """Return the table as text, as a seat or a spectator sees it."""
        lines = str(View.of(self.round, seat))
        if self.rounds == 1:
            return lines
        number = min(len(self.scores) + 1, self.rounds)
        totals = " ".join(map(str, self.totals))
        return f"round {number} of {self.rounds}, totals {totals}\n{lines}"


def action_of(number: int) -> Action:
    """Return the action with an id."""
    if not 0 <= number < len(ACTIONS):
        raise NotUnderstood("input.action", f"no action {number}; actions are 0 to 48")
    return ACTIONS[number]
