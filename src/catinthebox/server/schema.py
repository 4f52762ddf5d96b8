"""The protocol for programs: JSON Schema of the stream, OpenAPI document, types for TypeScript.

All three are made from the classes that the server itself reads and writes with (`wire.py`) and
the list of its doors in `openapi.py`. `python -m catinthebox.server.schema stream` prints the
first; `openapi` and `types` print the others; a file named after that is written instead.

Clients may leave out what has a default; the server always writes everything. So what goes both
ways is described twice: `WantedSettings` are what a client asks for, `Settings` what it is told.

>>> stream()["$defs"]["Done"]["properties"]["type"]
{'const': 'Done'}
>>> openapi()["paths"]["/api/v1/token"]["post"]["responses"]["201"]["description"]
'A new token.'
>>> types().partition("export interface Done ")[2].partition("}")[0].split()[:4]
['{', 'readonly', 'type:', '"Done";']
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from inspect import cleandoc
from pathlib import Path
from typing import Any, Final, TypeAlias, get_args

import msgspec

from ..table.happenings import Happening
from ..table.messages import News
from ..table.parts import Shared
from ..table.wire import schema_of
from .openapi import ANSWERS, BODIES, document
from .typescript import module
from .wire import Asked, FromClient, FromServer

Schema: TypeAlias = dict[str, Any]
Schemas: TypeAlias = dict[str, Schema]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
IN_STREAM, IN_OPENAPI = "#/$defs/{name}", "#/components/schemas/{name}"  # where names lead
UNIONS: Final[dict[str, tuple[object, str]]] = {
    "FromClient": (FromClient, "What a client may send on a line."),
    "FromServer": (FromServer, "What the server sends on a line."),
    "Asked": (Asked, "What may be asked of a table."),
    "News": (News, "What a frame tells everybody."),
    "Happening": (Happening, "Something that happened, to be shown."),
    "Shared": (Shared, "A part of the table that is different now, whole."),
}
_NAMES: Final = {
    frozenset(kind.__name__ for kind in get_args(union)): name
    for name, (union, _) in UNIONS.items()
}


# ── The three documents ──────────────────────────────────────────────────────────────────────


def stream() -> Schema:
    """Describe the messages of a line, either way, as JSON Schema."""
    found = definitions(IN_STREAM)
    return {
        "$schema": DIALECT,
        "title": "The stream of a table",
        "description": "Any message on a line; a WebSocket carries them both ways, and a stream of "
        "lines over HTTP those from the server. Clients write whole numbers without a fraction "
        "and no key twice: JSON Schema cannot say so.",
        "oneOf": [{"$ref": IN_STREAM.format(name=name)} for name in ("FromClient", "FromServer")],
        "$defs": {name: found[name] for name in _reached(found, UNIONS)},
    }


def openapi() -> Schema:
    """Describe the HTTP part as an OpenAPI document."""
    found = definitions(IN_OPENAPI)
    names = [kind.__name__ for kind in (*BODIES, *ANSWERS)]
    used = {name: found[name] for name in sorted(_reached(found, names))}
    for schema in used.values():
        if "oneOf" in schema:  # the tags are the names of the schemas
            schema["discriminator"] = {"propertyName": "type"}
    return document(used)


def types() -> str:
    """Describe both as types for TypeScript."""
    found = definitions(IN_STREAM)
    return module({name: found[name] for name in _reached(found, (*UNIONS, *found))})


# ── What is sent, by name ────────────────────────────────────────────────────────────────────


def definitions(ref: str) -> Schemas:
    """Describe everything that is sent, by name; `ref` says where a name leads."""
    asked = _described((*get_args(FromClient), *BODIES), ref)
    told = _described((*get_args(FromServer), *ANSWERS), ref)
    told = {name: _whole(schema) for name, schema in told.items()}
    other = {
        name: f"Wanted{name}"
        for name in asked.keys() & told.keys()
        if any(asked[part] != told[part] for part in _reached(asked, [name]))
    }
    return {other.get(name, name): _renamed(asked[name], other) for name in asked} | told


def _described(kinds: Iterable[type], ref: str) -> Schemas:
    """Describe structs, everything in them, and the unions of them that have a name."""
    _, found = msgspec.json.schema_components(kinds, schema_hook=schema_of, ref_template=ref)
    structs = {name: _tidy(schema, ref) for name, schema in found.items()}
    unions = {
        name: _union(name, members, ref)
        for members, name in _NAMES.items()
        if members <= structs.keys()
    }
    return structs | unions


def _union(name: str, members: Collection[str], ref: str) -> Schema:
    union, sentence = UNIONS[name]
    refs = [{"$ref": ref.format(name=kind.__name__)} for kind in get_args(union)]
    assert len(refs) == len(members)
    return {"title": name, "description": sentence, "oneOf": refs}


def _tidy(schema: Any, ref: str) -> Any:
    """Say it as others expect it: a tag is a constant, a union has a name, objects are closed."""
    if isinstance(schema, list):
        return [_tidy(item, ref) for item in schema]
    if not isinstance(schema, dict):
        return schema
    tidy = {key: _tidy(value, ref) for key, value in schema.items()}
    if isinstance(tidy.get("description"), str):  # a property may have that name, too
        tidy["description"] = cleandoc(tidy["description"])  # Python 3.13 has done so already
    match tidy:
        case {"enum": [value]}:
            del tidy["enum"]
            tidy["const"] = value
        case {"anyOf": options, "discriminator": {"mapping": _}}:
            del tidy["anyOf"], tidy["discriminator"]
            members = frozenset(_refs(options))
            known = members in _NAMES
            tidy |= {"$ref": ref.format(name=_NAMES[members])} if known else {"oneOf": options}
        case {"type": "object", "properties": dict()}:
            tidy["additionalProperties"] = False
    return tidy


def _whole(schema: Schema) -> Schema:
    """Describe an object in which nothing is left out."""
    if "properties" not in schema:
        return schema
    fields = {
        name: {key: value for key, value in field.items() if key != "default"}
        for name, field in schema["properties"].items()
    }
    return schema | {"properties": fields, "required": list(fields)}


def _renamed(schema: Schema, other: Mapping[str, str]) -> Schema:
    """Give a schema with other names in it."""
    renamed: Schema = _walked(schema, other)
    return renamed | ({"title": other.get(schema["title"], schema["title"])})


def _walked(schema: Any, other: Mapping[str, str]) -> Any:
    if isinstance(schema, list):
        return [_walked(item, other) for item in schema]
    if not isinstance(schema, dict):
        return schema
    walked = {key: _walked(value, other) for key, value in schema.items()}
    if isinstance(walked.get("$ref"), str):
        place, slash, name = walked["$ref"].rpartition("/")
        walked["$ref"] = f"{place}{slash}{other.get(name, name)}"
    return walked


def _reached(schemas: Schemas, names: Iterable[str]) -> list[str]:
    """Give some names, and everything that they lead to."""
    found = list(dict.fromkeys(names))
    for name in found:  # which grows meanwhile
        found.extend(dict.fromkeys(other for other in _refs(schemas[name]) if other not in found))
    return found


def _refs(schema: Any) -> Iterator[str]:
    """Give the names in a schema."""
    if isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
        yield schema["$ref"].rpartition("/")[2]
    inner = schema.values() if isinstance(schema, dict) else schema
    for part in inner if isinstance(schema, dict | list) else ():
        yield from _refs(part)


# ── As texts ─────────────────────────────────────────────────────────────────────────────────


def _json(schema: Schema) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


DOCUMENTS: Final[dict[str, Callable[[], str]]] = {
    "openapi": cache(lambda: _json(openapi())),
    "stream": cache(lambda: _json(stream())),
    "types": cache(types),
}


def main(words: Sequence[str]) -> int:
    """Print a document, or write it to a file."""
    parser = argparse.ArgumentParser(
        prog="python -m catinthebox.server.schema", description="Describe the protocol."
    )
    parser.add_argument("document", choices=DOCUMENTS, help="which description")
    parser.add_argument("file", nargs="?", type=Path, help="where to write it; else it is printed")
    asked = parser.parse_args(words)
    text = DOCUMENTS[asked.document]()
    if asked.file is None:
        sys.stdout.write(text)
    else:
        asked.file.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
