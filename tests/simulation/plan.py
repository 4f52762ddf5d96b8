"""What a world is like, drawn from its seed.

Every world has some kinds of trouble and is spared others: where everything goes wrong at once, one
trouble hides another. Somebody who is never told of something, say, is saved by the next crash.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, Literal, TypeVar

from simulation.clock import Span
from simulation.network import Weather
from simulation.position import Stage
from simulation.store import Faults

from catinthebox.server.live.scheduler import Pace
from catinthebox.server.ops.limits import Limits, Rate
from catinthebox.table import Settings

T = TypeVar("T")

QUICK: Final = Pace(
    bot_ms=20,
    busy_ms=0,
    unwatched_ms=0,
    gone_ms=300,
    idle_ms=2000,
    takeover_ms=600,
    seen_ms=3000,
    poll_ms=300,
)
KINDS: Final = (
    *("crashes", "clocks", "people", "lines", "slowness", "doubles", "restlessness", "talk"),
    *("failures", "doubts", "blindness", "rumours", "limits"),
)


@dataclass(frozen=True)
class Plan:
    """Everything that is drawn before a world begins."""

    kinds: frozenset[str]  # of trouble
    settings: Settings
    people: int
    watchers: int
    twin: bool  # somebody has a second window open
    workers: int
    stage: Stage | Literal["opened"]
    games: int
    closes: bool
    loses: bool  # one of several workers does not come back in the end
    storm: float  # seconds of trouble
    troubles: dict[str, int]
    weather: Weather
    faults: Faults
    thread: Span
    limits: Limits
    skew: int
    pace: Pace
    naps: tuple[Span, ...]  # how quick people are

    def has(self, kind: str) -> bool:
        """Whether there is trouble of a kind."""
        return kind in self.kinds

    @classmethod
    def drawn(cls, chance: Random, kinds: frozenset[str] | None = None) -> Plan:
        """Draw a world: most are short, a few are whole games of five."""
        players = chance.choices((2, 3, 4, 5), (4, 4, 3, 1))[0]
        whole = chance.random() < (0.6, 0.3, 0.1, 0.05)[players - 2]
        stages: tuple[Stage | Literal["opened"], ...] = ("new", "seated", "begun", "opened")
        kinds = _kinds(chance) if kinds is None else kinds
        crowded = chance.random() < 0.4  # everything happens at about the same time
        people = "people" in kinds
        return cls(
            kinds=kinds,
            settings=_settings(chance, players),
            people=chance.randint(1, players),
            watchers=chance.choice((0, 0, 1, 2)),
            twin=people and chance.random() < 0.3,
            workers=chance.choice((1, 2, 2)),
            stage=chance.choice(stages) if whole else "late",
            games=2 if chance.random() < 0.08 and players < 4 else 1,
            closes=chance.random() < 0.2,
            loses="crashes" in kinds and chance.random() < 0.3,
            storm=chance.choice((2.0, 4.0, 8.0)),
            troubles=_troubles(chance, kinds),
            weather=_weather(chance, kinds, crowded),
            faults=_faults(chance, kinds, crowded),
            thread=chance.choice(((0, 10), (0, 50), (0, 300))) if crowded else (0, 2),
            limits=_limits(chance, "limits" in kinds),
            skew=chance.choice((0, 7, 400)) if "clocks" in kinds else 0,
            pace=replace(
                QUICK,
                bot_ms=chance.choice((0, 10)) if crowded else 20,
                gone_ms=chance.choice((10, 300, 300)),
                idle_ms=chance.choice((0, 100, 2000)),
            ),
            naps=((1, 10), (5, 40)) if crowded else ((10, 80), (20, 200), (50, 500)),
        )


def _kinds(chance: Random) -> frozenset[str]:
    """Draw none, one kind of trouble, some, or most."""
    number = chance.choice((0, 1, 1, 1, 1, 2, 3, 9))
    crashes = {"crashes"} if chance.random() < 0.2 else set()
    return frozenset({*chance.sample(KINDS, number), *crashes})


def _troubles(chance: Random, kinds: frozenset[str]) -> dict[str, int]:
    """Draw how often something happens that is nobody's wish."""
    many = chance.choice((10, 16)) if chance.random() < 0.3 else chance.choice((1, 1, 3))
    crashes, clocks, people = ("crashes" in kinds), ("clocks" in kinds), ("people" in kinds)
    return {
        "kill": crashes * many,
        "stop": crashes * chance.choice((0, 0, 1)),
        "jump": clocks * chance.choice((1, 3, 8)),
        "swap": people * chance.choice((0, 1, 3)),
        "vanish": people * chance.choice((0, 0, 1)),
    }


