"""What a world is like, drawn from its seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Final, Literal

from simulation.network import Weather
from simulation.position import Stage
from simulation.store import Faults

from catinthebox.server.errands import Pace
from catinthebox.server.limits import Limits, Rate
from catinthebox.table import Settings

QUICK: Final = Pace(
    bot_ms=20, gone_ms=300, idle_ms=2000, takeover_ms=600, seen_ms=3000, poll_ms=300
)


@dataclass(frozen=True)
class Plan:
    """Everything that is drawn before a world begins."""

    settings: Settings
    people: int
    watchers: int
    twin: bool  # somebody has a second window open
    workers: int
    stage: Stage | Literal["opened"]
    games: int
    closes: bool
    loses: bool  # one of two workers does not come back in the end
    storm: float  # seconds of trouble
    troubles: dict[str, int]
    weather: Weather
    faults: Faults
    limits: Limits
    skew: int
    pace: Pace

    @classmethod
    def drawn(cls, chance: Random) -> Plan:
        """Draw a world: most are short, a few are whole games of five."""
        players = chance.choices((2, 3, 4, 5), (4, 4, 3, 1))[0]
        whole = chance.random() < (0.6, 0.3, 0.1, 0.05)[players - 2]
        stage: Stage | Literal["opened"] = "late"
        if whole:
            stage = chance.choice(("new", "seated", "begun", "opened"))
        violent = chance.random() < 0.15
        return cls(
            settings=_settings(chance, players),
            people=chance.randint(1, players),
            watchers=chance.choice((0, 0, 1, 2)),
            twin=chance.random() < 0.15,
            workers=chance.choice((1, 2, 2)),
            stage=stage,
            games=2 if chance.random() < 0.08 and players < 4 else 1,
            closes=chance.random() < 0.2,
            loses=chance.random() < 0.2,
            storm=chance.choice((2.0, 4.0, 8.0)),
            troubles={
                "kill": chance.choice((10, 16)) if violent else chance.choice((0, 1, 1, 3)),
                "stop": chance.choice((0, 0, 0, 1)),
                "jump": chance.choice((0, 0, 2, 8)),
                "swap": chance.choice((0, 0, 1, 3)),
                "vanish": chance.choice((0, 0, 0, 1)),
            },
            weather=Weather.drawn(chance),
            faults=Faults.drawn(chance),
            limits=_limits(chance),
            skew=chance.choice((0, 0, 7, 400)),
            pace=replace(
                QUICK,
                gone_ms=chance.choice((10, 300, 300)),
                idle_ms=chance.choice((0, 100, 2000)),
            ),
        )


def _settings(chance: Random, players: int) -> Settings:
    clock = chance.random() < 0.3
    return Settings(
        players,
        move_ms=chance.choice((0, 400)) if clock else 0,
        bank_ms=chance.choice((500, 2000)) if clock else 0,
        grace_ms=chance.choice((0, 700, 2000)),
        look_ms=chance.choice((0, 1000)),
        undo_ms=1500,
        chat="free",
        spectators=chance.random() < 0.8,
        visibility=chance.choice(("open", "link")),
    )


def _limits(chance: Random) -> Limits:
    """Limits that are met now and then."""
    return replace(
        Limits.unlimited(),
        hello_s=3.0,
        heartbeat_s=4.0,
        write_s=3.0,
        closing_s=1.0,
        idle_s=chance.choice((20.0, 7200.0)),
        queue_frames=chance.choice((5, 256)),
        seat_moves=chance.choice((Rate(5, 5), Rate(1000, 1000))),
    )
