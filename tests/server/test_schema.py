"""The descriptions of the protocol are true: of every message, every door, and both readers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import jsonschema_rs
import msgspec
import pytest
import schemathesis
from hypothesis import given, settings
from hypothesis import strategies as st
from live import NAMES, TOKENS, Party
from msgspec import inspect
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR
from server.harness import House, house

from catinthebox import ACTIONS, CatInTheBoxError, NotUnderstood
from catinthebox.server import answers, app, openapi, schema, wire
from catinthebox.server.who import person
from catinthebox.server.wire import Do, FromClient, FromServer, read_message
from catinthebox.table import (
    WORKER,
    Act,
    AddBot,
    AgreeUndo,
    AskUndo,
    Command,
    Gone,
    Here,
    Host,
    Kick,
    Leave,
    Pause,
    Ready,
    RefuseUndo,
    Rematch,
    RemoveBot,
    Resume,
    Say,
    Settings,
    Sit,
    Start,
    apply,
    done,
    practice,
)
from catinthebox.table.codec import MAX_BYTES, Codec
from catinthebox.table.messages import MESSAGES, News
from catinthebox.table.tell import not_done, why
from catinthebox.table.teller import Teller

ROOT = Path(__file__).resolve().parents[2]
STREAM = schema.stream()
OPENAPI = schema.openapi()
BY_CLIENT, BY_SERVER = Codec[FromClient](FromClient), Codec[FromServer](FromServer)


def validator(name: str, whole: dict[str, Any], place: str) -> jsonschema_rs.Validator:
    """Something that knows whether a value is what a name in a document means."""
    return jsonschema_rs.Draft202012Validator({**whole, "$ref": f"#/{place}/{name}"})


def in_stream(name: str) -> jsonschema_rs.Validator:
    return validator(name, {"$defs": STREAM["$defs"]}, "$defs")


def in_openapi(name: str) -> jsonschema_rs.Validator:
    return validator(name, {"components": OPENAPI["components"]}, "components/schemas")


FROM_CLIENT, FROM_SERVER = in_stream("FromClient"), in_stream("FromServer")


# ── Real games ───────────────────────────────────────────────────────────────────────────────


def whim(party: Party, rng: Random) -> tuple[Command, str]:
    """Something that may be refused."""
    seat, name = rng.randrange(party.table.settings.players), rng.choice(NAMES)
    wishes: list[Command] = [
        *(Pause(), Resume(), AskUndo(), AskUndo(), AskUndo(), AgreeUndo(), RefuseUndo(), Leave()),
        *(Gone(), Here(), Kick(seat), Host(seat), RemoveBot(seat), AddBot(seat, "steady")),
        *(Say("wow"), Say("¿Dónde está el 5?", preset=False), Sit(name, seat, "5e" * 32)),
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
            return AddBot(seat, "gentle"), table.host
        return Sit(free[0], rng.choice([None, seat])), TOKENS[free[0]]
    if table.stage != "play":
        chosen = {"lobby": Start(), "between": Ready(), "over": Rematch("5e" * 32)}[table.stage]
        return chosen, rng.choice(people)
    if table.paused is not None:
        return Resume(), rng.choice(people)
    if table.undo is not None and rng.random() < 0.8:
        return rng.choice([AgreeUndo(), RefuseUndo()]), rng.choice(people)
    return move(party, rng)


def move(party: Party, rng: Random) -> tuple[Command, str]:
    """A legal action, by whoever decides for the seat."""
    table, seat = party.table, rng.choice(party.table.to_act)
    person = table.people.get(seat)
    away = person is None or person.covered or seat in table.lent
    action = rng.choice(party.legal(seat))
    return Act(action, seat, table.turn), WORKER if away or person is None else person.token


def lines_of(seed: int, commands: int) -> Iterator[tuple[str, bytes]]:
    """Everything that is sent to a table and by it: which way, and the bytes."""
    rng = Random(seed)
    clock = {"move_ms": 5_000, "grace_ms": 9_000, "look_ms": 8_000, "undo_ms": 7_000}
    wanted = Settings(2 + seed % 4, chat="free", **clock)  # type: ignore[arg-type]
    party = Party(wanted, practice(seed), audited=False)
    teller, audiences = Teller(party.table), (None, *range(wanted.players))
    for number in range(commands):
        command, who = (whim if rng.random() < 0.15 else sense)(party, rng)
        if isinstance(command, get_args(wire.Asked)):
            yield "client", BY_CLIENT.write(Do(f"m{number}", command))  # type: ignore[arg-type]
        try:
            entries = party.do(command, who, id=f"m{number}")
            yield "server", MESSAGES.write(done(party.table, who, f"m{number}"))
        except CatInTheBoxError as error:
            entries = []
            yield "server", MESSAGES.write(not_done(f"m{number}", error))
        entries += party.wait(rng.choice([0, 10, 10, 10, 10, 900, 6_000]))
        for entry in entries:
            told = teller.step(entry, apply(teller.table, entry))
            yield from (("server", told.frame(audience)) for audience in audiences)
        if number % 10 == 0:
            yield from (("server", teller.snapshot(audience)) for audience in audiences)
            asked = why(party.table, rng.choice(audiences), rng.choice(ACTIONS))
            yield "server", MESSAGES.write(asked)


@pytest.mark.parametrize("seeds", [range(4), range(4, 8), range(8, 12)], ids=str)
def test_everything_that_real_games_send_is_described(seeds: range) -> None:
    """Whole games with interruptions, as commands, frames and snapshots for every audience."""
    known = {"client": FROM_CLIENT, "server": FROM_SERVER}
    met: Counter[str] = Counter()
    for way, line in (found for seed in seeds for found in lines_of(seed, 500)):
        message = json.loads(line)
        known[way].validate(message)
        met[message["type"]] += 1
        met[message.get("command", {}).get("type", "")] += 1
        met.update(news["type"] for news in message.get("news", ()))
    expected = {kind.__name__ for kind in (*get_args(News), *get_args(wire.Asked))}
    expected |= {"Do", "Frame", "Snapshot", "Done", "Refused", "Why"}
    assert expected - {"Close"} <= set(met), expected - set(met)


# ── The schema and the strict readers ────────────────────────────────────────────────────────

WILD = (
    *(None, True, False, 0, 1, 4, 5, 9, 10, -1, 1.5, 2**53, 2**53 + 1, -(2**53) - 1, 2**63, 2**70),
    *("", "x", "5b", "5b ", "-9", "=5", "rb", "Sit", "lobby", "a" * 65, "🐈", "\x00"),
    *([], [1], [None], [[]], {}, {"type": "Ping"}, {"type": "Leave"}, {"rank": 1}),
)


def made(kind: inspect.Type, pattern: str | None = None) -> st.SearchStrategy[Any]:
    """Values of a type, found by looking at the class, and not at its schema."""
    match kind:
        case inspect.Metadata():
            return made(kind.type, (kind.extra_json_schema or {}).get("pattern"))
        case inspect.UnionType():
            return st.one_of(*map(made, kind.types))
        case inspect.StructType():
            return made_struct(kind)
        case inspect.VarTupleType():
            return st.lists(made(kind.item_type), max_size=kind.max_length or 6)
        case inspect.LiteralType():
            return st.sampled_from(kind.values)
        case inspect.IntType():
            return st.integers(kind.ge, kind.le)
        case inspect.StrType():
            pattern = pattern or kind.pattern
            return st.text() if pattern is None else matching(pattern)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.CustomType():
            return st.sampled_from(ACTIONS).map(str)
    raise NotImplementedError(kind)


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
    return both.map(lambda got: {key: got[0][key] for key in got[0] if key not in got[1]})


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything in a value."""
    yield path
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    for key in keys:
        yield from places(value[key], (*path, key))


