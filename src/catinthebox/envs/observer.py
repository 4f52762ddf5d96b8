"""Observers for OpenSpiel: tensors in named pieces, and strings.

With perfect recall an observation is everything the seat has seen since the game began, without it
the present moment as `rules.encode` writes it. Public and private pieces can be chosen separately.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..game.hands import copies
from ..optional import needs
from ..rules.actions import FIRST_BID
from ..rules.encode import FIELDS
from ..rules.layout import MAX_RANK, NOBODY
from .observation import MATCH_FIELDS, match_observation, observation
from .tree_game import Episode, Rules, TreeTable

with needs("open_spiel", extra="envs"):
    import numpy as np
    import pyspiel
    from numpy.typing import NDArray

if TYPE_CHECKING:
    from .openspiel import CatInTheBoxState

PRIVATE = ("hand", "discard")
Piece = tuple[str, tuple[int, ...]]


def recalled(rules: Rules) -> list[Piece]:
    """The pieces of a whole history: one row a round."""
    rounds, players = rules.rounds, rules.players
    return [
        ("starter", (rounds, players)),  # one-hot
        ("turned_up", (rounds, MAX_RANK)),  # copies of each rank (R6)
        ("hand", (rounds, MAX_RANK)),  # copies of each rank, as dealt
        ("discard", (rounds, MAX_RANK)),  # one-hot
        ("discarded", (rounds, players)),  # who has set a card aside
        ("bids", (rounds, players, 4)),  # one-hot each, in the order they were made
        ("plays", (rounds, players * rules.tricks, 36)),  # one-hot each, in order
        ("paradox", (rounds, players)),  # one-hot
        ("shown", (rounds, MAX_RANK)),  # the causer's hand (R22)
    ]


def present(rules: Rules) -> list[Piece]:
    """The pieces of the moment, seats relative to the player."""
    fields = (*FIELDS, *MATCH_FIELDS) if rules.rounds > 1 else FIELDS
    return [(name, (width,)) for name, width in fields]


class Observer:
    """An observer with OpenSpiel's interface."""

    def __init__(self, rules: Rules, kind: Any, params: dict[str, Any] | None = None) -> None:
        if params:
            raise ValueError(f"observers take no parameters; given {params}")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("nobody sees the cards of all players (R33)")
        self._rules = rules
        self._recall = bool(kind.perfect_recall)
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._public = bool(kind.public_info)
        self._all = recalled(rules) if self._recall else present(rules)
        pieces = [piece for piece in self._all if self._shown(piece[0])]
        if self._private:
            pieces.insert(0, ("player", (rules.players,)))
        sizes = [int(np.prod(shape)) for _, shape in pieces]
        self.tensor: NDArray[np.float32] = np.zeros(sum(sizes), dtype=np.float32)
        cuts = np.split(self.tensor, np.cumsum(sizes, dtype=int))[:-1]
        self.dict = {
            name: part.reshape(shape) for (name, shape), part in zip(pieces, cuts, strict=True)
        }

    def _shown(self, name: str) -> bool:
        return self._private if name in PRIVATE else self._public

    def set_from(self, state: CatInTheBoxState, player: int) -> None:
        """Fill the tensor with what a player sees."""
        self.tensor.fill(0)
        viewer = player if self._private else 0  # public pieces are the same for everybody
        if self._private:
            self.dict["player"][player] = 1
        if self._recall:
            for number, episode in enumerate((*state.table.past, state.table.episode())):
                self._recall_round(number, episode, viewer)
        else:
            self._observe(state.table, viewer)

    def _recall_round(self, number: int, episode: Episode, viewer: int) -> None:
        if self._public:
            self._recall_public(number, episode)
        if self._private:
            self.dict["hand"][number] = copies(episode.hands[viewer])
            if episode.discards[viewer]:
                self.dict["discard"][number, episode.discards[viewer] - 1] = 1

    def _recall_public(self, number: int, episode: Episode) -> None:
        players = self._rules.players
        self.dict["starter"][number, episode.starter] = 1
        for up in episode.hands[players:]:
            self.dict["turned_up"][number] = copies(up)
        self.dict["discarded"][number] = [rank > 0 for rank in episode.discards]
        bids = [action for action in episode.log if action >= FIRST_BID]
        for at, action in enumerate(bids):
            self.dict["bids"][number, at, action - FIRST_BID] = 1
        plays = episode.log[len(bids) :]
        self.dict["plays"][number, range(len(plays)), plays] = 1
        if episode.causer != NOBODY:
            self.dict["paradox"][number, episode.causer] = 1
            self.dict["shown"][number] = copies(episode.shown)

    def _observe(self, table: TreeTable, viewer: int) -> None:
        numbers = seen_now(table, viewer)
        at = 0
        for name, (width,) in self._all:
            if name in self.dict:
                self.dict[name][:] = numbers[at : at + width]
            at += width

    def string_from(self, state: CatInTheBoxState, player: int) -> str:
        """Return what a player sees as text."""
        if self._recall and self._private and self._public:
            return f"player {player}; {state.table.history(player)}"
        self.set_from(state, player)
        return " ".join(
            f"{name} {','.join(str(int(number)) for number in part.ravel())}"
            for name, part in self.dict.items()
            if part.any()
        )


def seen_now(table: TreeTable, seat: int) -> NDArray[np.int8]:
    """Return a seat's observation of the present moment."""
    if table.rules.rounds == 1:
        return observation(table.s, seat)
    totals = [sum(points) for points in zip(*table.scores, strict=True)]
    left = table.rules.rounds - 1 - len(table.past)
    return match_observation(table.s, seat, totals or [0] * table.rules.players, left)
