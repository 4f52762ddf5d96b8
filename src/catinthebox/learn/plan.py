"""What is trained, and how: all numbers that decide a training, in one place.

>>> plan_for(4, device="cuda", minutes=8).rows
32768
>>> plan_for(6, device="cpu", minutes=8)
Traceback (most recent call last):
    ...
catinthebox.game.errors.NotUnderstood: 6 players; 2 to 5 can play
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from ..game import NotUnderstood
from ..players.network import VICTORY_POINTS

ENTROPY: Final = {2: (0.05, 0.008), 3: (0.03, 0.004), 4: (0.03, 0.004), 5: (0.03, 0.004)}
STEPS: Final = {2: 18, 3: 30, 4: 40, 5: 45}  # decisions of a round, at most
FACES: Final = {
    2: ("white", "purple"),
    3: ("white", "purple"),
    4: ("white", "purple"),
    5: ("purple", "white"),
}
OTHER_FACE: Final = {2: 0.1, 3: 0.3, 4: 0.3, 5: 0.1}  # no edition uses it with two or five players
EARLIER: Final = {2: 0.5, 3: 0.3, 4: 0.3, 5: 0.3}
CAREFUL: Final = {2: 0.1, 3: 0.3, 4: 0.3, 5: 0.3}
MOST_MINUTES: Final = 7 * 24 * 60
MOST_ITERATIONS: Final = 10_000_000
MOST_SEED: Final = 2**31 - 1


@dataclass(frozen=True)
class TrainingPlan:
    """A training: the same plan on the same machine trains the same network, if it is counted.

    A plan is limited by `minutes`, or by `iterations` if they are given; only the latter repeats.
    """

    players: int
    minutes: float
    iterations: int | None = None
    seed: int = 1
    rows: int = 32768  # rounds side by side
    minibatch: int = 32768
    width: int = 512
    blocks: int = 3
    critic_width: int = 512
    critic_blocks: int = 2
    learning_rate: float = 6e-4
    learning_rate_end: float = 0.05  # of the first one
    entropy: tuple[float, float] = (0.03, 0.004)  # weight of the entropy, first and last
    trace: float = 0.75  # lambda of the advantage estimates
    clip: float = 0.2
    average: float = 0.9995  # of the weights, at every minibatch
    victory_points: float = 0.0
    other_face: float = 0.3  # share of rounds on the face that this number of players uses less
    mixed: float = 0.5  # share of tables with strangers
    earlier: float = 0.3  # in these, the share of seats of an earlier self or a rival
    careful: float = 0.3  # … of a careful player
    measured_rows: int = 16384
    measured_every: float = 20.0  # seconds

    @property
    def steps(self) -> int:
        """How many decisions a round has at most."""
        return STEPS[self.players]

    @property
    def faces(self) -> tuple[str, str]:
        """The face that this number of players uses, and the other one."""
        return FACES[self.players]

    def data(self) -> dict[str, Any]:
        """The plan as JSON."""
        return {**asdict(self), "entropy": list(self.entropy)}


SMALL: Final = {
    "rows": 256,
    "minibatch": 1024,
    "width": 64,
    "blocks": 1,
    "critic_width": 64,
    "critic_blocks": 1,
    "learning_rate": 2e-3,
    "average": 0.98,
    "measured_rows": 240,
}


def plan_for(
    players: int,
    *,
    device: str,
    minutes: float,
    iterations: int | None = None,
    seed: int = 1,
) -> TrainingPlan:
    """Return the usual plan for a number of players: large on a GPU, small on a CPU."""
    if players not in STEPS:
        raise NotUnderstood("input.option", f"{players} players; 2 to 5 can play")
    if not 0 < minutes <= MOST_MINUTES:
        sentence = f"{minutes} minutes; more than 0 and up to {MOST_MINUTES} are possible"
        raise NotUnderstood("input.option", sentence)
    if iterations is not None and not 1 <= iterations <= MOST_ITERATIONS:
        sentence = f"{iterations} iterations; 1 to {MOST_ITERATIONS} are possible"
        raise NotUnderstood("input.option", sentence)
    if not 0 <= seed <= MOST_SEED:
        raise NotUnderstood("input.option", f"seed {seed}; 0 to {MOST_SEED} are possible")
    plan = TrainingPlan(
        players,
        minutes,
        iterations,
        seed,
        entropy=ENTROPY[players],
        victory_points=VICTORY_POINTS[players],
        other_face=OTHER_FACE[players],
        earlier=EARLIER[players],
        careful=CAREFUL[players],
    )
    if device == "cpu":
        plan = replace(plan, **SMALL)  # type: ignore[arg-type]
    return plan