def _weather(chance: Random, kinds: frozenset[str], crowded: bool) -> Weather:
    """Draw how bad connections are."""

    def rate(kind: str, *rates: float) -> float:
        return chance.choice(rates) if kind in kinds else 0.0

    return Weather(
        delay=chance.choice(((0, 0), (0, 10), (0, 40)) if crowded else ((1, 20), (5, 200))),
        life=round(rate("lines", 300, 2000, 10_000)),
        deaf=rate("lines", 0.0, 0.1, 0.3),
        stall=rate("slowness", 0.005, 0.05),
        slow=rate("slowness", 0.0, 0.1, 0.3),
        window=chance.choice((2, 16)) if "slowness" in kinds else 64,
        again=rate("doubles", 0.1, 0.3),
    )


def _faults(chance: Random, kinds: frozenset[str], crowded: bool) -> Faults:
    """Draw how slow and how bad the store is."""

    def rate(kind: str, *rates: float) -> float:
        return chance.choice(rates) if kind in kinds else 0.0

    return Faults(
        lanes=chance.choice((1, 1, 2, 4)),
        room=chance.choice((3, 10_000)) if "failures" in kinds else 10_000,
        commit=chance.choice(((0, 5), (0, 30)) if crowded else ((0, 0), (1, 4), (5, 30))),
        answer=chance.choice(((0, 30), (0, 300)) if crowded else ((0, 0), (0, 1), (0, 20))),
        news=chance.choice(((0, 5), (0, 90)) if crowded else ((0, 0), (0, 3), (1, 40))),
        busy=rate("failures", 0.0, 0.02, 0.1),
        slow=rate("slowness", 0.0, 0.02, 0.1),
        settled=rate("failures", 0.01, 0.1),
        unsettled=rate("doubts", 0.01, 0.05, 0.2),
        ghosts=rate("doubts", 0.0, 0.5),
        unread=rate("blindness", 0.02, 0.1, 0.3),
        late=rate("rumours", 0.02, 0.2),
    )


def _settings(chance: Random, players: int) -> Settings:
    clock = chance.random() < 0.25
    return Settings(
        players,
        move_ms=chance.choice((0, 400)) if clock else 0,
        bank_ms=chance.choice((500, 2000)) if clock else 0,
        grace_ms=chance.choice((0, 700, 2000)),
        look_ms=chance.choice((0, 1000)),
        undo_ms=1500,
        chat="free",
        spectators=chance.random() < 0.8,
        visibility=_either(chance, ("open", "link")),
    )


def _either(chance: Random, options: Sequence[T]) -> T:
    return chance.choice(options)


def _limits(chance: Random, some: bool) -> Limits:
    """Draw limits that are met now and then."""
    lively = replace(Limits.unlimited(), hello_s=3.0, heartbeat_s=4.0, write_s=3.0, closing_s=1.0)
    if not some:
        return lively
    return replace(
        lively,
        idle_s=chance.choice((20.0, 7200.0)),
        queue_frames=chance.choice((5, 256)),
        seat_moves=chance.choice((Rate(5, 5), Rate(1000, 1000))),
    )
