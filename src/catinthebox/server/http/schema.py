"""JSON Schema of all messages and HTTP bodies, made from the classes that read and write them.

Clients may leave out fields that have a default; the server always writes every field. So a class
that is sent both ways is described twice: `WantedSettings` is what a client may send, `Settings`
what the server sends.

>>> stream()["$defs"]["Done"]["properties"]["type"]
{'const': 'Done'}
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from inspect import cleandoc
from typing import Any, Final, TypeAlias, get_args

import msgspec

from ...protocol.announcements import Announcement
from ...protocol.commands import ClientCommand
from ...protocol.fields import schema_of
from ...protocol.messages import News
from ...protocol.parts import Shared
from ...protocol.stream import FromClient, FromServer

Schema: TypeAlias = dict[str, Any]
"""A JSON Schema, or a part of an OpenAPI document."""
Schemas: TypeAlias = dict[str, Schema]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
IN_STREAM, IN_OPENAPI = "#/$defs/{name}", "#/components/schemas/{name}"  # templates of references
UNIONS: Final[dict[str, tuple[object, str]]] = {
    "FromClient": (FromClient, "A message from a client."),
    "FromServer": (FromServer, "A message from the server."),
    "ClientCommand": (ClientCommand, "What a client may ask of a table."),
    "News": (News, "A part of a frame that everybody sees."),
    "Announcement": (Announcement, "Something that happened, for clients to show."),
    "Shared": (Shared, "A part of the table that has changed, whole."),
}


def _name_of(kind: type[msgspec.Struct]) -> str:
    """Return the name that a struct has in every description: its tag, if it has one."""
    return str(kind.__struct_config__.tag or kind.__name__)


_NAMES: Final = {
    frozenset(map(_name_of, get_args(union))): name for name, (union, _) in UNIONS.items()
}


def stream() -> Schema:
    """Return the JSON Schema of the messages of a connection, in both directions."""
    found = definitions((), (), IN_STREAM)
    return {
        "$schema": DIALECT,
        "title": "The stream of a table",
        "description": "Any message of a connection: a WebSocket carries them both ways, NDJSON "
        "over HTTP those from the server. Clients write whole numbers without a fraction "
        "and no key twice: JSON Schema cannot say so.",
        "oneOf": [{"$ref": IN_STREAM.format(name=name)} for name in ("FromClient", "FromServer")],
        "$defs": {name: found[name] for name in reachable(found, UNIONS)},
    }


def definitions(requests: Iterable[type], answers: Iterable[type], ref: str) -> Schemas:
    """Return the schemas of all messages and of some HTTP bodies, by name.

    `ref` is the template of a reference to a name.
    """
    received = _describe((*get_args(FromClient), *requests), ref)
    sent = _describe((*get_args(FromServer), *answers), ref)
    sent = {name: _all_required(schema) for name, schema in sent.items()}
    renamed = {
        name: f"Wanted{name}"
        for name in received.keys() & sent.keys()
        if any(received[part] != sent[part] for part in reachable(received, [name]))
    }
    return {renamed.get(name, name): _rename(received[name], renamed) for name in received} | sent


def reachable(schemas: Schemas, names: Iterable[str]) -> list[str]:
    """Return some names, and every name that their schemas refer to."""
    found = list(dict.fromkeys(names))
    for name in found:  # the list grows meanwhile
        found.extend(dict.fromkeys(other for other in _refs(schemas[name]) if other not in found))
    return found


# ── From classes to schemas ──────────────────────────────────────────────────────────────────


def _describe(kinds: Iterable[type], ref: str) -> Schemas:
    """Describe structs, everything in them, and the unions of them that have a name."""
    _, found = msgspec.json.schema_components(kinds, schema_hook=schema_of, ref_template=ref)
    tags = {name: _tag(schema, name) for name, schema in found.items()}
    structs = {tags[name]: _simplify(_rename(schema, tags), ref) for name, schema in found.items()}
    unions = {
        name: _union(name, members, ref)
        for members, name in _NAMES.items()
        if members <= structs.keys()
    }
    return structs | unions


def _tag(schema: Schema, name: str) -> str:
    tag: str = schema.get("properties", {}).get("type", {}).get("enum", [name])[0]
    return tag


def _union(name: str, members: Collection[str], ref: str) -> Schema:
    union, description = UNIONS[name]
    refs = [{"$ref": ref.format(name=_name_of(kind))} for kind in get_args(union)]
    assert len(refs) == len(members)
    return {"title": name, "description": description, "oneOf": refs}


def _simplify(schema: Any, ref: str) -> Any:
    """Rewrite msgspec's schema in the usual form: constant tags, named unions, closed objects."""
    if isinstance(schema, list):
        return [_simplify(item, ref) for item in schema]
    if not isinstance(schema, dict):
        return schema
    simple = {key: _simplify(value, ref) for key, value in schema.items()}
    if isinstance(simple.get("description"), str):  # a property may have that name, too
        simple["description"] = cleandoc(simple["description"])  # Python 3.13 has done so already
    match simple:
        case {"enum": [value]}:
            del simple["enum"]
            simple["const"] = value
        case {"anyOf": options, "discriminator": {"mapping": _}}:
            del simple["anyOf"], simple["discriminator"]
            members = frozenset(_refs(options))
            known = members in _NAMES
            simple |= {"$ref": ref.format(name=_NAMES[members])} if known else {"oneOf": options}
        case {"type": "object", "properties": dict()}:
            simple["additionalProperties"] = False
    return simple


def _all_required(schema: Schema) -> Schema:
    """Describe an object in which no field is left out."""
    if "properties" not in schema:
        return schema
    fields = {
        name: {key: value for key, value in field.items() if key != "default"}
        for name, field in schema["properties"].items()
    }
    return schema | {"properties": fields, "required": list(fields)}


def _rename(schema: Schema, names: Mapping[str, str]) -> Schema:
    """Return a schema in which its title and its references have other names."""
    renamed: Schema = _rename_refs(schema, names)
    return renamed | {"title": names.get(schema["title"], schema["title"])}


def _rename_refs(schema: Any, names: Mapping[str, str]) -> Any:
    if isinstance(schema, list):
        return [_rename_refs(item, names) for item in schema]
    if not isinstance(schema, dict):
        return schema
    renamed = {key: _rename_refs(value, names) for key, value in schema.items()}
    if isinstance(renamed.get("$ref"), str):
        place, slash, name = renamed["$ref"].rpartition("/")
        renamed["$ref"] = f"{place}{slash}{names.get(name, name)}"
    return renamed


def _refs(schema: Any) -> Iterator[str]:
    """Iterate over the names that a schema refers to."""
    if isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
        yield schema["$ref"].rpartition("/")[2]
    inner = schema.values() if isinstance(schema, dict) else schema
    for part in inner if isinstance(schema, dict | list) else ():
        yield from _refs(part)
