"""A match for game trees: the deal in small exact steps, then actions one after the other.

A chance step decides how many copies of one rank a pile gets (the hypergeometric distribution):
at most six outcomes, and one path for each deal that players can tell apart. Steps with only one
outcome are skipped. Copying a table is cheap, since a tree search makes many copies.

>>> table = TreeTable(Rules(players=2, ranks=2, dealt=3))
>>> table.outcomes()                      # of five 1s and five 2s, seat 0 gets three cards
[(0, 0.08333333333333333), (1, 0.4166666666666667), (2, 0.4166666666666667), (3, 0.08333333333333333)]
"""  # noqa: E501

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Final, NamedTuple

from ..game import ACTIONS, Face, NotUnderstood
from ..game.hands import digits, unpacked
from ..rules import counts
from ..rules.actions import FIRST_DISCARD, act, legal_actions
from ..rules.layout import (
    COPIES,
    COUNT_BITS,
    DISCARD,
    HAND,
    NOBODY,
    OVER,
    PARADOX,
    PHASE,
    SIZE,
    TURN,
    State,
)
from ..rules.round import give_hand, legal_bids, open_round, turn_up
from ..rules.score import seat_score
from .match import known_face, known_length, known_players
from .rewards import known_reward, rewards

CHANCE: Final = -1
FINISHED: Final = -4  # as OpenSpiel numbers the end
HIGHEST: Final = {2: 12, 3: 12, 4: 11, 5: 10}  # F6


@dataclass(frozen=True)
class Rules:
    """The parameters of a game; fewer ranks or cards than in the box make a micro game."""

    players: int = 4
    face: str = ""
    length: str = "round"
    reward: str = "points"
    ranks: int = 0
    dealt: int = 0

    def __post_init__(self) -> None:
        known_players(self.players)
        known_length(self.length)
        known_reward(self.reward)
        if not (1 <= self.deck[0] <= 9 and 3 <= self.deck[1] <= 10) or self.left_over < 0:
            raise NotUnderstood("input.option", f"{self.deck}: no deck has such ranks and hands")
        _ = self.board

    @cached_property
    def deck(self) -> tuple[int, int]:
        """Ranks and cards dealt to each seat."""
        standard = counts.RANKS[self.players], counts.DEALT[self.players]
        return self.ranks or standard[0], self.dealt or standard[1]

    @property
    def left_over(self) -> int:
        """The number of cards that are not dealt."""
        return self.deck[0] * COPIES - self.deck[1] * self.players

    @property
    def standard(self) -> bool:
        """Whether it is the full deck."""
        return self.deck == (counts.RANKS[self.players], counts.DEALT[self.players])

    @property
    def tricks(self) -> int:
        """The number of tricks: one card is discarded (R7), one stays in hand (R19)."""
        return self.deck[1] - 2

    @property
    def rounds(self) -> int:
        """The number of rounds of a game (R1)."""
        return self.players if self.length == "match" else 1

    @cached_property
    def board(self) -> Face:
        """The face of the research board."""
        return known_face(self.face or None, self.players)

    @cached_property
    def piles(self) -> tuple[int, ...]:
        """Sizes of the hands and, at two players, of the cards turned up (R6)."""
        up = (counts.TURNED_UP,) if counts.ASIDE[self.players] and self.standard else ()
        return (self.deck[1],) * self.players + up

    @property
    def points(self) -> tuple[int, int]:
        """The lowest and the highest score of a round (R24, F6)."""
        return -self.tricks, HIGHEST[self.players] if self.standard else 2 * self.tricks

    @property
    def longest(self) -> int:
        """The most actions a game can have."""
        bids = self.players if legal_bids(self.players) else 0
        return self.rounds * (self.players * (1 + self.tricks) + bids)


class Episode(NamedTuple):
    """The history of a round: its deal, its actions, the hand a paradox revealed."""

    starter: int
    hands: tuple[int, ...]  # as dealt, counts per rank; a pile more for the cards turned up
    discards: tuple[int, ...]
    log: tuple[int, ...]  # bids and plays, as action ids
    causer: int
    shown: int  # the causer's hand, counts per rank (R22)


