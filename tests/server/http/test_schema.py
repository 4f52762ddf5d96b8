"""The description of the stream is true: every message obeys it, and so do the strict readers."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, get_args

import jsonschema_rs
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from live_tables import NAMES, TOKENS, Party, refusal
from msgspec import inspect
from waiting import completed

from catinthebox import ACTIONS, CatInTheBoxError, NotUnderstood
from catinthebox.protocol import commands as c
from catinthebox.protocol.codec import Codec
from catinthebox.protocol.commands import ClientCommand, CommandBody, read_command
from catinthebox.protocol.lobby import OpenTable, read_table
from catinthebox.protocol.messages import MESSAGES, News
from catinthebox.protocol.stream import Do, FromClient, FromServer, Hello, read_message
from catinthebox.server.access.tokens import person
from catinthebox.server.http import documents, schema
from catinthebox.table import WORKER, Command, Settings, apply, done, practice
from catinthebox.table.broadcaster import Broadcaster

ROOT = Path(__file__).resolve().parents[3]
STREAM = schema.stream()
OPENAPI = documents.openapi()
BY_CLIENT, BY_SERVER = Codec[FromClient](FromClient), Codec[FromServer](FromServer)


def validator(name: str, whole: dict[str, Any], place: str) -> jsonschema_rs.Validator:
    """Something that knows whether a value is what a name in a document means."""
    return jsonschema_rs.Draft202012Validator({**whole, "$ref": f"#/{place}/{name}"})


def in_stream(name: str) -> jsonschema_rs.Validator:
    return validator(name, {"$defs": STREAM["$defs"]}, "$defs")


def in_openapi(name: str) -> jsonschema_rs.Validator:
    return validator(name, {"components": OPENAPI["components"]}, "components/schemas")


FROM_CLIENT, FROM_SERVER = in_stream("FromClient"), in_stream("FromServer")
ANYTHING = jsonschema_rs.Draft202012Validator(STREAM)


# ── Real games ───────────────────────────────────────────────────────────────────────────────


def whim(party: Party, rng: Random) -> tuple[Command, str]:
    """Something that may be refused."""
    seat, name = rng.randrange(party.table.settings.players), rng.choice(NAMES)
    wishes: list[Command] = [
        *(c.Pause(), c.Resume(), c.AskUndo(), c.AgreeUndo(), c.RefuseUndo(), c.Leave()),
        *(
            c.Gone(),
            c.Here(),
            c.Kick(seat),
            c.Readmit(name),
            c.Host(seat),
            c.RemoveBot(seat),
            c.AddBot(seat, "steady"),
        ),
        *(c.Say("wow"), c.Say("¿Dónde está el 5?", preset=False), c.Sit(name, seat, "5e" * 32)),
    ]
    return rng.choice(wishes), TOKENS[name]


def sense(party: Party, rng: Random) -> tuple[Command, str]:
    """Something that moves a table on."""
    table = party.table
    people = [table.host, *(who.token for who in table.people.values())]
    if not table.full:
        seat = [who.name for who in table.seats].index("")
        free = [name for name in NAMES if TOKENS[name] not in people[1:]]
        if rng.random() < 0.4 or not free:
            return c.AddBot(seat, "gentle"), table.host
        return c.Sit(free[0], rng.choice([None, seat])), TOKENS[free[0]]
    if table.stage != "play":
        onward: dict[str, Command] = {"lobby": c.Start(), "between": c.Ready(), "over": c.Rematch()}
        return onward[table.stage], rng.choice(people)
    if table.paused is not None:
        return c.Resume(), rng.choice(people)
    if table.undo is not None and rng.random() < 0.8:
        return (c.AgreeUndo() if rng.random() < 0.7 else c.RefuseUndo()), rng.choice(people)
    return move(party, rng)


def move(party: Party, rng: Random) -> tuple[Command, str]:
    """A legal action by the one who decides for a seat, or second thoughts about the last one."""
    table, seat = party.table, rng.choice(party.table.to_act)
    last = table.people.get(table.moves[-1].seat) if table.moves else None
    if last is not None and rng.random() < 0.1:
        return c.AskUndo(), last.token
    person = table.people.get(seat)
    away = person is None or person.covered or seat in table.lent
    action = rng.choice(party.legal(seat))
    return c.Act(action, seat, table.turn), WORKER if away or person is None else person.token


def connections_of(seed: int, commands: int) -> Iterator[tuple[str, bytes]]:
    """Everything that is sent to a table and by it: which way, and the bytes."""
    rng = Random(seed)
    clock = {"move_ms": 5_000, "grace_ms": 9_000, "look_ms": 8_000, "undo_ms": 7_000}
    wanted = Settings(2 + seed % 4, chat="free", **clock)  # type: ignore[arg-type]
    party = Party(wanted, practice(seed), audited=False)
    broadcaster, audiences = Broadcaster(party.table), (None, *range(wanted.players))
    for number in range(commands):
        command, who = (whim if rng.random() < 0.15 else sense)(party, rng)
        if number == commands - 1:
            command, who = c.Close(), party.table.host
        if isinstance(command, get_args(ClientCommand)):
            yield "client", BY_CLIENT.write(Do(f"m{number}", command))
        try:
            entries = party.do(command, who, id=f"m{number}")
            yield "server", MESSAGES.write(done(party.table, who, f"m{number}"))
        except CatInTheBoxError as error:
            entries = []
            yield "server", MESSAGES.write(refusal(f"m{number}", error))
        entries += party.wait(rng.choice([0, 10, 10, 10, 10, 900, 6_000]))
        for entry in entries:
            received = broadcaster.step(entry, apply(broadcaster.table, entry))
            yield from (("server", received.frame(audience)) for audience in audiences)
        if number % 10 == 0:
            yield from (("server", broadcaster.snapshot(audience)) for audience in audiences)
            asked = broadcaster.why(rng.choice(audiences), rng.choice(ACTIONS))
            yield "server", MESSAGES.write(asked)


@pytest.mark.long
@pytest.mark.parametrize("seeds", [range(4), range(4, 8), range(8, 12)], ids=str)
def test_everything_that_real_games_send_is_described(seeds: range) -> None:
    """Whole games with interruptions, as commands, frames and snapshots for every audience."""
    known = {"client": FROM_CLIENT, "server": FROM_SERVER}
    met: Counter[str] = Counter()
    for way, line in (found for seed in seeds for found in connections_of(seed, 500)):
        message = json.loads(line)
        known[way].validate(message)
        met[message["type"]] += 1
        met[message.get("command", {}).get("type", "")] += 1
        met.update(news["type"] for news in message.get("news", ()))
    expected = {tag(kind) for kind in (*get_args(News), *get_args(ClientCommand))}
    expected |= {"Do", "Frame", "Snapshot", "Done", "Refused", "Why"}
    assert expected <= set(met), expected - set(met)


# ── The schema and the strict readers ────────────────────────────────────────────────────────

WILD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 4, 5, 9, 10, -1, 1.5, 2**53, 2**53 + 1, -(2**53) - 1, 2**63, 2**70),
    *("", "x", "5b", "5b ", "-9", "=5", "rb", "Sit", "lobby", "a" * 65, "🐈", "\x00"),
    *([], [1], [None], [[]], {}, {"type": "Ping"}, {"type": "Leave"}, {"rank": 1}),
)


SIMPLE: dict[type[inspect.Type], Callable[[Any], st.SearchStrategy[Any]]] = {
    inspect.LiteralType: lambda kind: st.sampled_from(kind.values),
    inspect.IntType: lambda kind: st.integers(kind.ge, kind.le),
    inspect.StrType: lambda kind: matching(kind.pattern) if kind.pattern else st.text(),
    inspect.BoolType: lambda kind: st.booleans(),
    inspect.NoneType: lambda kind: st.none(),
    inspect.CustomType: lambda kind: st.sampled_from(ACTIONS).map(str),
}


def made(kind: inspect.Type) -> st.SearchStrategy[Any]:
    """Values of a type, found by looking at the class, and not at its schema."""
    match kind:
        case inspect.Metadata():
            pattern = (kind.extra_json_schema or {}).get("pattern")
            return matching(pattern) if pattern else made(kind.type)
        case inspect.UnionType():
            return st.one_of(*map(made, kind.types))
        case inspect.StructType():
            return made_struct(kind)
        case inspect.VarTupleType():
            return st.lists(made(kind.item_type), max_size=kind.max_length or 3)
        case _:
            return SIMPLE[type(kind)](kind)


def matching(pattern: str) -> st.SearchStrategy[str]:
    """Texts that match; without a line's end, which Python's $ would let pass."""
    return st.from_regex(pattern).filter(lambda text: "\n" not in text)


def made_struct(kind: inspect.StructType) -> st.SearchStrategy[dict[str, Any]]:
    """Objects whose fields are in order; what has a default is there or not."""
    fields = {field.encode_name: made(field.type) for field in kind.fields}
    optional = [field.encode_name for field in kind.fields if not field.required]
    tag = {} if kind.tag is None else {"type": st.just(kind.tag)}
    left_out = st.sets(st.sampled_from(optional)) if optional else st.just(set())
    both = st.tuples(st.fixed_dictionaries(tag | fields), left_out)
    return both.map(lambda got: {key: got[0][key] for key in tag | fields if key not in got[1]})


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything in a value."""
    yield path
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    for key in keys:
        yield from places(value[key], (*path, key))


