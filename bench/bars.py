"""What the project promises, beside what this run measured. Ratios within a run are what counts."""

from __future__ import annotations

from collections.abc import Sequence

from bench import by_hand, compiled, interpreted
from bench.timing import Row

# What a row promises: decisions a second on one 2.8 GHz core.
PROMISED = (
    (compiled.UNIFORM, "uniform", 30e6),
    (f"batch of {compiled.ROWS}: mask table", "uniform", 10e6),
    (f"batch of {compiled.ROWS}: observations", "uniform", 4e6),
    (interpreted.WHOLE, "uniform", 5e3),
    ("Round.play, Python objects", "uniform", 100e3),
    ("rule functions, interpreted", "uniform", 300e3),
    ("our OpenSpiel game", "uniform", 25e3),
    ("our PettingZoo AEC", "uniform", 12e3),
)


def ratios(
    speed: dict[tuple[str, str], float], wall: float, cpu: float
) -> list[tuple[str, float, float]]:
    """Name, value and promise of every ratio that could be measured."""
    fused = speed[compiled.UNIFORM, "uniform"]
    found = [("follow ÷ uniform, fused", speed[compiled.UNIFORM, "follow"] / fused, 0.5)]
    if wall:
        found.append(("two threads ÷ one, by the wall clock", wall, 1.8))
        found.append(("two threads ÷ one, by CPU time", cpu, 0.9))
    if (by_hand.NAME, "uniform") in speed:
        found.append(("fused ÷ C by hand", fused / speed[by_hand.NAME, "uniform"], 0.6))
    for kind, promise in (("games", 25), ("rollouts", 6)):
        peers = [rate for (name, _), rate in speed.items() if name.endswith(f"{kind} in C++")]
        if peers:
            found.append((f"fused ÷ OpenSpiel's {kind} in C++", fused / max(peers), promise))
    return found


def print_bars(rows: Sequence[Row], wall: float, cpu: float) -> None:
    """Print every promise with what was measured; `<` marks one that was missed."""
    speed = {(row.name, row.policy): row.rate for row in rows}
    print(f"\n{'promised':45} {'measured':>13} {'at least':>13}")
    for name, policy, promise in PROMISED:
        if (rate := speed.get((name, policy))) is not None:
            print(f"{name:45} {rate:13,.0f} {promise:13,.0f} {'<' * (rate < promise)}")
    for name, value, promise in ratios(speed, wall, cpu):
        print(f"{name:45} {value:13.2f} {promise:13.2f} {'<' * (value < promise)}")
