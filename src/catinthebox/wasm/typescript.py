"""The TypeScript side of the module: its functions, and what a client must know."""

from __future__ import annotations

import hashlib
import inspect
import json
from typing import Final

from . import facts
from .kinds import Kind
from .module import WasmModule
from .source import Rule

EXACT: Final = 1 << 53  # integers beyond it are no numbers of JavaScript
WIDTH: Final = 110
GIVEN: Final = {
    Kind.INT: "Int",
    Kind.BOOL: "boolean",
    Kind.FLOAT: "number",
    Kind.ROW: "Row",
    Kind.FLOATS: "Floats",
    Kind.TABLE: "Table",
}
RETURNED: Final = {
    Kind.INT: "bigint",
    Kind.BOOL: "number",
    Kind.FLOAT: "number",
    Kind.NOTHING: "void",
}
LETTERS: Final = {
    Kind.INT: "i",
    Kind.BOOL: "b",
    Kind.FLOAT: "f",
    Kind.ROW: "r",
    Kind.FLOATS: "r",
    Kind.TABLE: "t",
}
TYPES: Final = """\
/** An integer: a bigint, or a number that is exact. */
export type Int = bigint | number;
/** Integers of 64 bits in the module's memory: where they begin, and how many. */
export interface Row {
  readonly ptr: number;
  readonly len: number;
}
/** Floating-point numbers in the module's memory. */
export interface Floats {
  readonly ptr: number;
  readonly len: number;
}
/** `len` rows one after another, each of `width` integers. */
export interface Table {
  readonly ptr: number;
  readonly len: number;
  readonly width: number;
}
"""


def typescript(program: WasmModule, module: bytes) -> str:
    """Return the declarations of a module of the rules."""
    digest = hashlib.sha256(module).hexdigest()
    return "\n".join(
        [
            "// Generated from the rules by `catinthebox wasm`; do not edit.",
            "",
            *_facts(digest),
            TYPES,
            *_functions(program),
            *_passed(program),
        ]
    )


# ── Facts ────────────────────────────────────────────────────────────────────────────────────


def _facts(digest: str) -> list[str]:
    face = "{ readonly text: string; readonly touch: readonly bigint[] }"
    pair = "readonly [number, number]"
    names = ("points", "paradox", "bonus")
    correction = f"{{ {'; '.join(f'readonly {name}: {pair}' for name in names)} }}"
    limits = "readonly rollouts: number | null; readonly ms: number | null"
    level = (
        f"{{ readonly name: LevelName; readonly kind: number; readonly slips: number; {limits} }}"
    )
    return [
        "/** The module's SHA-256, in hexadecimal. */",
        _constant("DIGEST", digest),
        "",
        "// Slots of a round, and the numbers of the rules.",
        *(_constant(name, fact) for name, fact in facts.constants().items()),
        "",
        "/** The faces: as text, and for every cell the set of cells that it touches. */",
        _names("FaceName", facts.faces()),
        _constant("FACES", facts.faces(), f"Readonly<Record<FaceName, {face}>>"),
        "/** The faces that go with a number of players, the usual one first (R31). */",
        _constant("FACES_FOR", facts.faces_for(), "Readonly<Record<number, readonly FaceName[]>>"),
        "/** The weights of `careful`, by the number of players. */",
        _constant("WEIGHTS", facts.weights(), "readonly (readonly number[])[]"),
        "/** What is noted about the end of a round: the columns, and how many. */",
        _constant("PROSPECT", facts.columns()),
        "/** The search for a way around a paradox: the rows that it needs, and its answers. */",
        _constant("ESCAPE", facts.escapes()),
        "/** The version of the coach: reviews by another one may judge differently. */",
        _constant("COACH", facts.coach()),
        "/** How the coach corrects what careful rollouts expect, by the number of players. */",
        _constant("CORRECTIONS", facts.corrections(), f"Readonly<Record<number, {correction}>>"),
        "/** The levels of bots: the kind of player behind each (`*_KIND`), and its parameters. */",
        _names("LevelName", facts.levels()),
        _constant("LEVELS", facts.levels(), f"Readonly<Record<LevelName, {level}>>"),
        "",
    ]


def _constant(name: str, fact: object, form: str = "") -> str:
    if isinstance(fact, list | tuple):
        form = form or "readonly number[]"
    return f"export const {name}{f': {form}' if form else ''} = {value(fact)};"


def _names(form: str, named: dict[str, object]) -> str:
    return f"export type {form} = {' | '.join(map(json.dumps, named))};"


def value(fact: object) -> str:
    """Write a value as TypeScript does; large integers, and rows with one, as bigints.

    >>> value([1, 1 << 60]), value({"a": 0.5, "b c": (1, 2)})
    ('[1n, 1152921504606846976n]', '{ a: 0.5, "b c": [1, 2] }')
    """
    match fact:
        case list() | tuple():
            return f"[{', '.join(_row(list(fact)))}]"
        case dict():
            return f"{{ {', '.join(f'{_key(key)}: {value(each)}' for key, each in fact.items())} }}"
        case float() if fact.is_integer():
            return str(int(fact))
        case int() if not isinstance(fact, bool) and abs(fact) >= EXACT:
            return f"{fact}n"
    return json.dumps(fact, ensure_ascii=False)


def _row(items: list[object]) -> list[str]:
    if any(isinstance(item, int) and abs(item) >= EXACT for item in items):
        return [f"{item}n" for item in items]
    return [value(item) for item in items]


def _key(key: object) -> str:
    text = str(key)
    return text if text.isidentifier() or text.isdigit() else json.dumps(text)


# ── Functions ────────────────────────────────────────────────────────────────────────────────


def _functions(program: WasmModule) -> list[str]:
    lines = ["/** The functions of the module. */", "export interface Rules {"]
    for name, rule in program.exported.items():
        lines.append(f"  /** {(inspect.getdoc(rule.function) or name).splitlines()[0]} */")
        lines += _signature(name, rule)
    return [*lines, "}", ""]


def _signature(name: str, rule: Rule) -> list[str]:
    given = [f"{param}: {GIVEN[kind]}" for param, kind in rule.params.items()]
    returned = RETURNED[rule.result]
    line = f"  {name}({', '.join(given)}): {returned};"
    if len(line) <= WIDTH:
        return [line]
    return [f"  {name}(", *(f"    {each}," for each in given), f"  ): {returned};"]


def _passed(program: WasmModule) -> list[str]:
    """How the arguments of each function become values: a letter each (docs/wasm.md)."""
    lines = [
        "/**",
        " * How arguments are passed: i, b and f as they are, r as an address,",
        " * t as an address and the bytes of a row; l after one of them as its length, too.",
        " */",
        "export const PASSED: Readonly<Record<keyof Rules, string>> = {",
    ]
    for name, rule in program.exported.items():
        lines.append(f'  {name}: "{passed(rule)}",')
    return [*lines, "};", ""]


def passed(rule: Rule) -> str:
    """How the arguments of a rule are passed, as letters."""
    return "".join(
        LETTERS[kind] + ("l" if param in rule.measured else "")
        for param, kind in rule.params.items()
    )
