"""A small case on CUDA's simulator; run as a program of its own, since the mode is per process."""

from __future__ import annotations

import numpy as np

from catinthebox.fast import gpu, rounds


def main() -> None:
    """Compare the simulated device with the compiled CPU."""
    for players, face, policy in ((2, "white", "follow"), (4, "purple", "uniform")):
        options = {"players": players, "face": face, "policy": policy, "seed": 5}
        table, scores = gpu.ends(3, **options)  # type: ignore[arg-type]
        expected, points = rounds.ends(3, **options)  # type: ignore[arg-type]
        assert np.array_equal(table, expected)
        assert np.array_equal(scores, points)
        assert gpu.playouts(3, **options) == rounds.playouts(3, **options)  # type: ignore[arg-type]
    device = gpu.DeviceBatch(3, players=3, seed=5, observe=True)
    batch = rounds.Batch(3, players=3, seed=5, observe=True)
    for _ in range(40):
        actions = batch.choose("follow")
        assert np.array_equal(device.choose("follow").copy_to_host(), actions)
        device.step()
        batch.step(actions)
        assert np.array_equal(device.states.copy_to_host().T, batch.states)
        assert np.array_equal(device.legal.copy_to_host(), batch.legal)
        assert np.array_equal(device.scores.copy_to_host().T, batch.scores)
        assert batch.observations is not None
        assert np.array_equal(device.observations.copy_to_host().T, batch.observations)
        assert np.array_equal(device.seats(), batch.seats)
    assert device.refused() == 0
    device.actions[0] = 0
    device.step()
    assert device.refused() >= 1
    print("the simulated device agrees")


if __name__ == "__main__":
    main()
