"""The import law: a folder imports only what stands above it, and the core nothing foreign."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "catinthebox"
MAY_IMPORT = {
    "rules": set[str](),
    "tactics": {"rules"},
    "fast": {"rules", "tactics"},
    "game": {"rules"},
    "views": {"game", "rules"},
    "players": {"fast", "game", "tactics", "views"},
    "arena": {"game", "players", "views"},
    "envs": {"fast", "game", "players", "rules", "views"},
    "cli": {"arena", "fast", "game", "players", "rules", "views"},
}
FOREIGN = {  # what a folder may need beyond Python itself
    "fast": {"llvmlite", "numba", "numpy"},
    "arena": {"numpy", "openskill", "pyarrow", "ray"},
    "envs": {"gymnasium", "numpy", "pettingzoo", "pyspiel"},
}
SOURCES = sorted(PACKAGE.rglob("*.py"))


def imported(path: Path) -> list[str]:
    """Absolute names of everything a source file imports."""
    package = ["catinthebox", *path.relative_to(PACKAGE).parts[:-1]]
    names = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names += [module, *(f"{module}.{alias.name}" for alias in node.names)]
    return names


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_folder_imports_only_what_stands_above_it(path: Path) -> None:
    """The arrows of the architecture, enforced on the syntax tree."""
    folder = path.relative_to(PACKAGE).parts[0]
    for name in imported(path):
        parts = name.split(".")
        if parts[0] != "catinthebox":
            known = sys.stdlib_module_names | FOREIGN.get(folder, set())
            assert parts[0] in known, f"{name} is not in the standard library"
        elif len(parts) > 1 and folder in MAY_IMPORT and (PACKAGE / parts[1]).is_dir():
            assert parts[1] == folder or parts[1] in MAY_IMPORT[folder], f"{folder} → {name}"


def test_every_folder_has_a_place_in_the_law() -> None:
    """A new folder must say what it may import."""
    folders = {path.relative_to(PACKAGE).parts[0] for path in SOURCES if path.parent != PACKAGE}
    assert folders == set(MAY_IMPORT)


@pytest.mark.parametrize("path", sorted((PACKAGE / "rules").glob("*.py")), ids=lambda p: p.name)
def test_rules_know_neither_chance_nor_time(path: Path) -> None:
    """No randomness, no clock, no files: integers in, integers out."""
    allowed = {"typing", "collections"}
    assert {name.split(".")[0] for name in imported(path)} <= allowed | {"catinthebox"}


@pytest.mark.clause("R33")
def test_players_never_import_the_whole_round() -> None:
    """A bot that cheats does not import: it may name a `Round` for the type checker at most."""
    whole = {"Round", "Game", "Setup", "rules"}
    for path in (PACKAGE / "players").glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        tree.body = [node for node in tree.body if "TYPE_CHECKING" not in ast.unparse(node)[:20]]
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                assert not whole & {alias.name for alias in node.names}, path.name
                assert "rules" not in (node.module or ""), path.name
