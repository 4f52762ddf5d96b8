"""Small rules for tests of the translation, written as text."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from catinthebox.wasm.module import SMALL, WasmModule
from catinthebox.wasm.source import rules_of

HEAD = """\
from collections.abc import Sequence

from catinthebox.rules.marker import nth_bit, popcount, rule

NUMBERS = (3, 1, 4)
CHANGING = [1, 2]
BIG = 1 << 63
WITH_BIG = (1, (2, -BIG - 1))


"""
FIRST_LINE = HEAD.count("\n") + 1


def module_of(folder: Path, source: str) -> ModuleType:
    """Import a module of rules."""
    path = folder / "sample.py"
    path.write_text(HEAD + source, encoding="utf-8")
    spec = spec_from_file_location("sample", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def translated(module: ModuleType, small: int = SMALL) -> tuple[WasmModule, bytes]:
    """Translate a module of rules; all of them are exported."""
    found = list(rules_of(module))
    program = WasmModule(found, {rule.function.__name__: rule for rule in found}, small)
    return program, program.build()
