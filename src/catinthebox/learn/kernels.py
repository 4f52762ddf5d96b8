"""Self-play on an NVIDIA GPU: kernels over the rules, a thread for each row.

Rows are columns of the arrays, so that neighbouring threads touch neighbouring memory.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

from ..fast import gpu
from ..rules.layout import SIZE
from ..tactics.careful import RATINGS
from ..tactics.self_play import REFUSED

from numba import cuda, int64  # isort: skip (fast.gpu prepares NumPy for it)

THREADS = gpu.THREADS


@cache
def kernels() -> SimpleNamespace:
    """Return the kernels; each is compiled when it is first called."""
    rules, tactics = gpu.rules(), gpu.tactics().self_play
    deal_row, legal_row = rules.batch.deal_row, rules.batch.legal_row
    look_row, play_row = tactics.look_row, tactics.play_row
    careful_row, score_row = tactics.careful_row, tactics.score_row
    size, cells, refusal = SIZE, RATINGS, REFUSED

    @cuda.jit
    def begin(table: Any, masks: Any, rounds: Any, seed: int, players: int) -> None:
        row = cuda.grid(1)
        if row < table.shape[1]:
            deal_row(table[:, row], seed, rounds[row], players)
            masks[row] = legal_row(table[:, row])

    @cuda.jit
    def look(table: Any, touch: Any, faces: Any, numbers: Any, hidden: Any) -> None:
        row = cuda.grid(1)
        if row < table.shape[1]:
            v = cuda.local.array(size, int64)
            look_row(table[:, row], v, touch[faces[row]], numbers[:, row], hidden[:, row])

    @cuda.jit
    def play(table: Any, masks: Any, actions: Any, refused: Any) -> None:
        row = cuda.grid(1)
        if row < table.shape[1]:
            legal = play_row(table[:, row], actions[row])
            if legal == refusal:
                cuda.atomic.add(refused, 0, 1)
            else:
                masks[row] = legal

    @cuda.jit
    def careful(table: Any, actions: Any, weights: Any, touch: Any, faces: Any, seed: int) -> None:
        row = cuda.grid(1)
        if row < table.shape[1]:
            ratings = cuda.local.array(cells, int64)
            near = touch[faces[row]]
            actions[row] = careful_row(table[:, row], weights, near, ratings, seed, row)

    @cuda.jit
    def score(table: Any, touch: Any, faces: Any, scores: Any) -> None:
        row = cuda.grid(1)
        if row < table.shape[1]:
            score_row(table[:, row], touch[faces[row]], scores[:, row])

    return SimpleNamespace(begin=begin, look=look, play=play, careful=careful, score=score)
