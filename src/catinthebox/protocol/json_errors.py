"""What is wrong with a line of JSON, in words: the place, and what belongs there.

This is the slow way to read, for lines that the quick one refused or doubts. It knows more about
JSON than it must: a key that appears twice, numbers that other readers could not hold, texts that
are not Unicode.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final, TypeVar

from msgspec import inspect

from ..game import Action, CatInTheBoxError, NotUnderstood
from ..game.errors import shortened
from .fields import MAX_INT

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Kind = inspect.Type
T = TypeVar("T")


def check(kind: Kind, line: bytes, *, whole: bool) -> None:
    """Raise an error that names the first fault; `whole` if defaults must be written, too."""
    _check(kind, parsed(line), "", whole)


def parsed(line: bytes) -> Json:
    """Read JSON as strictly as it can be meant: every key once, nothing but numbers for numbers."""
    try:
        found: Json = json.loads(line.decode(), object_pairs_hook=_once, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise NotUnderstood("input.json", f"not JSON: {error!s:.80}") from None
    return found


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise ValueError("a key appears twice")
    return dict(pairs)


def _refuse(constant: str) -> Json:
    raise ValueError(f"{constant} is not JSON")


# ── Kinds ────────────────────────────────────────────────────────────────────────────────────


def _check(kind: Kind, value: Json, path: str, whole: bool) -> None:
    match kind:
        case inspect.Metadata(inner):
            _check(inner, value, path, whole)
        case inspect.UnionType():
            _union(kind, value, path, whole)
        case inspect.StructType():
            _struct(kind, _a(dict, value, "an object", path), path, whole)
        case inspect.VarTupleType(inner):
            for place, item in enumerate(_a(list, value, "a list", path)):
                _check(inner, item, f"{path}[{place}]", whole)
        case inspect.LiteralType(values):
            _one_of(tuple(map(str, values)), value, path)
        case _:
            SIMPLE[type(kind)](kind, value, path)


def _union(kind: inspect.UnionType, value: Json, path: str, whole: bool) -> None:
    """Structs that are told apart by their tags, or one kind that may be null."""
    if kind.includes_none and value is None:
        return None
    options = [option for option in kind.types if not isinstance(option, inspect.NoneType)]
    tags = {option.tag: option for option in options if isinstance(option, inspect.StructType)}
    if len(options) == 1:
        return _check(options[0], value, path, whole)
    fields = _a(dict, value, "an object", path)
    tag = _one_of(tuple(map(str, tags)), fields.get("type"), _under(path, "type"), "input.type")
    return _struct(tags[tag], fields, path, whole)


def _struct(kind: inspect.StructType, value: dict[str, Json], path: str, whole: bool) -> None:
    known = {field.encode_name: field for field in kind.fields}
    if kind.tag is not None:
        _one_of((str(kind.tag),), value.get("type"), _under(path, "type"), "input.type")
        value = {name: item for name, item in value.items() if name != "type"}
    unknown = sorted(set(value) - set(known))
    missing = [name for name in known if name not in value]
    missing = [name for name in missing if whole or known[name].required]
    if unknown or missing:
        sentence = _field_sentence(kind.cls.__name__, unknown, missing, path)
        raise NotUnderstood("input.field", sentence)
    for name, item in value.items():
        _check(known[name].type, item, _under(path, name), whole)


def _field_sentence(kind: str, unknown: list[str], missing: list[str], path: str) -> str:
    words = [f"unknown field {', '.join(unknown)[:60]!r}"] if unknown else []
    words += [f"missing field {', '.join(missing)!r}"] if missing else []
    return f"{path or kind}: {'; '.join(words)}"


def _under(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


# ── Values ───────────────────────────────────────────────────────────────────────────────────


def _a(kind: type[T], value: object, words: str, path: str) -> T:
    if not isinstance(value, kind) or isinstance(value, bool) is not (kind is bool):
        sentence = f"{path or 'here'}: {words} belongs here, not {shortened(value)}"
        raise NotUnderstood("input.value", sentence)
    return value


def _one_of(options: tuple[str, ...], value: object, path: str, code: str = "input.value") -> str:
    if not isinstance(value, str) or value not in options:
        sentence = f"{path or 'here'}: {shortened(value)} is none of {', '.join(options)}"
        raise NotUnderstood(code, sentence)
    return value


def _number(kind: Kind, value: Json, path: str) -> None:
    number = _a(int, value, "a whole number", path)
    assert isinstance(kind, inspect.IntType)
    low = -MAX_INT if kind.ge is None else kind.ge
    high = MAX_INT if kind.le is None else kind.le
    if abs(number) > MAX_INT:
        raise NotUnderstood("input.value", f"{path}: the number is too large")
    if not low <= number <= high:
        bounds = f"from {low} to {high}" if high < MAX_INT else f"of {low} or more"
        sentence = f"{path}: a number {bounds} belongs here, not {number}"
        raise NotUnderstood("input.value", sentence)


def _text(kind: Kind, value: Json, path: str) -> None:
    text = _a(str, value, "a text", path)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NotUnderstood("input.value", f"{path}: the text is not Unicode") from None


def _truth(kind: Kind, value: Json, path: str) -> None:
    _a(bool, value, "true or false", path)


def _action(kind: Kind, value: Json, path: str) -> None:
    _text(kind, value, path)
    try:
        Action(str(value))
    except CatInTheBoxError as error:
        raise NotUnderstood(error.code, f"{path}: {error.message}", error.clause) from None


SIMPLE: Final[dict[type[Kind], Callable[[Kind, Json, str], None]]] = {
    inspect.IntType: _number,
    inspect.StrType: _text,
    inspect.BoolType: _truth,
    inspect.CustomType: _action,
}
