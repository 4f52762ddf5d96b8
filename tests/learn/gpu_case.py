"""A small case of self-play on CUDA's simulator; a program of its own: the mode is per process.

Every row is a block of its own: the simulator runs blocks one after another, but the threads of a
block at once, and then functions that live in other modules than the kernel sometimes see the real
`numba.cuda` instead of the simulated one.
"""

from __future__ import annotations

import numpy as np

from catinthebox.fast import cpu
from catinthebox.fast.rounds import touching
from catinthebox.learn.kernels import kernels
from catinthebox.rules.layout import SIZE
from catinthebox.tactics.careful import RATINGS
from catinthebox.tactics.inputs import INPUTS
from catinthebox.tactics.self_play import HIDDEN
from catinthebox.tactics.weights import WEIGHTS

ROWS = 3
STEPS = 45


def main() -> None:
    """Play the same rounds on the simulated device and on the CPU, move by move."""
    host, device = cpu.tactics().self_play, kernels()
    touch = np.stack([touching(face) for face in ("white", "purple")])
    for players in (2, 5):
        weights = np.array(WEIGHTS[players], dtype=np.int64)
        faces, rounds = np.arange(ROWS) % 2, np.arange(ROWS)
        table, views = np.zeros((ROWS, SIZE), np.int64), np.zeros((1, SIZE), np.int64)
        legal, actions = np.zeros(ROWS, np.int64), np.zeros(ROWS, np.int64)
        seen, hidden = np.zeros((ROWS, INPUTS), np.int8), np.zeros((ROWS, HIDDEN), np.int8)
        scores, ratings = np.zeros((ROWS, players), np.int64), np.zeros(RATINGS, np.int64)
        columns = [np.zeros_like(array.T) for array in (table, seen, hidden, scores)]
        there, seen_there, hidden_there, scores_there = columns
        legal_there, actions_there = np.zeros_like(legal), np.zeros_like(actions)
        refused = np.zeros(1, np.int64)
        host.begin_rows(table, legal, rounds, 5, players)
        device.begin[ROWS, 1](there, legal_there, rounds, 5, players)
        for step in range(STEPS):
            host.look_rows(table, views, touch, faces, seen, hidden)
            device.look[ROWS, 1](there, touch, faces, seen_there, hidden_there)
            host.careful_rows(table, actions, weights, touch, faces, ratings, step)
            device.careful[ROWS, 1](there, actions_there, weights, touch, faces, step)
            assert np.array_equal(there.T, table)
            assert np.array_equal(legal_there, legal)
            assert np.array_equal(seen_there.T, seen)
            assert np.array_equal(hidden_there.T, hidden)
            assert np.array_equal(actions_there, actions)
            assert host.play_rows(table, legal, actions) == 0
            device.play[ROWS, 1](there, legal_there, actions_there, refused)
        assert not legal.any(), "every round is over"
        host.score_rows(table, touch, faces, scores)
        device.score[ROWS, 1](there, touch, faces, scores_there)
        assert np.array_equal(scores_there.T, scores)
        assert refused[0] == 0
    print("the simulated device agrees")


if __name__ == "__main__":
    main()
