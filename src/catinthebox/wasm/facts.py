"""What a client must know beside the functions: slots, numbers, faces, weights, levels."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from ..game.edition import STANDARD
from ..game.face import FACES
from ..rules import actions, counts, explain, layout, playout, reason, sight
from ..rules import faces as face_rules
from ..tactics import (
    careful,
    escape,
    inputs,
    ismcts,
    kinds,
    lookahead,
    prospects,
    rollout,
    search,
    thought,
)
from ..tactics.weights import WEIGHTS

Fact = object  # what JSON can say, and integers beyond 53 bits

NAMES: Final = {  # of each module: all of its constants, or those named here
    layout: "",
    reason: "",
    counts: "",
    actions: "FIRST_DISCARD FIRST_BID ACTIONS",
    sight: "FACE_DOWN",
    explain: "LEADS OPENS_RED FOLLOWS TRUMPS GIVES_UP TOPS",
    face_rules: "LANES NOWHERE",
    playout: "UNIFORM FOLLOW",
    rollout: "CAREFUL",
    careful: "ALWAYS RATINGS UNIT",
    search: "AHEAD POINTS WIN",
    inputs: "AT_LEGAL INPUTS",
    lookahead: "BY_CAREFUL BY_NETWORK",
    kinds: "RANDOM_KIND FOLLOW_KIND MODEST_KIND CAREFUL_KIND SEARCH_KIND NET_KIND",
    thought: """
        LOT LUCK
        AUTO MOST NO_LIMIT SCRATCH THOUGHT
        ACTION AIM BELIEFS EXPLORATION ME OPTIONS POLICY PRIOR ROLLOUTS""",
    ismcts: "ONE ROOT VISITS",
}
PACKAGE: Final = Path(__file__).parents[1]


def constants() -> dict[str, Fact]:
    """The numbers of the rules by their names."""
    found: dict[str, Fact] = {}
    for module, wanted in NAMES.items():
        for name in wanted.split() or _numbers(module):
            value = getattr(module, name)
            if found.setdefault(name, value) != value:
                raise ValueError(f"{module.__name__}.{name} is {value}; {name} is another one, too")
    return found


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


def columns() -> dict[str, Fact]:
    """What is noted about the end of a round: the columns of `tactics.prospects`."""
    names = "POINTS AHEAD TRICKS KEPT CAUSED GROUP DEAD WINS PARADOX_SEEN DENIED SCORE COLUMNS"
    return {name.lower(): getattr(prospects, name) for name in names.split()}


def escapes() -> dict[str, Fact]:
    """What the search for a way around a paradox needs, and what it answers."""
    return {name.lower(): getattr(escape, name) for name in ("PLAYS", "NONE", "FOUND", "UNKNOWN")}


def coach() -> int:
    """The version of the coach's judgements."""
    found: int = _module("coach.corrections").VERSION
    return found


def corrections() -> dict[int, Fact]:
    """How the coach corrects what careful rollouts expect, by the number of players."""
    found = _module("coach.corrections").CORRECTIONS
    return {players: {**vars(one)} for players, one in found.items()}


def levels() -> dict[str, Fact]:
    """The bot levels: the kind of player behind each, and its parameters."""
    found = _module("players.levels").LEVELS
    return {name: {**level.data, "kind": kinds.KINDS[level.kind]} for name, level in found.items()}


def _module(name: str) -> Any:
    """Load the file of a module alone.

    The package around it imports libraries that an environment which builds need not have.
    """
    path = PACKAGE.joinpath(*name.split(".")).with_suffix(".py")
    spec = spec_from_file_location(f"catinthebox.{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    with _registered(module):  # dataclasses look for the module of their class
        spec.loader.exec_module(module)
    return module


@contextmanager
def _registered(module: ModuleType) -> Iterator[None]:
    before = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module
    try:
        yield
    finally:
        del sys.modules[module.__name__]
        if before is not None:
            sys.modules[module.__name__] = before
