"""TypeScript types from JSON Schema, for the part of it that our own schemas use.

Objects become interfaces, unions keep their names, optional fields have a question mark. Every
field is `readonly`: clients do not change messages.

>>> print(module({"Card": {"type": "object", "description": "A card.", "required": ["rank"],
...     "properties": {"rank": {"type": "integer"}, "color": {"enum": ["r", "b"]}}}}))
// Made by `python -m catinthebox.server.http.documents types`; changes here are lost.
<BLANKLINE>
/** A card. */
export interface Card {
  readonly rank: number;
  readonly color?: "r" | "b";
}
<BLANKLINE>
>>> expression({"type": "array", "items": {"anyOf": [{"type": "null"}, {"type": "string"}]}})
'readonly (string | null)[]'
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from .schema import Schema

HEAD: Final = (
    "// Made by `python -m catinthebox.server.http.documents types`; changes here are lost."
)
SIMPLE: Final = {
    **{"integer": "number", "number": "number", "string": "string"},
    **{"boolean": "boolean", "null": "null"},
    "object": "{ readonly [field: string]: unknown }",  # its fields are described elsewhere
}
WIDTH: Final = 100


def module(schemas: Mapping[str, Schema]) -> str:
    """Return the source of a module with a type for each schema, in their order."""
    parts = ["\n".join(_declaration(name, schema)) for name, schema in schemas.items()]
    return "\n\n".join([HEAD, *parts]) + "\n"


def expression(schema: Schema) -> str:
    """Return the TypeScript type of the values that a schema describes."""
    match schema:
        case {"$ref": ref}:
            return str(ref).rpartition("/")[2]
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return _either(map(json.dumps, values))
        case {"oneOf": options} | {"anyOf": options}:
            return _either(map(expression, options))
        case {"type": "array"}:
            return _list(schema)
        case {"type": str(kind)} if kind in SIMPLE:
            return SIMPLE[kind]
    raise NotImplementedError(f"no type for {schema!r:.80}")


def _list(schema: Schema) -> str:
    if "prefixItems" in schema:  # a tuple
        return f"readonly [{', '.join(map(expression, schema['prefixItems']))}]"
    inner = expression(schema["items"])
    return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"


def _either(options: Iterable[str]) -> str:
    """Return a union type, null last."""
    found = dict.fromkeys(options)
    return " | ".join(sorted(found, key=lambda option: option == "null"))


# ── Declarations ─────────────────────────────────────────────────────────────────────────────


def _declaration(name: str, schema: Schema) -> Iterator[str]:
    yield from _comment(_paragraphs(schema), "")
    if "properties" in schema:
        yield f"export interface {name} {{"
        for field, inner in schema["properties"].items():
            yield from _field(field, inner, field in schema.get("required", ()))
        yield "}"
    else:
        yield _alias(name, expression(schema))


def _alias(name: str, union: str) -> str:
    line = f"export type {name} = {union};"
    if len(line) <= WIDTH:
        return line
    options = "".join(f"\n  | {option}" for option in union.split(" | "))
    return f"export type {name} ={options};"


def _field(name: str, schema: Schema, required: bool) -> Iterator[str]:
    yield from _comment(_paragraphs(schema), "  ")
    yield f"  readonly {name}{'' if required else '?'}: {expression(schema)};"


# ── Comments ─────────────────────────────────────────────────────────────────────────────────


def _paragraphs(schema: Schema) -> list[str]:
    """Return the description of a schema, or of what it may be besides null, and its default."""
    text: str = schema.get("description", "")
    for option in () if text else schema.get("anyOf", ()):
        text = text or option.get("description", "")
    default = f"\n\n@default {json.dumps(schema['default'])}" if "default" in schema else ""
    found = f"{text}{default}".replace("*/", "* /").split("\n\n")
    return [" ".join(paragraph.split()) for paragraph in found if paragraph.strip()]


def _comment(paragraphs: list[str], indent: str) -> Iterator[str]:
    if len(paragraphs) == 1 and len(paragraphs[0]) <= WIDTH - len(indent) - 7:
        yield f"{indent}/** {paragraphs[0]} */"
    elif paragraphs:
        yield f"{indent}/**"
        for number, paragraph in enumerate(paragraphs):
            if number and not paragraph.startswith("@"):
                yield f"{indent} *"
            for line in textwrap.wrap(paragraph, WIDTH - len(indent) - 3):
                yield f"{indent} * {line}"
        yield f"{indent} */"
