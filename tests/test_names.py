"""One name, one meaning: public classes are unique, and no word of a private dialect comes back."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "catinthebox"
SOURCES = sorted(PACKAGE.rglob("*.py"))
# Metaphors that names, docstrings and comments once used, and the terms of art that replaced them.
INSTEAD = {
    "cargo": "dump",
    "crossing": "thread bridge",
    "door": "route, socket",
    "doors": "routes",
    "duty": "next command",
    "errand": "scheduled work",
    "errands": "scheduler",
    "ferry": "transfer",
    "guest": "bot client, spectator",
    "guests": "connection limit",
    "heard": "received",
    "keeper": "save file, dealer",
    "ledger": "batch",
    "outlet": "connection",
    "scribe": "writer",
    "sights": "views",
    "taste": "weights",
    "teller": "broadcaster",
    "told": "sent, shown, reported",
    "whoever": "the one who, anybody who",
    "wish": "command, request",
    "wishes": "commands",
}
VAGUE = re.compile(r"Give |Whoever |(Begin|End|Do all of it)\.$")  # no way to begin a docstring


COMPILED = ("rules", "tactics", "fast")
"""Packages of compiled functions: each names the arrays that its functions take by itself."""


def defined(source: str, *, plain: bool = True) -> Iterator[str]:
    """The public classes and type aliases at the top level of a module.

    A plain alias has no annotation: a name like that of a class for an expression of types.
    """
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            name = node.name
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
            name = ast.unparse(node.target)
        elif isinstance(node, ast.Assign) and plain and not isinstance(node.value, ast.Call):
            name = ast.unparse(node.targets[0])
            if not re.fullmatch(r"[A-Z][a-z]\w*", name):  # a constant, or several
                continue
        else:
            continue
        if not name.startswith("_"):
            yield name


def test_public_class_names_are_unique() -> None:
    """A name in an error, a log or a test leads to one class."""
    places = defaultdict(list)
    for path in SOURCES:
        place = path.relative_to(PACKAGE)
        for name in defined(path.read_text("utf-8"), plain=place.parts[0] not in COMPILED):
            places[name].append(str(place))
    double = {name: paths for name, paths in places.items() if len(paths) > 1}
    assert double == {}


def test_classes_and_aliases_are_found() -> None:
    """Private ones and plain constants are not meant."""
    source = "class A: ...\nclass _B: ...\nC: TypeAlias = int\nD = 1\nE: Final = 2"
    source += "\nRows = list[int]\nRow = TypeVar('Row')\nA_ROW = list[int]\nrow = Rows"
    assert list(defined(source)) == ["A", "C", "Rows"]
    assert list(defined(source, plain=False)) == ["A", "C"]


# ── Words ────────────────────────────────────────────────────────────────────────────────────


def said(source: str) -> Iterator[tuple[int, str]]:
    """Every name, comment and text of a module, with its line."""
    kinds = {tokenize.NAME, tokenize.COMMENT, tokenize.STRING}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in kinds:
            yield token.start[0], token.string


def banned(source: str) -> list[str]:
    """Words of the dialect in a module, with their lines and what to write instead."""
    found = []
    for line, text in said(source):
        for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", text):
            if word.lower() in INSTEAD:
                found.append(f"line {line}: {word}; write: {INSTEAD[word.lower()]}")
    return found


def vague(source: str) -> list[str]:
    """Docstrings whose first line says nothing, or begins with a word that we overused."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, documented)]
    openings = [(ast.get_docstring(node) or "").partition("\n")[0] for node in nodes]
    return [opening for opening in openings if VAGUE.match(opening)]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_the_words_are_those_of_the_field(path: Path) -> None:
    """A stranger who knows the field understands every name and every sentence."""
    source = path.read_text("utf-8")
    assert banned(source) == []
    assert vague(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "told = 1",
        "class ErrandQueue: ...",
        "def f(first_wish): ...",
        "# whoever comes first",
        "def f():\n    'The outlet of a player.'",
        "raise ValueError('nobody was told')",
    ],
)
def test_words_of_the_dialect_are_noticed(source: str) -> None:
    """In names of all kinds, in comments, docstrings and messages."""
    assert len(banned(source)) == 1


def test_other_words_are_not_meant() -> None:
    """Neither longer words that contain one, nor what ends in the middle of a name."""
    assert banned("outdoors = wished = indoor_games = TOLDUS = 'unheard of'") == []


@pytest.mark.parametrize("opening", ["Give the seat.", "Begin.", "Whoever plays.", "Do all of it."])
def test_vague_docstrings_are_noticed(opening: str) -> None:
    """Also those of methods and of the module."""
    assert vague(f"class A:\n    def f(self):\n        '{opening}'") == [opening]
    assert vague(f"'{opening}'") == [opening]
    assert vague("'Return the seat.'") == []