class TreeTable:
    """The mutable state of a match."""

    __slots__ = (
        "_left",
        "_need",
        "_pile",
        "_place",
        "hands",
        "log",
        "past",
        "rules",
        "s",
        "scores",
    )

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.past: tuple[Episode, ...] = ()
        self.scores: tuple[tuple[int, ...], ...] = ()
        self._open()

    def __deepcopy__(self, memo: dict[int, object]) -> TreeTable:
        other = object.__new__(TreeTable)
        other.rules, other.past, other.scores = self.rules, self.past, self.scores
        other.s, other.hands, other.log = self.s.copy(), self.hands.copy(), self.log.copy()
        other._left, other._need = self._left.copy(), self._need
        other._pile, other._place = self._pile, self._place
        return other

    # ── The deal ─────────────────────────────────────────────────────────────────────────────

    def _open(self) -> None:
        rules = self.rules
        self.s: State = [0] * SIZE
        self.log: list[int] = []
        self.hands = [0] * len(rules.piles)
        self._left = [COPIES] * rules.deck[0]  # copies of each rank not dealt yet
        self._pile, self._place, self._need = 0, 0, rules.piles[0]
        starter = len(self.past) % rules.players  # R2
        open_round(self.s, rules.players, rules.deck[0], rules.tricks, starter)
        self._deal_forced()

    @property
    def dealing(self) -> bool:
        """Whether the next step is a chance step."""
        return self._pile < len(self.hands)

    def outcomes(self) -> list[tuple[int, float]]:
        """Return how many copies of the next rank the next pile can get, with probabilities."""
        here, others = self._left[self._place], sum(self._left[self._place + 1 :])
        ways = comb(here + others, self._need)
        least, most = max(0, self._need - others), min(here, self._need)
        return [
            (copies, comb(here, copies) * comb(others, self._need - copies) / ways)
            for copies in range(least, most + 1)
        ]

    def deal(self, copies: int) -> None:
        """Carry out an outcome, and all forced ones after it."""
        self._give(copies)
        self._deal_forced()

    def _deal_forced(self) -> None:
        while self.dealing and len(forced := self.outcomes()) == 1:
            self._give(forced[0][0])

    def _give(self, copies: int) -> None:
        self.hands[self._pile] |= copies << COUNT_BITS * self._place
        self._left[self._place] -= copies
        self._need -= copies
        self._place += 1
        if self._place == len(self._left):
            self._lay_down()
            self._pile, self._place = self._pile + 1, 0
            self._need = self.rules.piles[self._pile] if self.dealing else 0

    def _lay_down(self) -> None:
        """Store a complete pile: a hand, or the cards turned up (R6)."""
        if self._pile < self.rules.players:
            give_hand(self.s, self._pile, self.hands[self._pile])
            return
        for rank in unpacked(self.hands[self._pile]):
            turn_up(self.s, rank)

    def next_pile(self) -> tuple[int, int]:
        """Return the pile and the rank of the next outcome."""
        return self._pile, self._place + 1

    # ── Acting ───────────────────────────────────────────────────────────────────────────────

    @property
    def player(self) -> int:
        """The seat to act, CHANCE or FINISHED."""
        if self._pile < len(self.hands):
            return CHANCE
        return FINISHED if self.s[PHASE] == OVER else self.s[TURN]

    def legal(self) -> list[int]:
        """The ids of the legal actions, ascending."""
        ids = legal_actions(self.s, self.s[TURN])
        legal = []
        while ids:
            legal.append((ids & -ids).bit_length() - 1)
            ids &= ids - 1
        return legal

    def act(self, action: int) -> None:
        """Carry out a legal action; start the next round if it ends one."""
        act(self.s, self.s[TURN], action)
        if not FIRST_DISCARD <= action < FIRST_DISCARD + 9:  # discards are secret (R7)
            self.log.append(action)
        if self.s[PHASE] == OVER:
            touch = self.rules.board.touch
            score = tuple(seat_score(self.s, seat, touch) for seat in range(self.rules.players))
            self.scores = (*self.scores, score)
            if len(self.scores) < self.rules.rounds:
                self.past = (*self.past, self.episode())
                self._open()

    def episode(self) -> Episode:
        """Return the history of the current round."""
        s, players = self.s, self.rules.players
        shown = 0 if s[PARADOX] == NOBODY else s[HAND + s[PARADOX]]
        discards = tuple(s[DISCARD : DISCARD + players])
        starter = len(self.past) % players
        return Episode(starter, tuple(self.hands), discards, tuple(self.log), s[PARADOX], shown)

    def returns(self) -> list[float]:
        """Return every seat's utility from the finished rounds."""
        total = [0.0] * self.rules.players
        for number in range(1, len(self.scores) + 1):
            over = number == self.rules.rounds
            worth = rewards(self.rules.reward, self.scores[:number], over=over)
            total = [a + b for a, b in zip(total, worth, strict=True)]
        return total

    def history(self, seat: int) -> str:
        """Return everything a seat has seen since the game began, and nothing else (R32, R33)."""
        return "; ".join(
            _episode_history(episode, seat, self.rules) for episode in (*self.past, self.episode())
        )


def _episode_history(episode: Episode, seat: int, rules: Rules) -> str:
    """Return a round as a seat saw it, in the notation of `views`: '-2 1:-? =1 5b 2!1355'."""
    words = [f"start {episode.starter}"]
    words += [f"up {digits(up)}" for up in episode.hands[rules.players :]]
    words.append(f"hand {digits(episode.hands[seat])}")
    for other, rank in enumerate(episode.discards):
        if rank:
            words.append(f"-{rank}" if other == seat else f"{other}:-?")
    words += [ACTIONS[action].notation for action in episode.log]
    if episode.causer != NOBODY:
        words.append(f"{episode.causer}!{digits(episode.shown)}")
    return " ".join(words)
