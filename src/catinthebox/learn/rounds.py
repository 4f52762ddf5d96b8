"""Many rounds side by side as tensors, on the CPU or on a GPU; both have the same attributes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import torch

from ..fast import cpu
from ..fast.rounds import touching
from ..game import NotUnderstood
from ..rules.layout import PARADOX, SIZE, TURN
from ..tactics.careful import RATINGS
from ..tactics.inputs import INPUTS
from ..tactics.self_play import HIDDEN
from ..tactics.weights import WEIGHTS
from .plan import TrainingPlan


class TrainingRounds(ABC):
    """Rounds of one number of players; a row is a round.

    `legal` has the legal actions of the seat to act as bits, 0 once a round is over. Write
    `actions`, then call `play`; `look` computes `inputs()` and `hidden()`. `faces` says for
    every row which of the plan's two faces it is played on.
    """

    device: str
    columns: bool  # whether a row of the batch is a column of its arrays

    def __init__(self, plan: TrainingPlan, rows: int) -> None:
        self.rows, self.players = rows, plan.players
        self.table = self._zeros(SIZE)
        self.numbers = self._zeros(INPUTS, torch.int8)
        self.secrets = self._zeros(HIDDEN, torch.int8)
        self.scores = self._zeros(plan.players)
        kind = {"dtype": torch.int64, "device": self.device}
        self.legal, self.actions, self.careful_actions, self.numbered, self.faces = (
            torch.zeros(rows, **kind) for _ in range(5)
        )
        both = np.stack([touching(face) for face in plan.faces])
        self.touch = torch.tensor(both, **kind)
        self.weights = torch.tensor(WEIGHTS[plan.players], **kind)

    def _zeros(self, width: int, kind: Any = torch.int64) -> torch.Tensor:
        shape = (width, self.rows) if self.columns else (self.rows, width)
        return torch.zeros(shape, dtype=kind, device=self.device)

    def _by_row(self, array: torch.Tensor) -> torch.Tensor:
        return array.t() if self.columns else array

    def begin(self, seed: int, first: int) -> None:
        """Deal the rounds from number `first` on."""
        numbers = torch.arange(first, first + self.rows, device=self.device)
        self.begin_numbered(seed, numbers)

    def begin_numbered(self, seed: int, numbers: torch.Tensor) -> None:
        """Deal every row the round with its number."""
        self.numbered.copy_(numbers)
        self._begin(seed)

    def inputs(self) -> torch.Tensor:
        """Return the inputs of the seats to act, a row each."""
        return self._by_row(self.numbers)

    def hidden(self) -> torch.Tensor:
        """Return what these seats may not know, a row each."""
        return self._by_row(self.secrets)

    @property
    def turn(self) -> torch.Tensor:
        """The seat to act in every row; nobody is -1."""
        return self._by_row(self.table)[:, TURN]

    @property
    def causer(self) -> torch.Tensor:
        """The seat that caused a paradox in every row; nobody is -1."""
        return self._by_row(self.table)[:, PARADOX]

    def points(self) -> torch.Tensor:
        """Return the points of every row and seat, once the rounds are over."""
        self._score()
        return self._by_row(self.scores)

    @abstractmethod
    def look(self) -> None:
        """Compute inputs and hidden numbers of the seats to act."""

    @abstractmethod
    def play(self) -> None:
        """Carry out `actions`."""

    @abstractmethod
    def careful(self, seed: int) -> torch.Tensor:
        """Return the actions of careful players."""

    @abstractmethod
    def refused(self) -> int:
        """How many actions were not legal so far."""

    @abstractmethod
    def _begin(self, seed: int) -> None:
        """Deal every row its round."""

    @abstractmethod
    def _score(self) -> None:
        """Compute the points of every row."""


class CpuRounds(TrainingRounds):
    """Rounds on this machine's CPU, compiled with numba."""

    device, columns = "cpu", False

    def __init__(self, plan: TrainingPlan, rows: int) -> None:
        super().__init__(plan, rows)
        self._rules = cpu.tactics().self_play
        self._views = np.zeros((1, SIZE), dtype=np.int64)
        self._ratings = np.zeros(RATINGS, dtype=np.int64)
        self._refused = 0

    def look(self) -> None:
        """Compute inputs and hidden numbers of the seats to act."""
        given = self.table.numpy(), self._views, self.touch.numpy(), self.faces.numpy()
        self._rules.look_rows(*given, self.numbers.numpy(), self.secrets.numpy())

    def play(self) -> None:
        """Carry out `actions`."""
        given = self.table.numpy(), self.legal.numpy(), self.actions.numpy()
        self._refused += int(self._rules.play_rows(*given))

    def careful(self, seed: int) -> torch.Tensor:
        """Return the actions of careful players."""
        given = self.table.numpy(), self.careful_actions.numpy(), self.weights.numpy()
        self._rules.careful_rows(
            *given, self.touch.numpy(), self.faces.numpy(), self._ratings, seed
        )
        return self.careful_actions

    def refused(self) -> int:
        """How many actions were not legal so far."""
        return self._refused

    def _begin(self, seed: int) -> None:
        given = self.table.numpy(), self.legal.numpy(), self.numbered.numpy()
        self._rules.begin_rows(*given, seed, self.players)

    def _score(self) -> None:
        given = self.table.numpy(), self.touch.numpy(), self.faces.numpy()
        self._rules.score_rows(*given, self.scores.numpy())


