"""The HTTP part as an OpenAPI document, made from one list of everything that may be asked.

The list says of each door what it takes and what it answers; a test holds it against the doors
themselves. Refusals are `Refused`, whatever their status.

>>> sorted(OPERATIONS[0].statuses)
[201, 400, 403, 408, 413, 415, 421, 429, 431, 500]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from ..game import Action
from ..table.messages import Done, Refused, Snapshot, Why
from ..table.wire import schema_of
from .answers import JSON
from .doors import API
from .edge import KEY
from .metrics import CONTENT_TYPE
from .ndjson import MEDIA as NDJSON
from .routes_records import GAME, MOST
from .routes_tables import TABLE
from .wire import (
    TOKEN_PATTERN,
    Addresses,
    Command,
    Health,
    Levels,
    Links,
    Opened,
    OpenTable,
    Replayed,
    Tables,
    Token,
    ToReplay,
)

Schema: TypeAlias = dict[str, Any]

PLAIN: Final = "text/plain"
ABOUT: Final = """\
Open a table, sit down, bring bots, play. What happens at a table comes as a stream of messages, \
over a WebSocket or as lines of JSON; stream.schema.json describes them, docs/protocol.md explains \
both.

A person is whoever knows a secret token. A browser draws one by chance, or asks for one. Bodies \
are JSON and read strictly: an unknown field is an error. Every GET may be a HEAD."""


# ── What is refused, and how ─────────────────────────────────────────────────────────────────

REFUSALS: Final = {  # by status: a name, and what it means
    400: ("NotUnderstood", "Something is wrong with the path, a parameter, a header or the body."),
    401: ("NoToken", "This needs a token, or what was sent is not one."),
    403: ("NotYours", "This is for somebody else: the host, a seat, an address, another page."),
    404: ("Unknown", "There is no table by this name, or nothing at this path."),
    408: ("TooSlow", "The body did not arrive in time."),
    409: ("NotNow", "The table, or the rules, do not allow it now; `code` and `clause` say why."),
    410: ("Damaged", "The stored log of this table is damaged; nobody can go on from it."),
    413: ("TooLarge", "The body is too large."),
    415: ("NotJson", "The body is not announced as JSON, or it is compressed."),
    421: ("OtherName", "The server does not go by the name that the request gives it."),
    426: ("Upgrade", "Here is a WebSocket, and this was a plain request."),
    429: ("TooMuch", "Too much, or too fast; wait for as long as it says."),
    431: ("HeadTooLarge", "The headers are too large."),
    500: ("Failure", "A server error."),
    503: ("NotJustNow", "Nothing has changed, and the same may be sent again in a while."),
}
ALWAYS: Final = frozenset({400, 408, 413, 415, 421, 431, 500})  # whatever is asked
WAIT: Final = {"Retry-After": {"description": "seconds", "schema": {"type": "integer"}}}
HEADERS: Final[dict[int, Schema]] = {
    401: {"WWW-Authenticate": {"schema": {"const": "Bearer"}}},
    429: WAIT,
    503: WAIT,
}
BEARER: Final[Schema] = {
    "type": "http",
    "scheme": "bearer",
    "description": f"256 bits of chance in base64url: {TOKEN_PATTERN}",
}


# ── What may be asked ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Answer:
    """What is answered if all is well, or as well as can be."""

    sentence: str
    kind: type[Struct] | Schema | None = None
    media: str = JSON
    status: int = 200


@dataclass(frozen=True)
class Operation:
    """What may be asked by a method at a path."""

    method: str
    path: str
    id: str
    summary: str
    answers: tuple[Answer, ...]
    token: Literal["no", "may", "must"] = "no"
    refused: frozenset[int] = frozenset()  # besides what is refused always
    query: Mapping[str, Schema] = field(default_factory=dict)  # with "required", where it is
    body: type[Struct] | Schema | None = None
    limited: bool = True  # whether requests are counted

    @property
    def refusals(self) -> frozenset[int]:
        """Every status with which it may be refused."""
        found = ALWAYS | self.refused
        found |= {403} if self.method == "POST" else set()  # pages of other sites
        found |= {401} if self.token != "no" else set()
        found |= {429} if self.limited else set()
        return found - {answer.status for answer in self.answers}

    @property
    def statuses(self) -> frozenset[int]:
        """Every status that it may be answered with."""
        return self.refusals | {answer.status for answer in self.answers}


NOTHING: Final[Schema] = {"type": "object", "additionalProperties": False}
LINES: Final[Schema] = {
    "type": "string",
    "description": "a `FromServer` of stream.schema.json on each line",
}
RECORD: Final[Schema] = {"type": "object", "description": "docs/records.md has its fields"}
VERSION: Final[Schema] = {
    "description": "the last version that was seen; what came after it is sent again",
    "schema": {"type": "integer", "minimum": 0, "maximum": 10**15 - 1},
}
ACTION: Final[Schema] = {"required": True, "schema": schema_of(Action)}
IN_PATH: Final[dict[str, Schema]] = {
    "key": {
        "description": "the key of a link; to play, to watch, and for one game's record to replay",
        "schema": {"type": "string", "pattern": f"^{KEY.pattern}$"},
    },
    "number": {
        "description": "a game at the table, from 1",
        "schema": {"type": "integer", "minimum": 1, "maximum": MOST},
    },
}
AT_TABLE: Final = frozenset({404, 410, 503})

OPERATIONS: Final = (
    Operation(
        *("POST", f"{API}/token", "drawToken", "Draw a secret token"),
        (Answer("A new token.", Token, status=201),),
        body=NOTHING,
    ),
    Operation(
        *("GET", f"{API}/tables", "listTables", "List the open tables"),
        (Answer("Those that everybody may find.", Tables),),
        refused=frozenset({503}),
    ),
    Operation(
        *("POST", f"{API}/tables", "openTable", "Open a table"),
        (Answer("It is open, and everything that was wished for is done.", Opened, status=201),),
        token="must",
        refused=frozenset({409, 503}),
        body=OpenTable,
    ),
    Operation(
        *("GET", TABLE, "showTable", "Show a table as it stands"),
        (Answer("Everything that whoever asks may know.", Snapshot),),
        token="may",
        refused=AT_TABLE | {403},
    ),
    Operation(
        *("POST", f"{TABLE}/commands", "sendCommand", "Ask something of a table"),
        (Answer("It is done, now or before.", Done),),
        token="must",
        refused=AT_TABLE | {409},
        body=Command,
    ),
    Operation(
        *("GET", f"{TABLE}/why", "askWhy", "Ask why an action is not legal now"),
        (Answer("Why; nothing if it is legal.", Why),),
        token="must",
        refused=AT_TABLE | {403},
        query={"action": ACTION},
    ),
    Operation(
        *("GET", f"{TABLE}/links", "listLinks", "List the links of a table"),
        (Answer("Those that the holder of this key may pass on.", Links),),
        refused=AT_TABLE,
    ),
    Operation(
        *("GET", f"{TABLE}/events", "readEvents", "Read what happens, line by line"),
        (Answer("A stream without an end.", LINES, NDJSON),),
        token="may",
        refused=AT_TABLE | {403},
        query={"version": VERSION},
    ),
    Operation(
        *("GET", f"{TABLE}/socket", "openSocket", "Open a WebSocket"),
        (Answer("Messages of stream.schema.json, both ways; a `Hello` is the first.", status=101),),
        refused=AT_TABLE | {403, 426},
    ),
    Operation(
        *("GET", f"{GAME}/record.cat", "readRecord", "Read the record of a finished game"),
        (Answer("As people read it (docs/records.md).", {"type": "string"}, PLAIN),),
        refused=AT_TABLE | {409},
    ),
    Operation(
        *("GET", f"{GAME}/record.json", "readJsonRecord", "Read the same as JSON"),
        (Answer("As programs read it.", RECORD),),
        refused=AT_TABLE | {409},
    ),
    Operation(
        *("GET", f"{GAME}/replay.json", "replayGame", "Show a finished game, move by move"),
        (Answer("Its record, and every position of it.", Replayed),),
        refused=AT_TABLE | {409},
    ),
    Operation(
        *("POST", f"{API}/replay", "replayRecord", "Show a game of a record, move by move"),
        (Answer("The record as JSON, and every position of it.", Replayed),),
        body=ToReplay,
        refused=frozenset({503}),
    ),
    Operation(
        *("GET", f"{API}/levels", "listLevels", "List the bots that are offered"),
        (Answer("The gentlest first.", Levels),),
    ),
    Operation(
        *("GET", f"{API}/addresses", "listAddresses", "Ask where others find this server"),
        (Answer("What to put into an invitation, on the server's own machine.", Addresses),),
    ),
    Operation(
        *("GET", f"{API}/openapi.json", "describeHttp", "Give this document"),
        (Answer("OpenAPI 3.1.", {"type": "object"}),),
    ),
    Operation(
        *("GET", f"{API}/stream.schema.json", "describeStream", "Describe the stream's messages"),
        (Answer("JSON Schema 2020-12.", {"type": "object"}, "application/schema+json"),),
    ),
    Operation(
        *("GET", f"{API}/types.ts", "describeTypes", "Describe all of it for TypeScript"),
        (Answer("A module of types.", {"type": "string"}, PLAIN),),
    ),
    Operation(
        *("GET", "/healthz", "isAlive", "Ask whether the server is alive"),
        (Answer("It is.", Health),),
        limited=False,
    ),
    Operation(
        *("GET", "/readyz", "isReady", "Ask whether the server takes part"),
        (Answer("It does.", Health), Answer("Not now, and why.", Health, status=503)),
        limited=False,
    ),
    Operation(
        *("GET", "/metrics", "readMetrics", "Read the numbers, from an address that may"),
        (Answer("For Prometheus.", {"type": "string"}, CONTENT_TYPE.partition(";")[0]),),
        refused=frozenset({403}),
    ),
)


def _structs(kinds: list[type[Struct] | Schema | None]) -> tuple[type[Struct], ...]:
    return tuple(dict.fromkeys(kind for kind in kinds if isinstance(kind, type)))


BODIES: Final = _structs([operation.body for operation in OPERATIONS])
ANSWERS: Final = _structs(
    [Refused, *(answer.kind for operation in OPERATIONS for answer in operation.answers)]
)


# ── The document ─────────────────────────────────────────────────────────────────────────────


def document(schemas: Mapping[str, Schema]) -> Schema:
    """Give the document; `schemas` are those of everything that is sent."""
    paths: dict[str, Schema] = {}
    for operation in OPERATIONS:
        path = paths.setdefault(operation.path, _path(operation.path))
        path[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "catinthebox", "version": "1", "description": ABOUT},
        "paths": paths,
        "components": {
            "schemas": dict(schemas),
            "responses": {name: _refused(status) for status, (name, _) in REFUSALS.items()},
            "securitySchemes": {"token": BEARER},
        },
    }


def _path(path: str) -> Schema:
    inside = [
        {"name": name, "in": "path", "required": True, **about}
        for name, about in IN_PATH.items()
        if f"{{{name}}}" in path
    ]
    return {"parameters": inside} if inside else {}


def _operation(operation: Operation) -> Schema:
    responses = {str(answer.status): _answered(answer) for answer in operation.answers}
    for status in sorted(operation.refusals):
        responses[str(status)] = {"$ref": f"#/components/responses/{REFUSALS[status][0]}"}
    about: Schema = {"operationId": operation.id, "summary": operation.summary}
    if operation.query:
        about["parameters"] = [
            {"name": name, "in": "query", **given} for name, given in operation.query.items()
        ]
    if operation.body is not None:
        about["requestBody"] = {"required": True, "content": {JSON: _schema(operation.body)}}
    needed: list[Schema] = [{"token": []}]
    about["security"] = {"no": [], "may": [{}, *needed], "must": needed}[operation.token]
    return about | {"responses": responses}


def _answered(answer: Answer) -> Schema:
    if answer.kind is None:
        return {"description": answer.sentence}
    return {"description": answer.sentence, "content": {answer.media: _schema(answer.kind)}}


def _refused(status: int) -> Schema:
    headers = {"headers": HEADERS[status]} if status in HEADERS else {}
    return _answered(Answer(REFUSALS[status][1], Refused)) | headers


def _schema(kind: type[Struct] | Schema) -> Schema:
    if isinstance(kind, type):
        return {"schema": {"$ref": f"#/components/schemas/{kind.__name__}"}}
    return {"schema": kind}
