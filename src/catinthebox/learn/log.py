"""The log of a training: a JSON object per line; the first describes the training."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from ..game import NotUnderstood

NAME: Final = "log.jsonl"
DIGITS: Final = 5  # that a figure keeps

Figures = dict[str, Any]


class TrainingLog:
    """Appends figures to a file, and shows them."""

    def __init__(self, folder: Path, show: Callable[[str], None]) -> None:
        self.path, self._show = folder / NAME, show

    def write(self, figures: Figures) -> None:
        """Append a line."""
        rounded = {
            key: round(value, DIGITS) if isinstance(value, float) else value
            for key, value in figures.items()
        }
        line = json.dumps(rounded)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        self._show(line)


def read_log(path: Path) -> list[Figures]:
    """Read all lines of a log; raise `NotUnderstood` if it is none."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text"
        raise NotUnderstood("input.file", f"{path}: {reason}; name the log of a training") from None
    found: list[Figures] = []
    for number, line in enumerate(lines, start=1):
        try:
            figures = json.loads(line)
        except ValueError:
            figures = None
        if not isinstance(figures, dict):
            raise NotUnderstood("input.file", f"{path}: line {number} is not a JSON object")
        found.append(figures)
    return found
