"""The OpenAPI document, rendered from the declared routes.

Every error has the body `Refused`, whatever its status.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from ...protocol.fields import TOKEN_PATTERN
from ...protocol.messages import Refused
from ..access.tables import KEY
from ..live.links import SHORT_CODE
from .responses import JSON
from .routes_records import MAX_GAMES
from .routing import Answer, AnyRoute
from .schema import IN_OPENAPI, Schema, definitions, reachable

ABOUT: Final = """\
Open a table, sit down, add bots, play. Everything that happens at a table is sent as a stream of \
messages, over a WebSocket or as NDJSON; stream.schema.json describes them, docs/protocol.md \
explains both.

A person is identified by a secret token, which a client draws at random or requests. Bodies are \
JSON, and an unknown field is an error. HEAD works wherever GET does."""

ERRORS: Final = {  # by status: a name, and a description
    400: ("NotUnderstood", "The path, a parameter, a header or the body is invalid."),
    401: ("NoToken", "A token is missing or invalid."),
    403: (
        "NotYours",
        "This client may not do that: it is for the host, a seat, an address or an origin.",
    ),
    404: ("Unknown", "There is no table with this key, or nothing at this path."),
    408: ("TooSlow", "The body did not arrive in time."),
    409: ("NotNow", "The table or the rules do not allow it now; `code` and `clause` say why."),
    410: ("Damaged", "The stored log of this table is damaged; the game cannot continue."),
    413: ("TooLarge", "The body is too large."),
    415: ("NotJson", "The Content-Type is not JSON, or the body is compressed."),
    421: ("OtherName", "The Host header has no host name of this server."),
    426: ("Upgrade", "This path is a WebSocket; the request did not ask for an upgrade."),
    429: ("TooMuch", "A rate limit; retry after the given time."),
    431: ("HeadTooLarge", "The headers are too large."),
    500: ("Failure", "A server error."),
    503: ("NotJustNow", "Nothing has changed; the same may be sent again after a while."),
}
RETRY: Final = {"Retry-After": {"description": "seconds", "schema": {"type": "integer"}}}
ERROR_HEADERS: Final[dict[int, Schema]] = {
    401: {"WWW-Authenticate": {"schema": {"const": "Bearer"}}},
    429: RETRY,
    503: RETRY,
}
BEARER: Final[Schema] = {
    "type": "http",
    "scheme": "bearer",
    "description": f"256 random bits in base64url: {TOKEN_PATTERN}",
}
PATH_PARAMETERS: Final[dict[str, Schema]] = {
    "key": {
        "description": "the key in a link: to play, to watch, or to replay one game",
        "schema": {"type": "string", "pattern": f"^{KEY.pattern}$"},
    },
    "code": {
        "description": "a short code, in upper or lower case",
        "schema": {"type": "string", "pattern": f"^{SHORT_CODE.pattern}$"},
    },
    "date": {
        "description": "a date in UTC, such as 2026-11-15",
        "schema": {"type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
    },
    "number": {
        "description": "the number of a game at the table, from 1",
        "schema": {"type": "integer", "minimum": 1, "maximum": MAX_GAMES},
    },
}


def request_bodies(routes: Iterable[AnyRoute]) -> tuple[type[Struct], ...]:
    """Return the structs that clients send to some routes."""
    return _structs(route.body for route in routes)


def response_bodies(routes: Iterable[AnyRoute]) -> tuple[type[Struct], ...]:
    """Return the structs that some routes answer with, errors included."""
    answers = (answer.body for route in routes for answer in route.answers)
    return _structs((Refused, *answers))


def _structs(bodies: Iterable[type[Struct] | Schema | None]) -> tuple[type[Struct], ...]:
    return tuple(dict.fromkeys(body for body in bodies if isinstance(body, type)))


def document(routes: Iterable[AnyRoute]) -> Schema:
    """Return the OpenAPI document of some routes."""
    routes = tuple(routes)
    paths: dict[str, Schema] = {}
    for route in routes:
        path = paths.setdefault(route.path, _path(route.path))
        path[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "catinthebox", "version": "1", "description": ABOUT},
        "paths": paths,
        "components": {
            "schemas": _schemas(routes),
            "responses": {name: _error(status) for status, (name, _) in ERRORS.items()},
            "securitySchemes": {"token": BEARER},
        },
    }


def _schemas(routes: tuple[AnyRoute, ...]) -> dict[str, Schema]:
    requests, answers = request_bodies(routes), response_bodies(routes)
    found = definitions(requests, answers, IN_OPENAPI)
    names = [body.__name__ for body in (*requests, *answers)]
    used = {name: found[name] for name in sorted(reachable(found, names))}
    for schema in used.values():
        if "oneOf" in schema:  # the tags are the names of the schemas
            schema["discriminator"] = {"propertyName": "type"}
    return used


def _path(path: str) -> Schema:
    parameters = [
        {"name": name, "in": "path", "required": True, **about}
        for name, about in PATH_PARAMETERS.items()
        if f"{{{name}}}" in path
    ]
    return {"parameters": parameters} if parameters else {}


def _operation(route: AnyRoute) -> Schema:
    operation: Schema = {"operationId": route.id, "summary": route.summary}
    if route.query:
        operation["parameters"] = [
            {"name": name, "in": "query", **about} for name, about in route.query.items()
        ]
    if route.body is not None:
        operation["requestBody"] = {"required": True, "content": {JSON: _content(route.body)}}
    token: list[Schema] = [{"token": []}]
    operation["security"] = {"no": [], "may": [{}, *token], "must": token}[route.token]
    return operation | {"responses": _responses(route)}


def _responses(route: AnyRoute) -> Schema:
    responses = {str(answer.status): _answer(answer) for answer in route.answers}
    for status in sorted(route.error_statuses):
        responses[str(status)] = {"$ref": f"#/components/responses/{ERRORS[status][0]}"}
    return responses


def _answer(answer: Answer) -> Schema:
    if answer.body is None:
        return {"description": answer.description}
    return {"description": answer.description, "content": {answer.media: _content(answer.body)}}


def _error(status: int) -> Schema:
    headers = {"headers": ERROR_HEADERS[status]} if status in ERROR_HEADERS else {}
    return _answer(Answer(ERRORS[status][1], Refused)) | headers


def _content(body: type[Struct] | Schema) -> Schema:
    if isinstance(body, type):
        return {"schema": {"$ref": IN_OPENAPI.format(name=body.__name__)}}
    return {"schema": body}
