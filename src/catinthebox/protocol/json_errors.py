"""Translates msgspec's errors into sentences: where it is wrong, what is there, what belongs there.

msgspec validates. Its error names the first wrong place (`$.command.seat`), but neither the value
there nor all that would be right: the tags of a union, the values of a `Literal`, both bounds of a
number. `explained` follows that path through the JSON and through the type, and adds them.

Two faults are found by `parsed` alone: a key that appears twice, which msgspec accepts, and half of
a surrogate pair in a text, which it reports as malformed JSON without a place.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, TypeAlias

from msgspec import ValidationError, inspect

from ..game import CatInTheBoxError, NotUnderstood
from ..game.errors import quoted, shortened, shortened_json

JsonValue: TypeAlias = Any
PATH: Final = re.compile(r" - at `\$\.?([^`]*)`$")
STEP: Final = re.compile(r"(\w+)|\[(\d+)\]")
FIELD: Final = re.compile(r"Object (?:contains )?(unknown|missing)(?: required)? field `([^`]*)")
NOT_UNICODE: Final = re.compile(r"[\ud800-\udfff]")
NO_NAME: Final = re.compile(r"[`\ud800-\udfff]")  # msgspec puts names between backticks
WORDS: Final[dict[type[inspect.Type], str]] = {
    inspect.BoolType: "true or false",
    inspect.CustomType: "a text",  # an action
    inspect.IntType: "a whole number",
    inspect.NoneType: "null",
    inspect.StrType: "a text",
    inspect.StructType: "an object",
    inspect.VarTupleType: "a list",
}


def explained(error: Exception, kind: inspect.Type, text: bytes) -> NotUnderstood:
    """Return what to say about a JSON text that msgspec refused; raise it if it is not JSON."""
    value = parsed(text)
    if not isinstance(error, ValidationError):  # JSON for Python, but not for msgspec
        return NotUnderstood("input.value", "a text is not Unicode")
    path, field = "".join(PATH.findall(str(error))), FIELD.match(str(error))
    reason = error.__cause__ and error.__cause__.__cause__
    if isinstance(reason, CatInTheBoxError):  # it is not an action
        return NotUnderstood(reason.code, f"{path}: {reason.message}", reason.clause)
    if field is None:
        return _wrong_value(path, *_at(path, kind, value))
    if field.groups() == ("missing", "type"):  # a tag
        path = f"{path}.type".removeprefix(".")
        (tags,), _ = _at(path, kind, value)
        assert isinstance(tags, inspect.LiteralType)
        return NotUnderstood("input.type", f"{path}: missing; it is one of {_listed(tags)}")
    known = ", ".join(_fields(*_at(path, kind, value)))
    sentence = f"{field[1]} field {shortened(field[2])}; the fields are {known}"
    return NotUnderstood("input.field", f"{path}: {sentence}" if path else sentence)


def parsed(text: bytes) -> JsonValue:
    """Parse JSON strictly: every key once, texts in Unicode, no NaN."""
    try:
        return json.loads(text.decode(), object_pairs_hook=_object, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise NotUnderstood("input.json", f"not JSON: {error!s:.80}") from None


def _object(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {}
    for key, value in pairs:
        if NO_NAME.search(key):
            raise NotUnderstood("input.field", f"unknown field {shortened(key)}")
        if key in found:
            raise ValueError(f"the key {shortened(key)} appears twice")
        if isinstance(value, str) and NOT_UNICODE.search(value):
            raise NotUnderstood("input.value", f"{quoted(key)}: the text is not Unicode")
        found[key] = value
    return found


def _no_number(constant: str) -> JsonValue:
    raise ValueError(f"{constant} is not JSON")


# ── What belongs to a place ──────────────────────────────────────────────────────────────────


def _at(path: str, kind: inspect.Type, value: JsonValue) -> tuple[list[inspect.Type], JsonValue]:
    """Follow a path; return the types of which one belongs there, and the value that is there."""
    options = _options(kind)
    for name, index in STEP.findall(path):
        if index:
            items = [o.item_type for o in options if isinstance(o, inspect.VarTupleType)]
            options, value = _options(items[0]), value[int(index)]
        else:
            options, value = _options(_fields(options, value)[name]), value.get(name)
    return options, value


def _fields(options: list[inspect.Type], value: JsonValue) -> dict[str, inspect.Type]:
    """Return the types of an object's fields; its tag is one of the tags of all structs."""
    structs = {kind.tag: kind for kind in options if isinstance(kind, inspect.StructType)}
    struct = structs.get(None) or structs.get(str(value.get("type")))
    found = {field.encode_name: field.type for field in (struct.fields if struct else ())}
    tags = tuple(str(tag) for tag in structs if tag is not None)
    return {"type": inspect.LiteralType(tags), **found} if tags else found


def _options(kind: inspect.Type) -> list[inspect.Type]:
    """Return the types of which one is meant, without what the schema says about them."""
    if isinstance(kind, inspect.Metadata):
        return _options(kind.type)
    if isinstance(kind, inspect.UnionType):
        return [option for part in kind.types for option in _options(part)]
    return [kind]


def _wrong_value(path: str, options: list[inspect.Type], value: JsonValue) -> NotUnderstood:
    """Say what belongs to a place, and what is there."""
    if isinstance(options[0], inspect.LiteralType):
        sentence = f"{shortened_json(value)} is none of {_listed(options[0])}"
    else:
        words = dict.fromkeys(_words(kind, value) for kind in options)  # each once
        sentence = f"{' or '.join(words)} belongs here, not {shortened_json(value)}"
    code = "input.type" if f".{path}".endswith(".type") else "input.value"
    return NotUnderstood(code, f"{path}: {sentence}" if path else sentence)


def _listed(words: inspect.LiteralType) -> str:
    return ", ".join(map(str, words.values))


def _words(kind: inspect.Type, value: JsonValue) -> str:
    """Describe a type; with its limits, if the value is of that type and beyond them."""
    words = WORDS[type(kind)]
    if isinstance(kind, inspect.IntType) and type(value) is int:
        return f"{words} from {kind.ge} to {kind.le}"
    if isinstance(kind, inspect.VarTupleType) and isinstance(value, list):
        return f"{words} of at most {kind.max_length}"
    if isinstance(kind, inspect.StrType) and isinstance(value, str):
        return f"{words} that matches {kind.pattern}"
    return words