@st.composite
def damaged(draw: st.DrawFn, kind: inspect.Type) -> Any:
    """A value of a type in which one thing is different, or by luck is not."""
    value = draw(made(kind))
    *path, last = ("", *draw(st.sampled_from(list(places(value)))))
    holder = root = {"": value}
    for key in path:
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
    """Read a message as a line does, and the token in it as the first thing after that."""
    read = read_message(msgspec.json.encode(message).decode())
    if isinstance(read, wire.Hello):
        person(read.token)


READERS: dict[str, tuple[Any, jsonschema_rs.Validator, Callable[[Any], object]]] = {
    "FromClient": (FromClient, FROM_CLIENT, read_line),
    "FromServer": (
        FromServer,
        FROM_SERVER,
        lambda message: BY_SERVER.read(msgspec.json.encode(message)),
    ),
    "OpenTable": (
        wire.OpenTable,
        in_openapi("OpenTable"),
        lambda body: wire.read_table(msgspec.json.encode(body)),
    ),
    "Command": (
        wire.Command,
        in_openapi("Command"),
        lambda body: wire.read_command(msgspec.json.encode(body)),
    ),
}


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_schema_and_strict_reader_agree(name: str, data: st.DataObject) -> None:
    """What one of them takes, the other takes, too; the server itself leaves nothing out."""
    kind, described, read = READERS[name]
    value = data.draw(damaged(inspect.type_info(kind)))
    assert described.is_valid(value) is taken(lambda: read(value)), value


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_what_the_classes_allow_is_described(name: str, data: st.DataObject) -> None:
    """Whatever can be made of the classes is valid; what is told is told whole."""
    kind, described, read = READERS[name]
    value = data.draw(made(inspect.type_info(kind)))
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
        (f'{{"type":"Ping"{" " * MAX_BYTES}}}', True, False),  # too long
        ('{"type":"Hello","token":"swordfish"}', False, True),  # read; then the line is closed
        ('{"type":"Do","id":"1","command":{"type":"Sit","name":"a|b"}}', True, True),
    ],
)
def test_what_a_schema_cannot_say(text: str, valid: bool, understood: bool) -> None:
    """All differences between the two; the last: what the table itself refuses is well-formed."""
    assert FROM_CLIENT.is_valid(json.loads(text)) is valid
    assert taken(lambda: read_message(text)) is understood


