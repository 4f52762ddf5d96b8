"""The OpenAPI document is valid, and true of what a real server answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR
from server.harness import RunningServer, running_server

from catinthebox.server.http import documents, openapi, responses, schema

OPENAPI = documents.openapi()


def test_the_document_is_openapi() -> None:
    """By the schema of OpenAPI 3.1, by that of JSON Schema, and to a program that uses it."""
    OPENAPI_31_VALIDATOR.validate(OPENAPI)
    for described in OPENAPI["components"]["schemas"].values():
        jsonschema_rs.meta.validate({"$schema": schema.DIALECT, **described})
    loaded = schemathesis.openapi.from_dict(OPENAPI)
    found = {one.ok().label for one in loaded.get_all_operations() if isinstance(one, Ok)}
    assert found == {f"{one.method} {one.path}" for one in documents.ROUTES}
    assert "servers" not in OPENAPI


def test_every_route_is_declared_once() -> None:
    """Neither a name nor a method at a path is used by two routes."""
    ids = {route.id for route in documents.ROUTES}
    places = {(route.path, route.method) for route in documents.ROUTES}
    assert len(ids) == len(places) == len(documents.ROUTES)


def test_every_error_status_has_a_description() -> None:
    """Whatever status an error has, the document knows it."""
    assert set(responses.STATUSES.values()) <= set(openapi.ERRORS)
    used = frozenset[int]().union(*(route.error_statuses for route in documents.ROUTES))
    assert used == set(openapi.ERRORS)


# ── A real server ────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("schema")) as running:
        yield running


def check(path: str, method: str, answer: Any) -> int:
    """Insist that an answer is one that the document describes; return its status."""
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


def test_what_a_server_answers_is_described(server: RunningServer) -> None:
    """A game from the token to the record, with mistakes on the way."""
    table = server.game(visibility="open")
    at = f"/api/v1/tables/{table}"
    paths = {name: f"/api/v1/tables/{{key}}{name}" for name in ("", "/why", "/commands")}
    got = [
        check("/api/v1/token", "post", server.post("/api/v1/token", {})),
        check("/api/v1/token", "post", server.post("/api/v1/token", {"a": 1})),
        check("/api/v1/tables", "get", server.get("/api/v1/tables")),
        check("/api/v1/tables", "get", server.get("/api/v1/tables?x=1")),
        check(
            "/api/v1/tables", "post", server.post("/api/v1/tables", {"settings": {"players": 2}})
        ),
        check(paths[""], "get", server.get(at)),
        check(paths[""], "get", server.get(at, "Ada")),
        check(paths[""], "get", server.get("/api/v1/tables/nowhere")),
        check(paths["/why"], "get", server.get(f"{at}/why?action=5b", "Ada")),
        check(paths["/why"], "get", server.get(f"{at}/why?action=5b", "Bob")),
        check(paths["/why"], "get", server.get(f"{at}/why", "Ada")),
        check(paths["/commands"], "post", server.do(table, "Ada", "1", type="Say", text="wow")),
        check(paths["/commands"], "post", server.do(table, "Ada", "2", type="Start")),
        check(paths["/commands"], "post", server.do(table, "Bob", "3", type="Leave")),
    ]
    assert server.get("/api/v1/tables").json()["tables"][0]["table"] == table
    assert got == [201, 400, 200, 400, 401, 200, 200, 404, 200, 403, 400, 200, 409, 403]
    for path in ("/levels", "/openapi.json", "/stream.schema.json", "/types.ts"):
        assert check(f"/api/v1{path}", "get", server.get(f"/api/v1{path}")) == 200
    for path in ("/healthz", "/readyz", "/metrics"):
        assert check(path, "get", server.get(path)) == 200
    game = "/api/v1/tables/{key}/games/{number}/record.json"
    assert check(game, "get", server.get(f"{at}/games/1/record.json")) == 409
    assert check("/api/v1/tables/{key}/socket", "get", server.get(f"{at}/socket")) == 426


def test_documents_are_served(server: RunningServer) -> None:
    """As they are printed; anyone who writes a client needs nothing but a server."""
    for name, path in (("openapi", "openapi.json"), ("stream", "stream.schema.json")):
        assert server.get(f"/api/v1/{path}").text == documents.DOCUMENTS[name]()
    answer = server.get("/api/v1/types.ts")
    assert answer.text == documents.types()
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
