"""The module as a file: small, the same bytes everywhere, with all that it promises."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import sys
from pathlib import Path

import pytest
import wasmtime
from waiting import completed
from wasm.engines import compiled

from catinthebox.game.edition import STANDARD
from catinthebox.game.face import Face
from catinthebox.players import LEVELS
from catinthebox.rules import layout
from catinthebox.rules.counts import COVERED, DEALT, RANKS, TRICKS
from catinthebox.tactics.weights import WEIGHTS
from catinthebox.wasm.exports import EXPORTS
from catinthebox.wasm.module import MOST_PAGES
from catinthebox.wasm.typescript import passed, typescript
from catinthebox.wasm.write import write

LARGEST = 25_000  # bytes in gzip
VALUES = {"i": "i64", "f": "f64", "b": "i32", "r": "i32", "l": "i32", "t": "i32 i32"}


@pytest.fixture(scope="module")
def declarations() -> str:
    """The TypeScript declarations."""
    return typescript(*compiled())


def constant(declarations: str, name: str) -> str:
    """The value of a constant as it is written."""
    found = re.search(rf"^export const {name}(: .*?)? = (.*);$", declarations, re.M)
    assert found, name
    return found[2]


def test_it_is_small() -> None:
    """A page loads it beside its script."""
    assert len(gzip.compress(compiled()[1], 9)) <= LARGEST


def test_it_needs_nothing_and_is_bounded() -> None:
    """No imports: it can call nothing of its host. Its memory has a limit."""
    module = wasmtime.Module(wasmtime.Engine(), compiled()[1])
    assert list(module.imports) == []
    (memory,) = (each.type for each in module.exports if each.name == "memory")
    assert isinstance(memory, wasmtime.MemoryType)
    assert memory.limits.max == MOST_PAGES


def test_every_promised_function_is_there() -> None:
    """By unique names."""
    names = [name for names in EXPORTS.values() for name in names.split()]
    module = wasmtime.Module(wasmtime.Engine(), compiled()[1])
    exports = [each.name for each in module.exports]
    assert len(exports) == len(set(exports)) == len(names) + len(["memory", "heap"])


@pytest.mark.process
@pytest.mark.parametrize("seed", ["0", "1", "random"])
def test_the_bytes_do_not_depend_on_hashes(tmp_path: Path, seed: str) -> None:
    """The same module from another process with another order of sets."""
    command = [sys.executable, "-m", "catinthebox.wasm", str(tmp_path)]
    completed(command, env={"PYTHONHASHSEED": seed})
    assert (tmp_path / "rules.wasm").read_bytes() == compiled()[1]
    assert (tmp_path / "rules.ts").read_text("utf-8") == typescript(*compiled())


def test_unchanged_files_stay_untouched(tmp_path: Path) -> None:
    """What watches them for changes is not woken."""
    paths = write(tmp_path / "new" / "folder")
    before = [path.stat().st_ino for path in paths]
    assert write(tmp_path / "new" / "folder") == paths
    assert [path.stat().st_ino for path in paths] == before
    paths[0].write_bytes(b"damaged")
    write(tmp_path / "new" / "folder")
    assert paths[0].read_bytes() == compiled()[1]


# ── Declarations ─────────────────────────────────────────────────────────────────────────────


def test_declared_constants_are_those_of_the_rules(declarations: str) -> None:
    """Slots, counts, weights, the digest of the module."""
    digest = hashlib.sha256(compiled()[1]).hexdigest()
    assert json.loads(constant(declarations, "DIGEST")) == digest
    for name in ("HAND", "LEGAL", "SIZE", "NOBODY"):
        assert int(constant(declarations, name)) == getattr(layout, name)
    assert constant(declarations, "BOARD") == f"{layout.BOARD}n"
    for name, row in (("TRICKS", TRICKS), ("COVERED", COVERED), ("RANKS", RANKS)):
        assert json.loads(constant(declarations, name)) == [*row]
    assert json.loads(constant(declarations, "WEIGHTS")) == [[*row] for row in WEIGHTS]


def test_tricks_follow_from_the_cards_dealt() -> None:
    """There are two tricks fewer than cards (R7, R19)."""
    assert [max(0, dealt - 2) for dealt in DEALT] == [*TRICKS]


def test_declared_faces_and_levels(declarations: str) -> None:
    """Faces as text and as cells that touch; levels with their parameters."""
    faces = constant(declarations, "FACES")
    for name in ("white", "black", "purple"):
        face = Face.named(name)
        touch = ", ".join(f"{cells}n" for cells in face.touch)
        assert f"{name}: {{ text: {json.dumps(str(face))}, touch: [{touch}] }}" in faces
    for players, names in STANDARD.faces.items():
        assert f"{players}: {json.dumps(names)}" in constant(declarations, "FACES_FOR")
    levels = constant(declarations, "LEVELS")
    for level in LEVELS.values():
        assert f'name: "{level.name}"' in levels


def test_declared_functions(declarations: str) -> None:
    """Each with its types, and with the letters of how its arguments are passed."""
    program, _ = compiled()
    assert "  act(s: Row, seat: Int, action: Int): void;" in declarations
    assert "  time_share(t: Row): number;" in declarations
    assert passed(program.exported["walk"]) == "trtir"


def test_declared_letters_are_the_types_of_the_module(declarations: str) -> None:
    """As many values of these types as the module takes: a table has two, a length is another."""
    module = wasmtime.Module(wasmtime.Engine(), compiled()[1])
    types = {each.name: each.type for each in module.exports}
    functions = {name: one for name, one in types.items() if isinstance(one, wasmtime.FuncType)}
    _, _, table = declarations.partition("export const PASSED")
    letters = dict(re.findall(r'^  (\w+): "(\w*)",$', table, re.M))
    assert letters.keys() == functions.keys()
    for name, function in functions.items():
        expected = [one for letter in letters[name] for one in VALUES[letter].split()]
        assert [str(one) for one in function.params] == expected, name