def test_coming_and_going_cannot_be_sent() -> None:
    """The server sees for itself who is there."""
    for kind in (Here, Gone):
        message = {"type": "Do", "id": "1", "command": {"type": kind.__name__}}
        assert not FROM_CLIENT.is_valid(message)


# ── The documents themselves ─────────────────────────────────────────────────────────────────


def inside(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a document."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, dict | list):
            yield from inside(part)


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
    tags = [kind.__name__ for kind in (*get_args(FromClient), *get_args(FromServer))]
    assert len(tags) == len(set(tags))
    kinds = {described["title"] for described in STREAM["$defs"].values()}
    assert {*tags, *(kind.__name__ for kind in (*get_args(wire.Asked), *get_args(News)))} <= kinds


@pytest.mark.parametrize("document", [STREAM, OPENAPI], ids=["stream", "openapi"])
def test_every_name_leads_somewhere_and_is_used(document: dict[str, Any]) -> None:
    """No reference without a target, and no target without a reference."""
    used = {part["$ref"] for part in inside(document) if isinstance(part.get("$ref"), str)}
    components = document.get("components", {"schemas": {}, "responses": {}})
    places = {f"#/$defs/{name}" for name in document.get("$defs", {})}
    places |= {f"#/components/schemas/{name}" for name in components["schemas"]}
    places |= {f"#/components/responses/{name}" for name in components["responses"]}
    assert used <= places
    assert places - used <= {"#/$defs/Happening", "#/$defs/Shared"}  # for those who tell them apart


def test_the_document_is_openapi() -> None:
    """By the schema of OpenAPI 3.1, by that of JSON Schema, and to a program that uses it."""
    OPENAPI_31_VALIDATOR.validate(OPENAPI)
    for described in OPENAPI["components"]["schemas"].values():
        jsonschema_rs.meta.validate({"$schema": schema.DIALECT, **described})
    loaded = schemathesis.openapi.from_dict(OPENAPI)
    found = [operation.ok() for operation in loaded.get_all_operations()]
    assert len(found) == len(openapi.OPERATIONS)
    assert "servers" not in OPENAPI


def test_every_door_is_described_and_no_other() -> None:
    """The same paths, methods and parameters; HEAD and OPTIONS come with every door."""
    doors = {(door.path, method): set(door.query) for door in app.DOORS for method in door.handlers}
    described = {(one.path, one.method): set(one.query) for one in openapi.OPERATIONS}
    assert described == doors
    ids = [one.id for one in openapi.OPERATIONS]
    assert len(set(ids)) == len(ids) == len(described)


def test_every_refusal_has_a_description() -> None:
    """Whatever status an error has, the document knows it."""
    assert set(answers.STATUSES.values()) <= set(openapi.REFUSALS)
    used = frozenset[int]().union(*(one.refusals for one in openapi.OPERATIONS))
    assert used == set(openapi.REFUSALS)


# ── A real server ────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("schema")) as running:
        yield running


def check(path: str, method: str, answer: Any) -> int:
    """Insist that an answer is one that the document describes; give its status."""
    responses = OPENAPI["paths"][path][method]["responses"]
    assert str(answer.status_code) in responses, (path, method, answer.text)
    described = responses[str(answer.status_code)]
    if "$ref" in described:
        described = OPENAPI["components"]["responses"][described["$ref"].rpartition("/")[2]]
    media = answer.headers["content-type"].partition(";")[0]
    kind = described["content"][media]["schema"]
    value = answer.json() if media.endswith("json") else answer.text
    whole = {**kind, "components": OPENAPI["components"]}
    jsonschema_rs.Draft202012Validator(whole).validate(value)
    return int(answer.status_code)


def test_what_a_server_answers_is_described(here: House) -> None:
    """A game from the token to the record, with mistakes on the way."""
    table = here.game()
    at = f"/api/v1/tables/{table}"
    paths = {name: f"/api/v1/tables/{{id}}{name}" for name in ("", "/why", "/commands")}
    got = [
        check("/api/v1/token", "post", here.post("/api/v1/token", {})),
        check("/api/v1/token", "post", here.post("/api/v1/token", {"a": 1})),
        check("/api/v1/tables", "get", here.get("/api/v1/tables")),
        check("/api/v1/tables", "get", here.get("/api/v1/tables?x=1")),
        check("/api/v1/tables", "post", here.post("/api/v1/tables", {"settings": {"players": 2}})),
        check(paths[""], "get", here.get(at)),
        check(paths[""], "get", here.get(at, "Ada")),
        check(paths[""], "get", here.get("/api/v1/tables/nowhere")),
        check(paths["/why"], "get", here.get(f"{at}/why?action=5b", "Ada")),
        check(paths["/why"], "get", here.get(f"{at}/why?action=5b", "Bob")),
        check(paths["/why"], "get", here.get(f"{at}/why", "Ada")),
        check(paths["/commands"], "post", here.do(table, "Ada", "1", type="Say", text="wow")),
        check(paths["/commands"], "post", here.do(table, "Ada", "2", type="Start")),
        check(paths["/commands"], "post", here.do(table, "Bob", "3", type="Leave")),
    ]
    assert got == [201, 400, 200, 400, 401, 200, 200, 404, 200, 403, 400, 200, 409, 403]
    for path in ("/levels", "/openapi.json", "/stream.schema.json", "/types.ts"):
        assert check(f"/api/v1{path}", "get", here.get(f"/api/v1{path}")) == 200
    for path in ("/healthz", "/readyz", "/metrics"):
        assert check(path, "get", here.get(path)) == 200
    game = "/api/v1/tables/{id}/games/{number}/record.json"
    assert check(game, "get", here.get(f"{at}/games/1/record.json")) == 409
    assert check("/api/v1/tables/{id}/socket", "get", here.get(f"{at}/socket")) == 426


def test_documents_are_served(here: House) -> None:
    """As they are printed; whoever writes a client needs nothing but a server."""
    for name, path in (("openapi", "openapi.json"), ("stream", "stream.schema.json")):
        assert here.get(f"/api/v1/{path}").text == schema.DOCUMENTS[name]()
    answer = here.get("/api/v1/types.ts")
    assert answer.text == schema.types()
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"


# ── Copies ───────────────────────────────────────────────────────────────────────────────────

COPIES = {"openapi": "docs/api/openapi.json", "stream": "docs/api/stream.schema.json"}


@pytest.mark.parametrize("name", COPIES)
def test_copies_are_up_to_date(name: str) -> None:
    """What the documentation holds is what a server would say."""
    refresh = f"python -m catinthebox.server.schema {name} {COPIES[name]}"
    kept = (ROOT / COPIES[name]).read_text(encoding="utf-8")
    assert kept == schema.DOCUMENTS[name](), f"out of date; run: {refresh}"


def test_documents_are_printed_or_written(tmp_path: Path) -> None:
    """From the command line, where no server runs."""
    program = [sys.executable, "-m", "catinthebox.server.schema"]
    printed = subprocess.run([*program, "stream"], capture_output=True, check=True, timeout=60)
    assert json.loads(printed.stdout) == STREAM
    file = tmp_path / "wire.ts"
    assert schema.main(["types", str(file)]) == 0
    assert file.read_text(encoding="utf-8") == schema.types()
    with pytest.raises(SystemExit):
        schema.main(["secrets"])
