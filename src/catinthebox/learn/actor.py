"""Decisions of a network for a fixed number of rows, and how a GPU makes them fast."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import torch
import torch.nn.functional as fn

from ..rules.actions import ACTIONS
from ..tactics.inputs import INPUTS
from .model import Perceptron

NEVER = -1e9  # the logit of an action that is not legal


@cache
def fast(function: Callable[..., Any], device: str) -> Callable[..., Any]:
    """Compile a function for a GPU; on the CPU it stays as it is."""
    if device != "cuda":
        return function
    import_module("torch._dynamo").config.recompile_limit = 64  # a shape and a network each
    torch.backends.cuda.matmul.allow_tf32 = True
    compiled: Callable[..., Any] = torch.compile(function, dynamic=False)
    return compiled


def captured(work: Callable[[], None], device: str) -> Callable[[], Any]:
    """Record work on a GPU as a graph, which starts much faster; on the CPU just return it."""
    if device != "cuda":
        return work
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):  # compiles, and chooses its kernels
            work()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    replay: Callable[[], Any] = graph.replay
    return replay


def log_policy(logits: torch.Tensor, legal: torch.Tensor, bits: torch.Tensor) -> torch.Tensor:
    """Return the logarithms of the probabilities of all actions."""
    allowed = (legal[:, None] >> bits & 1).bool()
    return fn.log_softmax(logits.masked_fill(~allowed, NEVER), 1)


def decide(
    net: Perceptron,
    inputs: torch.Tensor,
    legal: torch.Tensor,
    noise: torch.Tensor,
    bits: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return an action drawn from the policy, its best one, and the first one's log-probability."""
    logs = log_policy(net(inputs)[:, :ACTIONS], legal, bits)
    drawn = (logs - noise.clamp(min=1e-20).log()).argmax(1)
    return drawn, logs.argmax(1), logs.gather(1, drawn[:, None])[:, 0]


class Actor:
    """A network that decides for many rows at once."""

    def __init__(self, net: Perceptron, rows: int, device: str) -> None:
        self.net = net
        self.inputs = torch.zeros(rows, INPUTS, dtype=torch.int8, device=device)
        self.legal = torch.ones(rows, dtype=torch.int64, device=device)
        self.drawn, self.best = (torch.zeros_like(self.legal) for _ in range(2))
        self.log_probability = torch.zeros(rows, device=device)
        self._noise = torch.zeros(rows, ACTIONS, device=device)
        self._bits = torch.arange(ACTIONS, device=device)
        self._decide = fast(decide, device)
        self._run = captured(self._compute, device)

    @torch.no_grad()
    def _compute(self) -> None:
        self._noise.exponential_()
        given = self.net, self.inputs, self.legal, self._noise, self._bits
        drawn, best, log_probability = self._decide(*given)
        self.drawn.copy_(drawn)
        self.best.copy_(best)
        self.log_probability.copy_(log_probability)

    def act(self, inputs: torch.Tensor, legal: torch.Tensor) -> None:
        """Write the decisions for these inputs into `drawn`, `best` and `log_probability`."""
        self.inputs.copy_(inputs)
        self.legal.copy_(legal)
        self._run()