@st.composite
def damaged(draw: st.DrawFn, name: str) -> Any:
    """A value in which one thing is different, or by luck is not."""
    value = draw(values(name))
    path = ("", *draw(st.sampled_from(list(places(value)))))
    last = path[-1]
    root: dict[str, Any] = {"": value}
    holder: Any = root
    for key in path[:-1]:
        holder = holder[key]
    match draw(st.sampled_from(["replace", "replace", "remove", "add"])):
        case "remove":
            del holder[last]
        case "add" if isinstance(holder[last], dict):
            key = draw(st.sampled_from(["type", "seat", "id", "x", "Type", ""]))
            holder[last].setdefault(key, draw(st.sampled_from(WILD)))
        case _:
            holder[last] = draw(st.sampled_from(WILD))
    return root.get("")


def taken(read: Callable[[], object]) -> bool:
    """Whether a reader takes something."""
    try:
        read()
    except NotUnderstood:
        return False
    return True


def read_line(message: Any) -> None:
    """Read a message as a connection does, and the token in it as the first thing after that."""
    read = read_message(msgspec.json.encode(message).decode())
    if isinstance(read, Hello):
        person(read.token)


READERS: dict[str, tuple[Any, jsonschema_rs.Validator, Callable[[Any], object]]] = {
    "FromClient": (FromClient, FROM_CLIENT, read_line),
    "FromServer": (
        FromServer,
        FROM_SERVER,
        lambda message: BY_SERVER.read(msgspec.json.encode(message)),
    ),
    "OpenTable": (
        OpenTable,
        in_openapi("OpenTable"),
        lambda body: read_table(msgspec.json.encode(body)),
    ),
    "CommandBody": (
        CommandBody,
        in_openapi("CommandBody"),
        lambda body: read_command(msgspec.json.encode(body)),
    ),
}


