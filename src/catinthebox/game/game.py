"""A whole game: as many rounds as players, then the highest total wins (R1 to R3).

>>> from random import Random
>>> game = Game.new(3, names=("Ada", "Bob", "Cyd")).shuffle(Random(1))
>>> game.number, game.starter, game.totals
(1, 0, (0, 0, 0))
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from ..rules import layout, score
from .action import Action
from .edition import STANDARD, Edition
from .errors import BadSetup, NotLegal, NotUnderstood, Refusal, shortened
from .face import Face
from .fairness import Fairness
from .round import Round, Seat
from .setup import Setup

NAMES = ("Ada", "Bohr", "Curie", "Dirac", "Emmy")
NAME = re.compile(r"[^|\s]([^|]{0,38}[^|\s])?")  # blanks inside, none around


@dataclass(frozen=True)
class Game:
    """A game at one moment: the table, the finished rounds, the round in play.

    Use `Game.new`, which checks what the constructor does not.
    """

    names: tuple[str, ...]
    face: Face
    starter_of_game: Seat = 0
    edition: Edition = STANDARD
    rounds: tuple[Round, ...] = ()  # the last one may be in play
    fairness: Fairness | None = None  # evidence of how the cards were shuffled, if promised

    @classmethod
    def new(
        cls,
        players: int,
        *,
        names: tuple[str, ...] | None = None,
        face: Face | str | None = None,
        starter: Seat = 0,
        edition: Edition = STANDARD,
        house_rules: bool = False,
        fairness: Fairness | None = None,
    ) -> Game:
        """Set up a game. A face the edition does not print for this count is a house rule (R31)."""
        if isinstance(face, str):
            face = Face.named(face)
        if face is None:
            face = Face.named(edition.faces.get(players, ("white",))[0])
        names = NAMES[:players] if names is None else tuple(names)
        game = cls(names, face, starter, edition, fairness=fairness)
        problems = game._problems(players)
        if players in edition.faces and not house_rules:
            problems += [Refusal("setup.face", "R31", rule) for rule in game.house_rules]
        if problems:
            raise BadSetup(problems)
        return game

    def _problems(self, players: int) -> list[Refusal]:
        problems = []
        if players not in self.edition.faces:
            seats = ", ".join(map(str, self.edition.faces))
            sentence = f"the {self.edition.name} edition is for {seats} players, not {players}"
            clause = "R34" if self.edition is not STANDARD else "R1"
            problems.append(Refusal("setup.players", clause, sentence))
        elif len(self.names) != players:
            sentence = f"{len(self.names)} names for {players} players"
            problems.append(Refusal("setup.names", "R1", sentence))
        for name in self.names:
            if not NAME.fullmatch(name) or not name.isprintable():
                sentence = (
                    f"{shortened(name, 60)} is not a name: 1 to 40 printable characters, no '|'"
                )
                problems.append(Refusal("setup.names", "R1", sentence))
        if not 0 <= self.starter_of_game < max(players, 1):
            sentence = f"starter {self.starter_of_game} is not a seat; seats are 0 to {players - 1}"
            problems.append(Refusal("setup.starter", "R1", sentence))
        if self.fairness is not None:
            problems += self._unfair(self.fairness, players)
        return problems

    @staticmethod
    def _unfair(fairness: Fairness, players: int) -> Iterator[Refusal]:
        if len(fairness.nonces) != players:
            sentence = f"{len(fairness.nonces)} nonces for {players} players; an empty one counts"
            yield Refusal("setup.nonces", "R5", sentence)
        if fairness.secret is not None:
            yield Refusal("setup.secret", "R33", "the secret is revealed when the game is over")

    @property
    def house_rules(self) -> tuple[str, ...]:
        """Describe what this table plays differently from its edition."""
        printed = self.edition.faces.get(self.players, ())
        if self.face.standard and self.face.name in printed:
            return ()
        return (
            f"the {self.face.name} face is not printed for {self.players} players in the "
            f"{self.edition.name} edition; there it is {' or '.join(printed)}",
        )

    @property
    def players(self) -> int:
        """How many seats."""
        return len(self.names)

    @property
    def round(self) -> Round | None:
        """The round in play, or the one just finished; None before the first deal."""
        return self.rounds[-1] if self.rounds else None

    @property
    def current(self) -> Round:
        """The round in play, or the one just finished; an error before the first deal."""
        if not self.rounds:
            raise NotLegal(Refusal("illegal.not_dealt", "R5", "no round has been dealt yet"))
        return self.rounds[-1]

    @property
    def finished(self) -> tuple[Round, ...]:
        """The rounds that are over."""
        return tuple(round for round in self.rounds if round.over)

    @property
    def number(self) -> int:
        """The number of the current round, from 1; 0 before the first deal."""
        return len(self.rounds)

    @property
    def between_rounds(self) -> bool:
        """Whether the next round waits for its deal."""
        return (not self.rounds or self.rounds[-1].over) and not self.over

    @property
    def over(self) -> bool:
        """Whether every seat has been starter once and the last round has ended (R1, R2)."""
        return len(self.rounds) == self.players and self.rounds[-1].over

    @property
    def starter(self) -> Seat:
        """The starter of the current round, or of the next one between rounds (R2)."""
        seat = self.starter_of_game
        for _ in range(len(self.finished) if not self.over else self.players - 1):
            seat = score.next_starter(seat, self.players)
        return seat

    @property
    def scores(self) -> tuple[tuple[int, ...], ...]:
        """The points of every finished round."""
        return tuple(round.scores for round in self.finished if round.scores is not None)

    @property
    def totals(self) -> tuple[int, ...]:
        """Points so far."""
        scores = self.scores
        return tuple(sum(points[seat] for points in scores) for seat in range(self.players))

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who wins, once the game is over (R3); several seats share a victory."""
        return standing(self.scores)[1] if self.over else ()

    def deal(self, hands: tuple[str, ...], aside: str = "") -> Game:
        """Begin the next round with known hands."""
        return self._begin(Setup(tuple(hands), self.starter, self.face, aside))

    def shuffle(self, rng: Random) -> Game:
        """Begin the next round with a shuffled deck (R5)."""
        return self._begin(Setup.shuffled(self.players, rng, self.starter, self.face))

    def _begin(self, setup: Setup) -> Game:
        if self.over:
            raise NotLegal(Refusal("illegal.game_over", "R1", "the game is over"))
        if not self.between_rounds:
            raise NotLegal(Refusal("illegal.round_in_play", "R1", "finish this round first"))
        if setup.players != self.players:
            sentence = f"{setup.players} hands for {self.players} players"
            raise BadSetup([Refusal("setup.players", "R5", sentence)])
        return replace(self, rounds=(*self.rounds, Round(setup)))

    def play(self, action: Action | str, seat: Seat | None = None) -> Game:
        """Act in the round in play."""
        return self.with_current(self.current.play(action, seat))

    def with_current(self, round: Round) -> Game:
        """Put another round in the place of the round in play."""
        rounds = (*self.rounds[:-1], round)
        return Game(
            self.names, self.face, self.starter_of_game, self.edition, rounds, self.fairness
        )

    def reveal(self, secret: bytes) -> Game:
        """Add the secret behind the deals, once the game is over: it reveals all hands (R33)."""
        if self.fairness is None:
            raise NotLegal(Refusal("illegal.no_promise", "R5", "no fair deals were promised here"))
        if not self.over:
            sentence = "the secret is revealed when the game is over"
            raise NotLegal(Refusal("illegal.secret", "R33", sentence))
        return replace(self, fairness=replace(self.fairness, secret=secret))


def standing(rounds: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], tuple[Seat, ...]]:
    """Return totals and winners for the scores of all rounds, the final round last (R3).

    >>> standing(((5, 2), (1, 4)))
    ((6, 6), (1,))
    """
    players = len(rounds[-1]) if rounds else 0
    if players == 0 or any(len(points) != players for points in rounds):
        raise NotUnderstood("input.rounds", "every round needs one score for every seat")
    totals = tuple(sum(points[seat] for points in rounds) for seat in range(players))
    champions = score.winners(totals, rounds[-1], players)
    return totals, tuple(seat for seat in range(players) if champions >> seat & 1)


assert len(NAMES) == layout.MAX_SEATS
