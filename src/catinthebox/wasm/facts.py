"""What a client must know beside the functions: slots, numbers, faces, weights, levels."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import ModuleType
from typing import Final, cast

from ..game.edition import STANDARD
from ..game.face import FACES
from ..rules import actions, counts, layout, playout, reason, sight
from ..tactics import careful, rollout, search
from ..tactics.weights import WEIGHTS

Fact = object  # what JSON can say, and integers beyond 53 bits

NAMES: Final = {  # of each module: all of its constants, or those named here
    layout: "",
    reason: "",
    counts: "",
    actions: "FIRST_DISCARD FIRST_BID ACTIONS",
    sight: "FACE_DOWN",
    playout: "UNIFORM FOLLOW",
    rollout: "CAREFUL",
    careful: "RATINGS",
    search: "POINTS AHEAD WIN",
}
LEVELS_FILE: Final = Path(__file__).parents[1] / "players" / "levels.py"


def constants() -> dict[str, Fact]:
    """The numbers of the rules by their names."""
    return {
        name: getattr(module, name)
        for module, wanted in NAMES.items()
        for name in (wanted.split() or _numbers(module))
    }


def _numbers(module: ModuleType) -> list[str]:
    return [
        name
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, int | tuple)
    ]


def faces() -> dict[str, Fact]:
    """The faces that come with the game: as text, and for every cell the cells it touches."""
    return {name: {"text": str(face), "touch": face.touch} for name, face in FACES.items()}


def faces_for() -> dict[int, Fact]:
    """The faces of the standard edition by player count, the usual one first (R31)."""
    return {players: list(names) for players, names in STANDARD.faces.items()}


def weights() -> list[Fact]:
    """The weights of the careful player by player count."""
    return [list(row) for row in WEIGHTS]


def levels() -> dict[str, Fact]:
    """The bot levels: the player behind each, and its numbers.

    Their file is read alone: the package around it imports libraries that a build need not have.
    """
    found = cast(dict[str, object], runpy.run_path(str(LEVELS_FILE))["LEVELS"])
    return {name: _level(str(getattr(level, "spec"))) for name, level in found.items()}  # noqa: B009


def _level(spec: str) -> Fact:
    player, _, rest = spec.partition(":")
    pairs = [word.partition("=") for word in rest.split(",") if word]
    return {"player": player, **{key: float(value) for key, _, value in pairs}}
