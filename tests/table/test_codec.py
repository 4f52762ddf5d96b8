"""What is written is canonical; what is read is checked to the last byte."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from random import Random

import msgspec
import pytest
from live_tables import Party, frames, snapshot, started

from catinthebox import Action, NotUnderstood
from catinthebox.protocol import messages
from catinthebox.protocol.codec import MAX_BYTES
from catinthebox.protocol.commands import CommandBody
from catinthebox.protocol.fields import schema_of
from catinthebox.protocol.messages import Done, Refused, Why
from catinthebox.table import (
    Act,
    Acted,
    AddBot,
    BrokenLog,
    Entry,
    Receipt,
    Say,
    Settings,
    Sit,
    apply,
    decode,
    encode,
    read_command,
    write_command,
)

LINE = encode(Entry(5, Acted(1, Action("5b")), Receipt("ab" * 32, "c1")))


@cache
def party() -> Party:
    """A table with a whole game behind it."""
    found = started(2, move_ms=9_000)
    found.do(Say("wow"), "Bohr", id="c7")
    while found.table.stage != "over":
        found.first() if found.table.stage == "play" else found.wait(99_000)
    return found


def test_every_entry_and_message_comes_back() -> None:
    """Reading what was written gives the same, and writing that gives the same bytes."""
    for entry in party().log:
        assert decode(encode(entry)) == entry
    table = apply(None, party().log[0])
    for audience in (None, 0, 1):
        for frame in frames(table, party().log[1:], audience):
            assert messages.decode(messages.encode(frame)) == frame
        seen = snapshot(party().table, audience)
        assert messages.decode(messages.encode(seen)) == seen
    for message in (Done("1", 2), Refused("1", "a", "R1", "no", 5), Why("q", "5b", "", "", "")):
        assert messages.decode(messages.encode(message)) == message


def changed(line: bytes, rng: Random) -> bytes:
    """A line with something wrong in it, or by luck with nothing."""
    at = rng.randrange(len(line))
    other = rng.choice([b"", b"0", b'"', b"}", b",", b"\xff", b" ", b"null", line[: at // 2]])
    return line[:at] + other + line[at + rng.randrange(3) :]


def test_changed_lines_are_refused_clearly() -> None:
    """Whatever bytes come, the answer is an entry that writes itself so, or `NotUnderstood`."""
    rng = Random(7)
    lines = [encode(entry) for entry in party().log]
    refused = 0
    for _ in range(5_000):
        line = changed(rng.choice(lines), rng)
        try:
            assert encode(decode(line)) == line
        except NotUnderstood:
            refused += 1
    assert refused > 4_000


def test_changed_logs_are_broken_clearly() -> None:
    """A log that reads but lies breaks at the fold, and nowhere else."""
    rng = Random(8)
    broken = 0
    table = None
    for entry in party().log:
        for _ in range(40):
            line = bytearray(encode(entry))
            line[rng.randrange(len(line))] = rng.choice(b"0123456789abc")
            try:
                apply(table, decode(bytes(line)))
            except BrokenLog:
                broken += 1
            except NotUnderstood:
                pass
        table = apply(table, entry)
    assert broken > 50


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"at": True}, "input.value", "at: a whole number belongs here, not true"),
        ({"at": 1.0}, "input.value", "at: a whole number"),
        (
            {"at": 2**60},
            "input.value",
            "at: a whole number from -9007199254740992 to 9007199254740992",
        ),
        ({"more": 1}, "input.field", "unknown field 'more'"),
        ({"receipt": 3}, "input.value", "receipt: an object or null belongs here, not 3"),
        ({"receipt": {"who": "x"}}, "input.field", "receipt: missing field 'command'"),
        ({"event": {"type": "Won"}}, "input.type", "event.type: 'Won' is none of Created"),
        ({"event": {"seat": 1}}, "input.type", "event.type: missing; it is one of Created"),
        ({"event": [1]}, "input.value", "event: an object belongs here"),
        ({"event": {"type": "Paused"}}, "input.field", "event: missing field 'seat'"),
        (
            {"event": {"type": "Dealt", "hands": "12", "aside": ""}},
            "input.value",
            "event.hands: a list belongs here",
        ),
        (
            {"event": {"type": "Dealt", "hands": [1], "aside": ""}},
            "input.value",
            r"event.hands\[0\]: a text belongs here",
        ),
        (
            {"event": {"type": "Acted", "seat": 0, "action": "9x", "bot": False}},
            "input.action",
            "event.action: '9x' is not an action",
        ),
        (
            {"event": {"type": "Acted", "seat": 0, "action": "9b", "bot": 0}},
            "input.value",
            "event.bot: true or false belongs here",
        ),
    ],
)
def test_a_wrong_field_is_named(change: dict[str, object], code: str, words: str) -> None:
    """The error says where and what."""
    line = json.dumps({**json.loads(LINE), **change}, sort_keys=True, separators=(",", ":"))
    with pytest.raises(NotUnderstood, match=words) as caught:
        decode(line.encode())
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"", "input.json"),
        (b"[]", "input.value"),
        (b"\xff", "input.json"),
        (b'{"at":NaN}', "input.json"),
        (b'{"at":1,"at":2}', "input.json"),
        (b"[" * 60_000, "input.json"),
        (b"1" * 5_000, "input.json"),
        (b" " * (MAX_BYTES + 1), "input.line"),
        (LINE.replace(b'"at":5', b'"at": 5'), "input.json"),
        (LINE.replace(b"c1", b"\\ud800"), "input.value"),
        (LINE.replace(b"c1", b"\\u0063"), "input.json"),
    ],
)
def test_what_is_not_canonical_json_is_refused(line: bytes, code: str) -> None:
    """One text for each entry, and nothing else is one."""
    with pytest.raises(NotUnderstood) as caught:
        decode(line)
    assert caught.value.code == code


def test_programs_may_write_commands_loosely() -> None:
    """Blanks are fine, and fields with a default may be missing; unknown ones may not."""
    line = b'{ "id": "7", "command": {"type": "Sit", "name": "Ada"} }'
    assert read_command(line) == CommandBody("7", Sit("Ada"))
    for command in (Sit("Ada", 1, "ab"), AddBot(1, "sharp"), Act(Action("5b"), 1, 7)):
        assert read_command(write_command(CommandBody("7", command))) == CommandBody("7", command)
    for bad in (line.replace(b'"7"', b'"a b"'), line.replace(b'"7"', b'""')):
        with pytest.raises(NotUnderstood, match="is not an id"):
            read_command(bad)
    with pytest.raises(NotUnderstood, match="unknown field 'age'"):
        read_command(line.replace(b'"name"', b'"age": 3, "name"'))


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        (
            b'{"id":"7","id":"8","command":{"type":"Start"}}',
            "input.json",
            "the key 'id' appears twice",
        ),
        (b'{"id":"7","command":{"type":"Start","type":"Start"}}', "input.json", "appears twice"),
        (b'{"id":"7","command":{"type":"Kick","seat":NaN}}', "input.json", "NaN is not JSON"),
        (b'{"id":"7","command":{"type":"Kick","seat":1.0}}', "input.value", "seat: a whole number"),
        (
            b'{"id":"7","command":{"type":"Kick","seat":7}}',
            "input.value",
            "command.seat: a whole number from 0 to 4 belongs here, not 7",
        ),
        (
            b'{"id":"7","command":{"type":"Act","action":"5b","turn":-1}}',
            "input.value",
            "command.turn: a whole number from 0 to 9007199254740992 or null belongs here, not -1",
        ),
        (
            b'{"id":"7","command":{"type":"Act","action":"5b","turn":18014398509481984}}',
            "input.value",
            "turn: a whole number from 0 to 9007199254740992 or null belongs here, not 18014",
        ),
        (b'{"id":"\\ud800","command":{"type":"Start"}}', "input.value", "id: the text is not"),
        (b'{"id":"7","command":{"type":"Act","action":"=7"}}', "input.action", "command.action: 7"),
        (b'{"id":"7","command":{"type":"Act","action":5}}', "input.value", "a text belongs here"),
        (b'{"id":"7","command":{"type":"Say"}}', "input.field", "missing field 'text'"),
        (b'{"id":"7","command":{"type":["Say"]}}', "input.type", "is none of Sit, Leave"),
        (b'{"id":"7"}', "input.field", "missing field 'command'; the fields are id, command"),
        (b"[" * 70_000, "input.line", "longer than"),
    ],
)
def test_commands_that_make_no_sense_are_explained(line: bytes, code: str, words: str) -> None:
    """The place, and what belongs there."""
    with pytest.raises(NotUnderstood, match=words) as caught:
        read_command(line)
    assert caught.value.code == code


@pytest.mark.parametrize("kind", [CommandBody, messages.Message, Settings, Entry])
def test_other_languages_can_know_the_types(kind: object) -> None:
    """Every struct has a JSON Schema with a description; what is sent agrees with it."""
    schema = msgspec.json.schema(kind, schema_hook=schema_of)
    structs = schema["$defs"]
    assert isinstance(structs, dict)
    assert all(struct["description"] for struct in structs.values())
    assert all(struct["additionalProperties"] is False for struct in structs.values())
    assert all(-(2**53) <= low <= high <= 2**53 for low, high in bounds(schema))
    assert len(list(bounds(schema))) > 3


def bounds(schema: object) -> Iterator[tuple[int, int]]:
    """The bounds of every number: one without would be read beyond what others can hold."""
    if isinstance(schema, dict):
        if schema.get("type") == "integer":
            yield schema["minimum"], schema["maximum"]
        for inner in schema.values():
            yield from bounds(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from bounds(inner)


def test_nothing_but_messages_is_written() -> None:
    """A round that slipped into a message would be an error, not a text."""
    assert party().table.round is not None
    with pytest.raises(TypeError, match="Round is not for others"):
        messages.encode(Done("1", party().table.round))  # type: ignore[arg-type]


def test_settings_that_cannot_be_are_refused() -> None:
    """Before the table is opened."""
    for settings in (Settings(3, move_ms=-1), Settings(3, grace_ms=10**9), Settings(3, cover="!")):
        with pytest.raises(NotUnderstood):
            settings.check()
