"""Matches: who sits where, and the result rows of a deal.

The lone player sits in every seat in turn, so that luck of the deal and of the seat affects both
players alike.

>>> match = Match(3, ("follow", "random"), "one")
>>> match.key
'3p follow vs random one'
>>> match.seated(1)
('random', 'follow', 'random')
>>> len(match.play(Terms(), deal_number=0))
9
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from ..game import EDITIONS, Face, Game, NotUnderstood, Round
from ..game.errors import quoted
from ..players import Budget, Player, player
from ..players.external import alone
from ..players.player import never
from .deals import deal
from .results import SeatResult
from .table import Clock, play_game, play_round

KINDS: Final = ("one", "many", "table")
VERSUS: Final = " vs "
WARM: Final = Budget(rollouts=1, ms=1)


@dataclass(frozen=True)
class Terms:
    """The conditions of a match: the seed of the deals, and the face."""

    seed: str = "0"
    face: Face | None = None  # None: the one printed for a first game

    def board(self, players: int) -> Face:
        """Return the face that is played on."""
        return self.face or Face.named(EDITIONS["standard"].faces[players][0])


@dataclass(frozen=True)
class Match:
    """A table size, the players, and how they are seated.

    `one` is one A against B at all other seats, `many` is A at all other seats against one B; both
    name A and B. `table` names a player for each seat.
    """

    players: int
    specs: tuple[str, ...]
    kind: str = "one"
    games: bool = False

    def __post_init__(self) -> None:
        if not 2 <= self.players <= 5:
            raise NotUnderstood("input.option", f"{self.players} players; 2 to 5 can play")
        if self.kind not in KINDS:
            sentence = f"no kind {quoted(self.kind)}; there are {', '.join(KINDS)}"
            raise NotUnderstood("input.option", sentence)
        wanted = self.players if self.kind == "table" else 2
        if len(self.specs) != wanted:
            sentence = f"{len(self.specs)} players named; this match needs {wanted}"
            raise NotUnderstood("input.option", sentence)
        for spec in self.specs:
            if VERSUS in spec or not spec.isprintable():
                raise NotUnderstood("input.player", f"{quoted(spec)} cannot name a player here")

    @property
    def key(self) -> str:
        """The name of the match in the rows."""
        games = " games" if self.games else ""
        return f"{self.players}p {VERSUS.join(self.specs)} {self.kind}{games}"

    @classmethod
    def of_key(cls, key: str) -> Match:
        """Return the match with a key."""
        rest, games = key.removesuffix(" games"), key.endswith(" games")
        players, _, rest = rest.partition("p ")
        specs, _, kind = rest.rpartition(" ")
        if not players.isdecimal():
            raise NotUnderstood("input.file", f"{quoted(key)} is not the key of a match")
        return cls(int(players), tuple(specs.split(VERSUS)), kind, games)

    @property
    def rounds(self) -> int:
        """The number of rounds that a row covers."""
        return self.players if self.games else 1

    @property
    def unit(self) -> str:
        """What a row covers: a round or a game."""
        return "game" if self.games else "round"

    def seated(self, seating: int) -> tuple[str, ...]:
        """Return the players by seat; the number of the seating is the lone player's seat."""
        if self.kind == "table":
            return tuple(self.specs[seat - seating] for seat in range(self.players))
        a, b = self.specs
        lone, others = (a, b) if self.kind == "one" else (b, a)
        return tuple(lone if seat == seating else others for seat in range(self.players))

    def is_a(self, row: SeatResult) -> bool:
        """Whether a row is about A, even if A and B have the same name."""
        return (row.seat == row.seating) == (self.kind == "one")

    def play(
        self, terms: Terms, deal_number: int, stop: Callable[[], bool] = never
    ) -> list[SeatResult]:
        """Play a deal in all its seatings."""
        return [
            row
            for seating in range(self.players)
            for row in self._play(terms, deal_number, seating, stop)
        ]

    def _play(
        self, terms: Terms, number: int, seating: int, stop: Callable[[], bool]
    ) -> list[SeatResult]:
        names = self.seated(seating)
        seats = [ready(name, self.players)[seat] for seat, name in enumerate(names)]
        cards = deal(self.players, terms.seed, number, terms.board(self.players))
        key = f"{terms.seed}:{self.players}:{number}"
        budget = Budget(cancelled=stop)  # a player's own parameters limit what it may spend
        shares: Sequence[float]
        if self.games:
            played = play_game(cards, seats, budget, key, names=names)
            rounds, clocks, shares = played.game.rounds, played.clocks, game_shares(played.game)
        else:
            end = play_round(cards.shuffle().current, seats, budget, f"{key}:1", names=names)
            rounds, clocks, shares = (end.round,), end.clocks, round_shares(end.round)
        return [
            self._row(number, seating, seat, names[seat], rounds, shares[seat], clocks[seat])
            for seat in range(self.players)
        ]

    def _row(
        self,
        number: int,
        seating: int,
        seat: int,
        name: str,
        rounds: Sequence[Round],
        share: float,
        clock: Clock,
    ) -> SeatResult:
        return SeatResult(
            match=self.key,
            players=self.players,
            deal=number,
            seating=seating,
            seat=seat,
            player=name,
            points=sum(points(round)[seat] for round in rounds),
            share=share,
            tricks=sum(round.won[seat] for round in rounds),
            bids=sum(round.bids[seat] is not None for round in rounds),
            hits=sum(round.bonus_earned(seat) for round in rounds),
            paradoxes=sum(round.paradox == seat for round in rounds),
            decisions=clock.decisions,
            ms=round(clock.ms, 3),
            slowest_ms=round(clock.slowest_ms, 3),
        )


def directions(
    players: int, a: str, b: str, kind: str = "both", games: bool = False
) -> list[Match]:
    """Return the matches between two players; at two players one match covers both directions."""
    kinds = ["one", "many"] if kind == "both" else [kind]
    if players == 2:
        kinds = ["one"]
    return [Match(players, (a, b), each, games) for each in kinds]


@cache
def ready(spec: str, players: int) -> tuple[Player, ...]:
    """Create the players of a match once per process; seats share it unless it keeps what it saw.

    They are warmed up first, since compilation does not count as thinking time.
    """
    made = player(spec)
    seats = tuple(player(spec) if alone(made) else made for _ in range(players))
    cards, names = deal(players, "warm", 0).shuffle().current, [spec] * players
    play_round(cards, seats, WARM, "warm", names=names)
    return seats


def points(round: Round) -> tuple[int, ...]:
    """Return the points of a finished round."""
    assert round.scores is not None, "the round is over"
    return round.scores


def round_shares(round: Round) -> list[float]:
    """Divide the victory of a round among the seats with the most points."""
    best = max(points(round))
    winners = tuple(seat for seat, won in enumerate(points(round)) if won == best)
    return _shares(winners, round.players)


def game_shares(game: Game) -> list[float]:
    """Divide the victory of a game among its winners (R3)."""
    return _shares(game.winners, game.players)


def _shares(winners: tuple[int, ...], players: int) -> list[float]:
    return [(seat in winners) / len(winners) for seat in range(players)]