class GpuRounds(TrainingRounds):
    """Rounds in the memory of a GPU."""

    device, columns = "cuda", True

    def __init__(self, plan: TrainingPlan, rows: int) -> None:
        super().__init__(plan, rows)
        from numba import cuda  # noqa: PLC0415 (not everybody has it)

        from .kernels import THREADS, kernels  # noqa: PLC0415

        self._kernels, self._threads = kernels(), THREADS
        self._counted = torch.zeros(1, dtype=torch.int64, device=self.device)
        wrap = cuda.as_cuda_array
        self._table, self._legal, self._acts = map(wrap, (self.table, self.legal, self.actions))
        self._touch, self._faces = wrap(self.touch), wrap(self.faces)
        self._numbers, self._secrets = wrap(self.numbers), wrap(self.secrets)
        self._careful, self._weights = wrap(self.careful_actions), wrap(self.weights)
        self._numbered, self._points = wrap(self.numbered), wrap(self.scores)
        self._refusals = wrap(self._counted)

    def look(self) -> None:
        """Compute inputs and hidden numbers of the seats to act."""
        given = self._table, self._touch, self._faces
        self._launch(self._kernels.look, *given, self._numbers, self._secrets)

    def play(self) -> None:
        """Carry out `actions`."""
        self._launch(self._kernels.play, self._table, self._legal, self._acts, self._refusals)

    def careful(self, seed: int) -> torch.Tensor:
        """Return the actions of careful players."""
        given = self._table, self._careful, self._weights, self._touch, self._faces
        self._launch(self._kernels.careful, *given, seed)
        return self.careful_actions

    def refused(self) -> int:
        """How many actions were not legal so far; waits for the device."""
        return int(self._counted.item())

    def _begin(self, seed: int) -> None:
        given = self._table, self._legal, self._numbered
        self._launch(self._kernels.begin, *given, seed, self.players)

    def _score(self) -> None:
        self._launch(self._kernels.score, self._table, self._touch, self._faces, self._points)

    def _launch(self, kernel: Any, *arguments: Any) -> None:
        kernel[(self.rows + self._threads - 1) // self._threads, self._threads](*arguments)


def rounds_on(device: str, plan: TrainingPlan, rows: int) -> TrainingRounds:
    """Open rounds on a device."""
    return (GpuRounds if device == "cuda" else CpuRounds)(plan, rows)


def check_device(device: str) -> None:
    """Raise `NotUnderstood` unless the device is there."""
    if device == "cuda" and not torch.cuda.is_available():
        sentence = "no CUDA device here; --device cpu trains something small"
        raise NotUnderstood("input.option", sentence)
