"""The networks while they are trained: multilayer perceptrons with residual blocks.

The normalization between layers has no weights of its own. `players.network` computes the same
with NumPy.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as fn
from torch import nn

from ..rules.actions import ACTIONS
from ..tactics.inputs import INPUTS
from .plan import TrainingPlan

OUTPUTS = ACTIONS + 1  # a number for every action, and an estimate of the result


class Perceptron(nn.Module):
    """Inputs, residual blocks of two layers each, outputs."""

    def __init__(self, inputs: int, width: int, blocks: int, outputs: int, low: Any) -> None:
        super().__init__()
        self.input = nn.Linear(inputs, width)
        self.first = nn.ModuleList([nn.Linear(width, width) for _ in range(blocks)])
        self.second = nn.ModuleList([nn.Linear(width, width, bias=False) for _ in range(blocks)])
        self.head = nn.Linear(width, outputs)
        for layer in self.second:
            nn.init.zeros_(layer.weight)
        nn.init.normal_(self.head.weight, std=0.01)
        nn.init.zeros_(self.head.bias)
        self.low = low  # the type in which all layers but the last compute

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Compute the outputs of many rows."""
        shape = (self.input.out_features,)
        h = self._layer(self.input, x.to(self.low))
        for first, second in zip(self.first, self.second, strict=True):
            inside = fn.relu(self._layer(first, fn.layer_norm(h, shape)))
            h = h + self._layer(second, inside)
        h = fn.relu(fn.layer_norm(h, shape))
        return fn.linear(h.float(), self.head.weight, self.head.bias)

    def _layer(self, layer: nn.Linear, h: torch.Tensor) -> torch.Tensor:
        bias = None if layer.bias is None else layer.bias.to(self.low)
        return fn.linear(h, layer.weight.to(self.low), bias)


def computing_type(device: str) -> Any:
    """Return the type in which a device computes fast."""
    return torch.bfloat16 if device == "cuda" else torch.float32


def policy(plan: TrainingPlan, device: str) -> Perceptron:
    """Make a new policy: logits of all actions, and an estimate of the reward."""
    made = Perceptron(INPUTS, plan.width, plan.blocks, OUTPUTS, computing_type(device))
    return made.to(device)


def critic(plan: TrainingPlan, hidden: int, device: str) -> Perceptron:
    """Make a new critic, which sees `hidden` numbers more than a policy."""
    low = computing_type(device)
    made = Perceptron(INPUTS + hidden, plan.critic_width, plan.critic_blocks, 1, low)
    return made.to(device)
