"""The training of a network: iterations, measurements, checkpoints, and the file in the end.

All of it is kept in one folder: `log.jsonl`, `checkpoint.pt`, and the network, `N-players.net`.
The same call with the same folder goes on after an interruption.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import Any, Final

import torch

from . import checkpoint
from .duel import Duel
from .export import export
from .log import TrainingLog
from .model import Perceptron
from .opponents import OpponentPool
from .plan import TrainingPlan
from .rounds import check_device
from .trainer import Trainer

SNAPSHOTS: Final = 40  # earlier selves that a whole training keeps
CHECKPOINTS: Final = 60.0  # seconds between two


class Training:
    """A training in progress."""

    def __init__(
        self,
        plan: TrainingPlan,
        device: str,
        folder: Path,
        *,
        rivals: Sequence[Perceptron] = (),
        show: Callable[[str], None] = print,
    ) -> None:
        check_device(device)
        torch.manual_seed(plan.seed)
        folder.mkdir(parents=True, exist_ok=True)
        self.plan, self.device, self.folder = plan, device, folder
        self.log = TrainingLog(folder, show)
        self.pool = OpponentPool(plan, device, list(rivals))
        self.trainer = Trainer(plan, device, self.pool)
        self.duel = Duel(plan, device)
        self._before = checkpoint.restore(folder, self.trainer, self.pool)
        self._began = monotonic()

    @property
    def seconds(self) -> float:
        """How long the network was trained, with interruptions left out."""
        return self._before + monotonic() - self._began

    @property
    def progress(self) -> float:
        """The share of the training that is over, 0 to 1."""
        if self.plan.iterations is not None:
            return min(1.0, self.trainer.iterations / self.plan.iterations)
        return min(1.0, self.seconds / (60 * self.plan.minutes))

    def run(self) -> Path:
        """Train until the plan is fulfilled; return the file of the network."""
        if not self.trainer.iterations:
            self._warm_up()
            about = {"device": self.device, "torch": torch.__version__}
            self.log.write({"plan": self.plan.data(), **about})
        measured = saved = self.seconds
        try:
            while (progress := self.progress) < 1:
                self._remember(progress)
                self.trainer.iterate(progress)
                if self.seconds - measured >= self.plan.measured_every:
                    self._measure()
                    measured = self.seconds
                if self.seconds - saved >= CHECKPOINTS:
                    self.save()
                    saved = self.seconds
        except KeyboardInterrupt:
            self.save()
            raise
        self._measure()
        self.save()
        return self.export()

    def _warm_up(self) -> None:
        """Compile what a measurement needs; that time does not count as training."""
        self.duel.play(self.trainer.averaged, None)
        self._began = monotonic()

    def _remember(self, progress: float) -> None:
        """Keep the average as an earlier self, at even distances."""
        due = int(progress * SNAPSHOTS)
        if self.trainer.iterations and due > self.pool.kept:
            self.pool.add(self.trainer.averaged)

    def _measure(self) -> None:
        """Log the losses, and how a lone network does among careful players."""
        trainer = self.trainer
        figures: dict[str, Any] = {
            "seconds": self.seconds,
            "iterations": trainer.iterations,
            "decisions": trainer.decisions,
            "rounds": trainer.played,
            **trainer.figures(),
        }
        lone = self.duel.play(trainer.averaged, None)
        figures |= {f"lone_{key}": value for key, value in asdict(lone).items()}
        if self.plan.players > 2:
            many = self.duel.play(None, trainer.averaged)
            together = 1 - many.share  # of the victories, for all networks at the table
            figures |= {"many_difference": -many.difference, "many_share": together}
        self.log.write(figures)

    def save(self) -> None:
        """Write a checkpoint."""
        checkpoint.save(self.folder, self.trainer, self.pool, self.seconds)

    def export(self) -> Path:
        """Write the averaged network, and log its hash."""
        path = self.folder / f"{self.plan.players}-players.net"
        about = {
            "seed": self.plan.seed,
            "minutes": round(self.seconds / 60, 2),
            "decisions": self.trainer.decisions,
            "rounds": self.trainer.played,
            "victory_points": self.plan.victory_points,
        }
        digest = export(self.trainer.averaged, self.plan.players, about, path)
        self.log.write({"file": path.name, "sha256": digest, "bytes": path.stat().st_size})
        return path
