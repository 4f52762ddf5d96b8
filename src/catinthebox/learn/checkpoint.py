"""Checkpoints: everything that a training needs to go on after an interruption."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import torch

from ..files import replacing
from ..game import NotUnderstood
from .opponents import OpponentPool
from .plan import TrainingPlan
from .trainer import Trainer

NAME: Final = "checkpoint.pt"


def save(folder: Path, trainer: Trainer, pool: OpponentPool, seconds: float) -> None:
    """Write a checkpoint in place of the last one."""
    state: dict[str, Any] = {
        "plan": trainer.plan.data(),
        "seconds": seconds,
        "net": trainer.net.state_dict(),
        "averaged": trainer.averaged.state_dict(),
        "judge": trainer.judge.state_dict(),
        "optimizer": trainer.optimizer.state_dict()["state"],
        "faces": trainer.rounds.faces,
        "snapshots": pool.snapshots,
        "counts": [trainer.iterations, trainer.decisions, trainer.played, pool.kept],
        "random": torch.get_rng_state(),
        "random_on_device": torch.cuda.get_rng_state() if trainer.device == "cuda" else None,
    }
    with replacing(folder / NAME) as file:
        torch.save(state, file)


def restore(folder: Path, trainer: Trainer, pool: OpponentPool) -> float:
    """Go on from a checkpoint, if there is one; return how many seconds were trained before."""
    path = folder / NAME
    if not path.exists():
        return 0.0
    state = torch.load(path, map_location=trainer.device, weights_only=True)
    check_plan(path, trainer.plan, state["plan"])
    trainer.net.load_state_dict(state["net"])
    trainer.averaged.load_state_dict(state["averaged"])
    trainer.judge.load_state_dict(state["judge"])
    _restore_optimizer(trainer, state["optimizer"])
    trainer.rounds.faces.copy_(state["faces"])
    pool.snapshots = state["snapshots"]
    trainer.iterations, trainer.decisions, trainer.played, pool.kept = state["counts"]
    torch.set_rng_state(state["random"].cpu())
    if trainer.device == "cuda":
        torch.cuda.set_rng_state(state["random_on_device"].cpu())
    return float(state["seconds"])


def _restore_optimizer(trainer: Trainer, state: dict[int, dict[str, torch.Tensor]]) -> None:
    """Copy the optimizer's moments; a recorded step on a GPU needs them where they are."""
    optimizer = trainer.optimizer
    weights = [weight for group in optimizer.param_groups for weight in group["params"]]
    for number, moments in state.items():
        mine = optimizer.state[weights[number]]
        for name, value in moments.items():
            if name in mine:
                mine[name].copy_(value)
            else:
                mine[name] = value.clone()


def check_plan(path: Path, plan: TrainingPlan, found: dict[str, Any]) -> None:
    """Raise `NotUnderstood` if a checkpoint is of another training; its length may differ."""
    length = {"minutes": None, "iterations": None}
    mine = plan.data()
    different = [key for key in mine if {**mine, **length}[key] != {**found, **length}.get(key)]
    if different:
        sentence = (
            f"{path} is of another training: {', '.join(different)} differ; "
            "name another folder with --out"
        )
        raise NotUnderstood("input.option", sentence)