@cache
def values(name: str) -> st.SearchStrategy[Any]:
    """What a reader should take."""
    return made(inspect.type_info(READERS[name][0]))


@pytest.mark.long
@pytest.mark.parametrize("name", READERS)
@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_schema_and_strict_reader_agree(name: str, data: st.DataObject) -> None:
    """What one of them takes, the other takes, too; the server itself leaves nothing out."""
    _, described, read = READERS[name]
    value = data.draw(damaged(name))
    assert described.is_valid(value) is taken(lambda: read(value)), value


@pytest.mark.long
@pytest.mark.parametrize("name", READERS)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_what_the_classes_allow_is_described(name: str, data: st.DataObject) -> None:
    """Whatever can be made of the classes is valid; what is told is told whole."""
    _, described, read = READERS[name]
    value = data.draw(values(name))
    if name == "FromServer":
        value = json.loads(BY_SERVER.write(BY_SERVER.read_loosely(msgspec.json.encode(value))))
    read(value)
    described.validate(value)


@pytest.mark.parametrize(
    ("text", "valid", "understood"),
    [
        ('{"type":"Ping","type":"Ping"}', True, False),  # a key twice
        ('{"type":"Hello","token":"","version":1.0}', True, False),  # a fraction, if of nothing
        ('{"type":"Hello","token":"","version":1e3}', True, False),
        ('{"type":"Hello","token":"swordfish"}', False, True),  # read, then closed
        ('{"type":"Do","id":"1","command":{"type":"Sit","name":"a|b"}}', True, True),
    ],
)
def test_what_a_schema_cannot_say(text: str, valid: bool, understood: bool) -> None:
    """All differences between the two; the last: what the table itself refuses is well-formed."""
    assert FROM_CLIENT.is_valid(json.loads(text)) is valid
    assert taken(lambda: read_message(text)) is understood


