"""Dataclasses as JSON and back, strictly: what is written is canonical, what is read is checked.

The fields' types say everything. A union of dataclasses is told apart by `"type"`, the class's
name. Unknown, missing and ill-typed fields are errors that name the place. Standard library only.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Said:
...     seat: int
...     text: str
>>> write(Said, Said(1, "hello"))
b'{"seat":1,"text":"hello"}'
>>> read(Said, b'{"seat":1,"text":"hello"}')
Said(seat=1, text='hello')
>>> read(Said, b'{"seat":true,"text":"hello"}')
Traceback (most recent call last):
    ...
catinthebox.game.errors.NotUnderstood: seat: a whole number belongs here, not True
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from ..game import Action, CatInTheBoxError, NotUnderstood

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Kind = Any  # a type as a field declares it: a class, a union, a tuple, a literal
T = TypeVar("T")

TAG: Final = "type"
UNIONS: Final = (Union, types.UnionType)
MAX_BYTES: Final = 65_536  # a limit on everything: no event or message comes near it
MAX_INT: Final = 2**53  # what every JSON reader can hold


def write(kind: Kind, value: object) -> bytes:
    """Write a value of a kind as canonical JSON: sorted keys, no blanks, UTF-8."""
    return _canonical(_plain(kind, value))


def read(kind: Kind, line: bytes, *, canonical: bool = True) -> Any:
    """Read a value of a kind.

    What the project wrote itself is read back `canonical`: the very bytes that `write` gives, with
    every field. What others write may have blanks and leave out fields that have a default.
    """
    made = _made(kind, _parsed(line), "", canonical)
    if canonical and write(kind, made) != line:
        raise NotUnderstood("input.json", "not in canonical form: sorted keys, no blanks, UTF-8")
    return made


def _canonical(value: Json) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode()


def _parsed(line: bytes) -> Json:
    if len(line) > MAX_BYTES:
        raise NotUnderstood("input.line", f"longer than {MAX_BYTES} bytes")
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


def _origin(kind: Kind) -> Kind:
    """Tuple, union or literal; None for a plain class."""
    return get_origin(kind)


@cache
def _fields(kind: Kind) -> dict[str, tuple[Kind, bool]]:
    """The fields of a dataclass: their kinds, and whether they must be given."""
    hints = get_type_hints(kind)
    return {field.name: (hints[field.name], field.default is MISSING) for field in fields(kind)}


@cache
def _options(kind: Kind) -> dict[str, Kind]:
    """The dataclasses of a union by their tags; nothing for any other kind."""
    if _origin(kind) not in UNIONS:
        return {}
    found: list[Kind] = [option for option in get_args(kind) if is_dataclass(option)]
    return {option.__name__: option for option in found}


@cache
def _maybe(kind: Kind) -> Kind:
    """The kind X of a field that is X or None; None for any other kind."""
    if _origin(kind) not in UNIONS or type(None) not in get_args(kind):
        return None
    (found,) = (option for option in get_args(kind) if option is not type(None))
    return found


# ── Writing ──────────────────────────────────────────────────────────────────────────────────


def _plain(kind: Kind, value: Any) -> Json:
    maybe = _maybe(kind)
    if maybe is not None:
        return None if value is None else _plain(maybe, value)
    if kind is Action:
        return str(value)
    if _origin(kind) is tuple:
        return [_plain(get_args(kind)[0], item) for item in value]
    options = _options(kind)
    if options or is_dataclass(kind):
        shown: dict[str, Json] = {TAG: type(value).__name__} if options else {}
        own: Kind = type(value)
        for name, (inner, _) in _fields(own).items():
            shown[name] = _plain(inner, getattr(value, name))
        return shown
    plain: Json = value
    return plain


# ── Reading ──────────────────────────────────────────────────────────────────────────────────


def _made(kind: Kind, value: Json, path: str, whole: bool) -> Any:
    maybe = _maybe(kind)
    if maybe is not None:
        return None if value is None else _made(maybe, value, path, whole)
    if _origin(kind) is tuple:
        items = _a(list, value, "a list", path)
        inner = get_args(kind)[0]
        return tuple(_made(inner, item, f"{path}[{i}]", whole) for i, item in enumerate(items))
    if _origin(kind) is Literal:
        return _one_of(get_args(kind), value, path)
    if _options(kind) or is_dataclass(kind):
        return _dataclass(kind, _a(dict, value, "an object", path), path, whole)
    return SIMPLE[kind](value, path)


def _dataclass(kind: Kind, value: dict[str, Json], path: str, whole: bool) -> Any:
    options = _options(kind)
    if options:
        kind = options[_one_of(tuple(options), value.get(TAG), _under(path, TAG), "input.type")]
        value = {name: item for name, item in value.items() if name != TAG}
    known = _fields(kind)
    unknown = sorted(set(value) - set(known))
    missing = [name for name, (_, needed) in known.items() if name not in value]
    missing = [name for name in missing if whole or known[name][1]]
    if unknown or missing:
        raise NotUnderstood("input.field", _field_sentence(kind.__name__, unknown, missing, path))
    return kind(**{n: _made(known[n][0], v, _under(path, n), whole) for n, v in value.items()})


def _field_sentence(kind: str, unknown: list[str], missing: list[str], path: str) -> str:
    words = [f"unknown field {', '.join(unknown)[:60]!r}"] if unknown else []
    words += [f"missing field {', '.join(missing)!r}"] if missing else []
    return f"{path or kind}: {'; '.join(words)}"


def _under(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _a(kind: type[T], value: object, words: str, path: str) -> T:
    if not isinstance(value, kind) or isinstance(value, bool) is not (kind is bool):
        sentence = f"{path or 'here'}: {words} belongs here, not {value!r:.40}"
        raise NotUnderstood("input.value", sentence)
    return value


def _one_of(options: tuple[str, ...], value: object, path: str, code: str = "input.value") -> str:
    if not isinstance(value, str) or value not in options:
        sentence = f"{path or 'here'}: {value!r:.40} is none of {', '.join(options)}"
        raise NotUnderstood(code, sentence)
    return value


def _number(value: object, path: str) -> int:
    number = _a(int, value, "a whole number", path)
    if abs(number) > MAX_INT:
        raise NotUnderstood("input.value", f"{path}: the number is too large")
    return number


def _text(value: object, path: str) -> str:
    text = _a(str, value, "a text", path)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NotUnderstood("input.value", f"{path}: the text is not Unicode") from None
    return text


def _truth(value: object, path: str) -> bool:
    return _a(bool, value, "true or false", path)


def _action(value: object, path: str) -> Action:
    try:
        return Action(_text(value, path))
    except CatInTheBoxError as error:
        raise NotUnderstood(error.code, f"{path}: {error.message}", error.clause) from None


SIMPLE: Final[dict[Kind, Callable[[object, str], object]]] = {
    int: _number,
    str: _text,
    bool: _truth,
    Action: _action,
}
