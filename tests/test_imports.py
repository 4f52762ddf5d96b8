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
    "wasm": {"game", "rules", "tactics"},
    "fair": {"game", "rules"},
    "views": {"game", "rules"},
    "players": {"fast", "game", "tactics", "views"},
    "arena": {"game", "players", "views"},
    "coach": {"fast", "game", "players", "tactics", "views"},
    "puzzles": {"arena", "coach", "game", "players", "rules", "views"},
    "learn": {"arena", "fast", "game", "players", "rules", "tactics"},
    "envs": {"fast", "game", "players", "rules", "views"},
    "protocol": {"game"},
    "table": {"fair", "game", "protocol", "rules", "views"},
    "store": set[str](),
    "server": {"fair", "game", "players", "protocol", "store", "table", "views"},
    "client": {"game", "players", "protocol", "rules", "views"},
    "cli": {
        "arena",
        "client",
        "coach",
        "fair",
        "fast",
        "game",
        "learn",
        "players",
        "puzzles",
        "rules",
        "server",
        "store",
        "table",
        "views",
        "wasm",
    },
}
FOREIGN = {  # what a folder may need beyond Python itself
    "folders.py": {"platformdirs"},
    "fast": {"llvmlite", "numba", "numpy"},
    "players": {"numpy"},
    "coach": {"numpy"},
    "arena": {"numpy", "openskill", "pyarrow", "ray"},
    "learn": {"numba", "numpy", "torch"},
    "envs": {"gymnasium", "numpy", "pettingzoo", "pyspiel"},
    "store": {"psycopg"},
    "client": {"msgspec"},
    "protocol": {"msgspec"},
    "table": {"msgspec"},
    "server": {"msgspec", "starlette", "uvicorn", "websockets"},
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


def test_only_the_composition_knows_all_parts_of_a_server() -> None:
    """Every other class takes the parts that it uses (decision 0024)."""
    name = "catinthebox.server.composition.ServerParts"
    knowing = {path.relative_to(PACKAGE).as_posix() for path in SOURCES if name in imported(path)}
    assert knowing == {"server/http/app.py", "server/ops/run.py"}


@pytest.mark.parametrize("path", sorted((PACKAGE / "rules").glob("*.py")), ids=lambda p: p.name)
def test_rules_know_neither_chance_nor_time(path: Path) -> None:
    """No randomness, no clock, no files: integers in, integers out."""
    allowed = {"typing", "collections"}
    assert {name.split(".")[0] for name in imported(path)} <= allowed | {"catinthebox"}


# ── Players ──────────────────────────────────────────────────────────────────────────────────

WHOLE = {"Round", "Game", "Setup"}  # the classes that hold every hand
BARE = {  # modules that would give them all, or the rules, under another name
    *("catinthebox", "catinthebox.game", "catinthebox.views", "catinthebox.fast"),
    *("catinthebox.game.round", "catinthebox.game.game", "catinthebox.game.setup"),
    *("catinthebox.arena", "catinthebox.envs", "catinthebox.cli", "catinthebox.__main__"),
}
BY_TEXT = ("catinthebox.fast.cpu", "catinthebox.tactics", "numpy", "numba")
MARKS = {"TYPE_CHECKING", "typing.TYPE_CHECKING"}
LOADERS = {"import_module", "__import__", "find_spec", "spec_from_file_location", "run_module"}


def without_types(source: str) -> ast.Module:
    """A module's tree without what stands there for the type checker only."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) in MARKS:
            node.body = [ast.Pass()]
    return tree


def named(node: ast.AST, package: list[str]) -> list[str]:
    """What an import statement binds to a name, by absolute names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    base = package[: len(package) - node.level + 1] if node.level else []
    module = ".".join([*base, *([node.module] if node.module else [])])
    return [f"{module}.{alias.name}" for alias in node.names]


def text_of(node: ast.expr | None) -> str:
    """A text as far as it is written down: all of a constant, the beginning of an f-string."""
    if isinstance(node, ast.JoinedStr):
        node = node.values[0] if node.values else None
    return str(node.value) if isinstance(node, ast.Constant) else "?"


def cheats(source: str) -> list[str]:
    """Ways in which a module among the players comes by a whole round, or by its rules."""
    found = []
    for node in ast.walk(without_types(source)):
        for name in named(node, ["catinthebox", "players"]):
            parts = name.split(".")
            own = parts[0] == "catinthebox"
            bad = own and ({"rules", "*"} & {*parts} or parts[-1] in WHOLE or name in BARE)
            found += [name] if bad else []
        if isinstance(node, ast.Attribute) and node.attr in WHOLE | {"rules", "modules"}:
            found.append(ast.unparse(node))
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in LOADERS:
            name = text_of(node.args[0] if node.args else None)
            relative = name.startswith(".") or len(node.args) + len(node.keywords) != 1
            found += [ast.unparse(node)] if relative or not name.startswith(BY_TEXT) else []
    return found


@pytest.mark.clause("R33")
@pytest.mark.parametrize("path", sorted((PACKAGE / "players").glob("*.py")), ids=lambda p: p.name)
def test_players_never_import_the_whole_round(path: Path) -> None:
    """A bot that cheats does not import: it may name a `Round` for the type checker at most."""
    assert cheats(path.read_text("utf-8")) == []
    assert not [name for name in imported(path) if "rules" in name.split(".")]


@pytest.mark.clause("R33")
@pytest.mark.parametrize("name", ["analysis", "network_rollouts", "reasons", "rollouts"])
def test_what_the_coach_says_comes_from_a_view(name: str) -> None:
    """Only the review of a finished game takes a record apart, into views of its seats."""
    source = (PACKAGE / "coach" / f"{name}.py").read_text("utf-8")
    assert cheats(source) == []


@pytest.mark.parametrize(
    "trick",
    [
        "from ..game import Round",
        "from ..game import Action, Setup as Harmless",
        "from ..game.game import Game",
        "from ..game import *",
        "from ..game import round",
        "from .. import game",
        "from .. import Face, rules",
        "from ..rules import layout",
        "from ..rules.layout import HAND",
        "import catinthebox",
        "import catinthebox.game as g",
        "import catinthebox.rules.round",
        "from catinthebox import Round",
        "from catinthebox.rules import sight",
        "from .. import views",
        "import_module('catinthebox.rules.sight')",
        "import_module('catinthebox')",
        "import_module('catinthebox.game').Action",
        "import_module('..rules', __package__)",
        "import_module('..rules', package=__package__)",
        "import_module(f'catinthebox.{folder}')",
        "import_module('catinthebox.' + 'rules')",
        "importlib.import_module(name)",
        "__import__('catinthebox')",
        "import_module('catinthebox.fast.cpu').rules()",
        "sys.modules['catinthebox.rules']",
        "type(view).of.__globals__ or views.Round",
        "def late():\n    from ..game import Round",
        "if TYPE_CHECKING:\n    pass\nelse:\n    from ..game import Round",
        "if not TYPE_CHECKING:\n    from ..game import Round",
    ],
)
def test_the_law_for_players_notices_tricks(trick: str) -> None:
    """Each of these would be a way around it."""
    assert cheats(trick), trick


def test_the_law_for_players_allows_what_is_honest() -> None:
    """Naming a type is no look at a card."""
    assert not cheats("if TYPE_CHECKING:\n    from ..game import Round")
    assert not cheats("from ..game import ACTIONS, Action\nfrom ..views import View")
    assert not cheats("import_module(f'catinthebox.tactics.{name}')")