def test_coming_and_going_cannot_be_sent() -> None:
    """The server sees for itself who is there."""
    for kind in (c.Here, c.Gone):
        message = {"type": "Do", "id": "1", "command": {"type": tag(kind)}}
        assert not FROM_CLIENT.is_valid(message)


# ── The documents themselves ─────────────────────────────────────────────────────────────────


def inside(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a document."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, dict | list):
            yield from inside(part)


def tag(kind: type[msgspec.Struct]) -> str:
    """What a message says of its type."""
    return str(kind.__struct_config__.tag)


def test_the_stream_is_json_schema() -> None:
    """Of the draft that it names; every message has a tag, and nothing else may be in it."""
    jsonschema_rs.meta.validate(STREAM)
    for name, described in STREAM["$defs"].items():
        assert described["title"] == name
        assert described["description"]
        if "properties" in described:
            assert described["additionalProperties"] is False
            tag = described["properties"].get("type", {"const": name})
            assert tag == {"const": name}
    assert not [part for part in inside(STREAM) if "discriminator" in part]


def test_one_tag_is_one_message() -> None:
    """No message can be taken for another."""
    tags = [tag(kind) for kind in (*get_args(FromClient), *get_args(FromServer))]
    assert len(tags) == len(set(tags))
    kinds = {described["title"] for described in STREAM["$defs"].values()}
    assert {
        *tags,
        *(tag(kind) for kind in (*get_args(ClientCommand), *get_args(News))),
    } <= kinds


@pytest.mark.parametrize("document", [STREAM, OPENAPI], ids=["stream", "openapi"])
def test_every_name_leads_somewhere_and_is_used(document: dict[str, Any]) -> None:
    """No reference without a target, and no target without a reference."""
    used = {part["$ref"] for part in inside(document) if isinstance(part.get("$ref"), str)}
    components = document.get("components", {"schemas": {}, "responses": {}})
    places = {f"#/$defs/{name}" for name in document.get("$defs", {})}
    places |= {f"#/components/schemas/{name}" for name in components["schemas"]}
    places |= {f"#/components/responses/{name}" for name in components["responses"]}
    assert used <= places
    assert places - used <= {
        "#/$defs/Announcement",
        "#/$defs/Shared",
    }  # for those who tell them apart


@pytest.mark.parametrize("document", [STREAM, OPENAPI], ids=["stream", "openapi"])
def test_descriptions_do_not_depend_on_how_a_docstring_is_indented(
    document: dict[str, Any],
) -> None:
    """Python 3.13 dedents docstrings and older ones do not; the documents are the same."""
    texts = [part["description"] for part in inside(document) if "description" in part]
    lines = [line for text in texts if isinstance(text, str) for line in text.splitlines()]
    assert any(line == "" for line in lines), "some description has two paragraphs"
    assert [line for line in lines if line != line.strip()] == []


# ── Copies ───────────────────────────────────────────────────────────────────────────────────

COPIES = {
    "openapi": "docs/api/openapi.json",
    "stream": "docs/api/stream.schema.json",
    "refusals": "web/src/lib/refusals.ts",
    "refusals-page": "docs/api/refusals.md",
}


@pytest.mark.parametrize("name", COPIES)
def test_copies_are_up_to_date(name: str) -> None:
    """What the documentation holds is what a server would say."""
    refresh = f"python -m catinthebox.server.http.documents {name} {COPIES[name]}"
    kept = (ROOT / COPIES[name]).read_text(encoding="utf-8")
    assert kept == documents.DOCUMENTS[name](), f"out of date; run: {refresh}"


@pytest.mark.process
def test_documents_are_printed_or_written(tmp_path: Path) -> None:
    """From the command line, where no server runs."""
    program = [sys.executable, "-m", "catinthebox.server.http.documents"]
    assert json.loads(completed([*program, "stream"])) == STREAM
    file = tmp_path / "api.ts"
    assert documents.main(["types", str(file)]) == 0
    assert file.read_text(encoding="utf-8") == documents.types()
    with pytest.raises(SystemExit):
        documents.main(["secrets"])


def test_messages_that_the_page_shows_are_described() -> None:
    """docs/protocol.md has examples of nearly everything on a connection."""
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```json\n(.*?)^```", page, flags=re.M | re.S)
    shown = [json.loads(line) for block in blocks for line in block.splitlines()]
    assert [message for message in shown if not ANYTHING.is_valid(message)] == []
    assert {"Hello", "Do", "Ask", "Done", "Refused", "Why"} <= {one["type"] for one in shown}
