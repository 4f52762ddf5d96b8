"""An error in a message is named by its place, by what is there, and by what belongs there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import inspect
from msgspec.inspect import type_info

from catinthebox import NotUnderstood
from catinthebox.game.errors import shortened, shortened_json
from catinthebox.protocol.codec import Codec
from catinthebox.protocol.commands import CommandBody, Say
from catinthebox.protocol.lobby import OpenTable
from catinthebox.protocol.messages import Message
from catinthebox.protocol.replays import ToReplay
from catinthebox.protocol.stream import Do, FromClient
from catinthebox.table.events import Entry

KINDS: Final[tuple[Any, ...]] = (
    *(FromClient, CommandBody, OpenTable, ToReplay),  # from clients
    *(Message, Entry),  # from servers, and from logs
)
"""Everything that is read with explanations."""

WRONG: Final[tuple[Any, ...]] = (
    None,
    True,
    7.5,
    2**60,
    -(2**60),
    2**80,
    "?",
    "n" * 99,
    [],
    [[]],
    {},
)
"""Values of every type of JSON, of which at most one type fits anywhere."""


class Place(NamedTuple):
    """A place in a document, and the types of which one belongs there."""

    path: tuple[str | int, ...]
    options: list[inspect.Type]

    @property
    def name(self) -> str:
        """The place as errors write it."""
        steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path]
        return "".join(steps).removeprefix(".")

    @property
    def prefix(self) -> str:
        """How errors about this place begin."""
        return f"{self.name}: " if self.name else ""

    @property
    def tag(self) -> str:
        """The place of the tag of an object here."""
        return f"{self.name}.type" if self.name else "type"

    @property
    def structs(self) -> list[inspect.StructType]:
        """The structs that belong here."""
        return [kind for kind in self.options if isinstance(kind, inspect.StructType)]


def options(kind: inspect.Type) -> list[inspect.Type]:
    """The types of a union, or the only one."""
    match kind:
        case inspect.Metadata(inner):
            return options(inner)
        case inspect.UnionType(types):
            return [option for inner in types for option in options(inner)]
    return [kind]


def samples(kind: inspect.Type) -> list[Any]:
    """Values of a type, such that every struct and every field of it is in one of them."""
    match kind:
        case inspect.Metadata() | inspect.UnionType():
            return [value for option in options(kind) for value in samples(option)]
        case inspect.VarTupleType(inner):
            return [[value] for value in samples(inner)]
        case inspect.StructType():
            return structs(kind)
        case inspect.LiteralType(values):
            return [values[0]]
        case inspect.IntType(ge=low):
            return [low]
    return [{inspect.BoolType: True, inspect.StrType: "", inspect.CustomType: "5b"}.get(type(kind))]


def structs(kind: inspect.StructType) -> list[Any]:
    """Objects of a struct: one with every field, and others in which one field is different."""
    found = {field.encode_name: samples(field.type) for field in kind.fields}
    tag = {} if kind.tag is None else {"type": kind.tag}
    first = tag | {name: values[0] for name, values in found.items()}
    others = [first | {name: value} for name, values in found.items() for value in values[1:]]
    return [first, *others]


def places(kind: inspect.Type, value: Any, path: tuple[str | int, ...] = ()) -> Iterator[Place]:
    """Every place in a document."""
    here = Place(path, options(kind))
    yield here
    if isinstance(value, dict):
        for name, inner in fields(here, value).items():
            yield from places(inner, value[name], (*path, name))
    for index, item in enumerate(value if isinstance(value, list) else []):
        (inner,) = [o.item_type for o in here.options if isinstance(o, inspect.VarTupleType)]
        yield from places(inner, item, (*path, index))


def fields(place: Place, value: Any) -> dict[str, inspect.Type]:
    """The types of the fields of an object, without its tag."""
    (struct,) = [kind for kind in place.structs if kind.tag == value.get("type")]
    return {field.encode_name: field.type for field in struct.fields}


def fits(option: inspect.Type, value: object) -> bool:
    """Whether one of the wrong values happens to be right, or is wrong further inside."""
    match option:
        case inspect.NoneType():
            return value is None
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.StrType(pattern=None):
            return isinstance(value, str)
        case inspect.VarTupleType():
            return isinstance(value, list)
        case inspect.StructType():
            return isinstance(value, dict)
    return False


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    """What is at a place."""
    for step in path:
        value = value[step]
    return value


def put(value: Any, path: tuple[str | int, ...], new: Any) -> Any:
    """A document with something else at a place."""
    if not path:
        return new
    step, *rest = path
    inner = put(value[step], tuple(rest), new)
    if isinstance(step, int):
        return [*value[:step], inner, *value[step + 1 :]]
    return value | {step: inner}


class Reader:
    """The codec of a kind of message, and documents to spoil for it."""

    def __init__(self, kind: Any) -> None:
        self.codec = Codec[Any](kind)
        self.type = type_info(kind)

    def refusal(self, text: str) -> NotUnderstood:
        """The error for a text."""
        with pytest.raises(NotUnderstood) as caught:
            self.codec.read_loosely(text.encode())
        return caught.value

    def places(self) -> Iterator[tuple[Any, Place]]:
        """A document for every place, once for each struct around it."""
        seen = set()
        for document in samples(self.type):
            for place in places(self.type, document):
                around = at(document, place.path[:-1])
                key = place.name, isinstance(around, dict) and around.get("type")
                if key not in seen:
                    seen.add(key)
                    yield document, place

    def objects(self) -> Iterator[tuple[Any, Place, inspect.StructType]]:
        """A document for every place with an object, and the struct of that object."""
        seen = set()
        for document in samples(self.type):
            for place in places(self.type, document):
                value = at(document, place.path)
                for struct in place.structs if isinstance(value, dict) else ():
                    if struct.tag == value.get("type") and (place.name, struct.cls) not in seen:
                        seen.add((place.name, struct.cls))
                        yield document, place, struct


@pytest.fixture(params=KINDS, ids=[getattr(kind, "__name__", "union") for kind in KINDS])
def reader(request: pytest.FixtureRequest) -> Reader:
    """A reader of each kind."""
    return Reader(request.param)


def test_samples_are_read(reader: Reader) -> None:
    """The documents that are spoiled below are right before, and hold every struct."""
    for document in samples(reader.type):
        reader.codec.read_loosely(json.dumps(document).encode())


def test_a_wrong_value_is_named_and_shown(reader: Reader) -> None:
    """At every place of every struct, for every type of JSON."""
    for document, place in reader.places():
        for wrong in WRONG:
            if any(fits(option, wrong) for option in place.options):
                continue
            error = reader.refusal(json.dumps(put(document, place.path, wrong)))
            assert error.message.startswith(place.prefix)
            assert shortened_json(wrong) in error.message
            assert error.code in ("input.value", "input.action")
            assert re.search("belongs here, not|is none of|is not an action", error.message)
            assert "None" not in error.message


def test_limits_are_said(reader: Reader) -> None:
    """A number beyond its bounds is answered by both of them."""
    for document, place in reader.places():
        for kind in place.options:
            if isinstance(kind, inspect.IntType):
                assert kind.ge is not None
                assert kind.le is not None
                for wrong in (kind.ge - 1, kind.le + 1):
                    error = reader.refusal(json.dumps(put(document, place.path, wrong)))
                    words = f"{place.name}: a whole number from {kind.ge} to {kind.le}"
                    assert error.message.startswith(words)
                    assert error.code == "input.value"


def test_a_missing_field_is_named(reader: Reader) -> None:
    """Every required field of every struct."""
    for document, place, struct in reader.objects():
        for field in struct.fields:
            value = dict(at(document, place.path))
            del value[field.encode_name]
            text = json.dumps(put(document, place.path, value))
            if field.required:
                error = reader.refusal(text)
                assert error.message.startswith(f"{place.prefix}missing field '{field.name}'; the ")
                assert error.code == "input.field"
            else:
                reader.codec.read_loosely(text.encode())


def test_an_unknown_tag_is_answered_by_all_tags(reader: Reader) -> None:
    """Wherever there is a tag; a missing one, where there is a choice."""
    for document, place, struct in reader.objects():
        if struct.tag is None:
            continue
        value = dict(at(document, place.path))
        tags = ", ".join(str(kind.tag) for kind in place.structs)
        for wrong in ("?", None, 5, ["Do"], "n" * 99):
            error = reader.refusal(json.dumps(put(document, place.path, value | {"type": wrong})))
            words = f"{shortened_json(wrong)} is none of {tags}"
            assert (error.code, error.message) == ("input.type", f"{place.tag}: {words}")
        if len(place.structs) > 1:
            del value["type"]
            error = reader.refusal(json.dumps(put(document, place.path, value)))
            words = f"{place.tag}: missing; it is one of {tags}"
            assert (error.code, error.message) == ("input.type", words)


def test_an_unknown_field_is_answered_by_the_known_ones(reader: Reader) -> None:
    """In every struct; a name of another struct is unknown, too."""
    for document, place, struct in reader.objects():
        spoiled = at(document, place.path) | {"more": 1}
        error = reader.refusal(json.dumps(put(document, place.path, spoiled)))
        known = [*([] if struct.tag is None else ["type"]), *[f.encode_name for f in struct.fields]]
        words = f"unknown field 'more'; the fields are {', '.join(known)}"
        assert (error.code, error.message) == ("input.field", place.prefix + words)


def test_a_key_that_appears_twice_is_named(reader: Reader) -> None:
    """Every field of every struct, even with the same value."""
    for document, place, _ in reader.objects():
        value = at(document, place.path)
        for name in value:
            twice = f"{json.dumps(value)[:-1]}, {json.dumps(name)}: {json.dumps(value[name])}}}"
            text = json.dumps(put(document, place.path, "HERE")).replace('"HERE"', twice)
            error = reader.refusal(text)
            assert error.code == "input.json"
            assert f"the key '{name}' appears twice" in error.message


# ── Foreign names and texts ──────────────────────────────────────────────────────────────────

COMMAND: Final = {"type": "Do", "id": "7", "command": {"type": "Say", "text": "wow"}}
ANY_TEXT: Final = st.text(st.characters(codec=None), max_size=60)
MESSAGES: Final = Codec[FromClient](FromClient)


@given(ANY_TEXT.filter(lambda name: name not in {"type", "text", "preset", "id", "command"}))
@example("")
@example("a - at `$.command")
@example("a` - at `$.command.text")
@example("a` - at `$.nowhere[7]")
@example("\ud800")
@example("n" * 60)
def test_any_name_can_be_unknown(name: str) -> None:
    """Whatever a field is called: it is quoted, shortened, and can be written as UTF-8."""
    for place in ((), ("command",)):
        spoiled = put(COMMAND, place, at(COMMAND, place) | {name: 1})
        with pytest.raises(NotUnderstood, match="unknown field") as caught:
            MESSAGES.read_loosely(json.dumps(spoiled).encode())
        assert caught.value.code == "input.field"
        assert shortened(name) in caught.value.message
        assert len(caught.value.message.encode()) < 200


@given(ANY_TEXT)
@example("\ud800")
@example("\udc00\ud800")
def test_any_text_is_read_or_not_unicode(text: str) -> None:
    """Half of a surrogate pair is no character; its field is named."""
    line = json.dumps(put(COMMAND, ("command", "text"), text)).encode()
    meant = json.loads(json.dumps(text))  # two halves that stand together are a character
    if meant == meant.encode("utf-8", "ignore").decode():
        assert MESSAGES.read_loosely(line) == Do("7", Say(meant))
        return
    with pytest.raises(NotUnderstood, match=r"^text: the text is not Unicode$") as caught:
        MESSAGES.read_loosely(line)
    assert caught.value.code == "input.value"


def test_texts_in_lists_are_unicode_too() -> None:
    """There the place is not known."""
    entry = Reader(Entry).refusal(
        r'{"at": 1, "event": {"type": "Dealt", "hands": ["\ud800"], "aside": ""}, "receipt": null}'
    )
    assert (entry.code, entry.message) == ("input.value", "a text is not Unicode")


def test_a_list_that_is_too_long_is_answered_by_its_limit() -> None:
    """The only limit of a list that a client can write."""
    table = {"settings": {"players": 5}, "bots": [{"level": "gentle"}] * 6}
    error = Reader(OpenTable).refusal(json.dumps(table))
    assert error.message.startswith('bots: a list of at most 5 belongs here, not [{"level"')
