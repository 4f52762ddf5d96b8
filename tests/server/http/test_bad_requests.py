"""Requests that our own OpenAPI document leads to, good ones and bad ones, and bytes that are none.

schemathesis makes them from the document that a running server gives away. Whatever is asked, the
answer is one that the document describes; no mistake of ours is among them; what is refused has
changed nothing. `CATINTHEBOX_SOAK=1` asks ten times as much, and something else each time.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks
from server.harness import RunningServer, bearer, public_id, running_server
from server.http.test_routes_records import finish
from server.malformed import SOAK, STILL, Flat
from server.raw_bytes import HOST, head, raw, status
from waiting import HANG

from catinthebox.server.http import documents
from catinthebox.server.http.documents import ROUTES
from catinthebox.server.ops.limits import Limits
from catinthebox.server.ops.logs import LogBridge

DOCUMENT: Final[dict[str, Any]] = json.loads(documents.DOCUMENTS["openapi"]())
API: Final = schemathesis.openapi.from_dict(DOCUMENT)
IDS: Final = [route.id for route in ROUTES]
AT_TABLE: Final = [route.id for route in ROUTES if "{key}" in route.path]
CHECKS: Final = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
LAW = settings(
    max_examples=40 * SOAK,
    deadline=None,
    derandomize=SOAK == 1,
    database=None,
    suppress_health_check=list(HealthCheck),  # a strategy of somebody else's may be slow
)
FEW = settings(LAW, max_examples=10 * SOAK)
SECONDS: Final = HANG


class Site:
    """A server, and tables at which something could happen."""

    def __init__(self, server: RunningServer) -> None:
        self.server = server
        self.lobby = server.open("Ada")
        self.game = server.game("Ada")
        self.over = server.game("Ada")
        finish(server, self.over)
        self.tables = (self.lobby, self.game, self.over)
        self.session = requests.Session()
        self.statuses: Counter[int] = Counter()

    def state(self) -> list[object]:
        """How far every table is: in memory, and in the store; and how many there are."""
        hub = self.server.parts.hub
        ids = map(public_id, self.tables)
        versions = [(hub.tables[id].table.version, hub.store.last(id)) for id in ids]
        return [*versions, len(hub.tables)]

    def ask(self, case: Case[Any], who: str) -> None:
        """Ask, and insist that the answer is described; if it is no, nothing has happened."""
        before = self.state()
        answer = case.call(
            f"http://127.0.0.1:{self.server.port}",
            session=self.session,
            headers=bearer(who) if who else None,
            timeout=SECONDS,
        )
        case.validate_response(answer, checks=CHECKS)
        self.statuses[answer.status_code] += 1
        if case.method.upper() == "GET" or answer.status_code >= 400:
            assert self.state() == before, case
        if answer.status_code >= 400:
            received = answer.json()
            assert received["type"] == "Refused"
            assert len(answer.content) < 8192
        if answer.status_code == 201 and "table" in answer.json():
            close = {"id": "c", "command": {"type": "Close"}}  # no more than a few at once
            path = f"/api/v1/tables/{answer.json()['table']}/commands"
            assert self.server.post(path, close, who).status_code == 200


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_server(tmp_path_factory.mktemp("requests"), pace=STILL) as server:
        found = Site(server)
        soon = replace(Limits(), heartbeat_s=0.2, idle_s=0.1)
        server.parts.monitor._limits = soon  # from now on streams end by themselves
        yield found
        found.session.close()
        assert not [line for line in server.lines if '"failure"' in line]
        assert server.do(found.lobby, "Ada", "good", type="Say", text="hello").status_code == 200


def cases(id: str, mode: GenerationMode, **fixed: Any) -> st.SearchStrategy[Case[Any]]:
    """Return what schemathesis makes of an operation."""
    operation = API.find_operation_by_id(id)
    return operation.as_strategy(generation_mode=mode, **fixed)


def changeable(id: str) -> bool:
    """Whether anything about a request can be wrong: it has a parameter, or a body."""
    (found,) = (route for route in ROUTES if route.id == id)
    return bool("{" in found.path or found.query or found.body or found.token == "must")


@pytest.mark.long
@pytest.mark.parametrize("id", IDS)
def test_what_the_document_allows_is_answered_as_it_says(site: Site, id: str) -> None:
    """Every operation; by somebody with a seat, by a stranger, by nobody."""

    @LAW
    @given(case=cases(id, GenerationMode.POSITIVE), who=st.sampled_from(["Ada", "Bohr", ""]))
    def law(case: Case[Any], who: str) -> None:
        site.ask(case, who)

    law()


@pytest.mark.long
@pytest.mark.parametrize("id", [id for id in IDS if changeable(id)])
def test_what_the_document_forbids_is_answered_as_it_says(site: Site, id: str) -> None:
    """Wrong types, missing and unknown fields, bad paths and tokens; a 4xx for each of them."""

    @LAW
    @given(case=cases(id, GenerationMode.NEGATIVE), who=st.sampled_from(["Ada", "Bohr"]))
    def law(case: Case[Any], who: str) -> None:
        site.ask(case, who)

    law()


@pytest.mark.long
@pytest.mark.parametrize("id", AT_TABLE)
@pytest.mark.parametrize("stage", ["lobby", "game", "over"])
def test_what_is_asked_of_real_tables_is_answered_as_it_says(
    site: Site, id: str, stage: str
) -> None:
    """Where the table is one that exists, so that more than its name is looked at."""
    fixed = {"id": getattr(site, stage), "number": 1}
    known = {name: value for name, value in fixed.items() if f"{{{name}}}" in path_of(id)}
    modes = [cases(id, mode, path_parameters=known) for mode in GenerationMode]
    bodies = id == "sendCommand"

    @(LAW if bodies else FEW)
    @given(case=st.one_of(modes[:1] if not bodies else modes), who=st.sampled_from(["Bohr", ""]))
    def law(case: Case[Any], who: str) -> None:
        site.ask(case, who)

    law()


def path_of(id: str) -> str:
    """Return the path of an operation."""
    (found,) = (route.path for route in ROUTES if route.id == id)
    return found


# ── Bytes ────────────────────────────────────────────────────────────────────────────────────

REQUESTS: Final = (
    head("GET /api/v1/levels HTTP/1.1", HOST),
    head("GET /api/v1/tables/x/why?action=5b HTTP/1.1", HOST, "Accept: */*"),
    head("POST /api/v1/token HTTP/1.1", HOST, "Content-Type: application/json", "Content-Length: 2")
    + b"{}",
    head(
        "POST /api/v1/token HTTP/1.1",
        *(HOST, "Content-Type: application/json", "Transfer-Encoding: chunked"),
    )
    + b"2\r\n{}\r\n0\r\n\r\n",
    head("GET /api/v1/tables/x/socket HTTP/1.1", HOST, "Connection: Upgrade", "Upgrade: websocket"),
)
LAST: Final = head("GET /healthz HTTP/1.1", HOST, "Connection: close")


def damaged(rng: Random) -> bytes:
    """Return a request in which a few bytes are different, missing, or too many."""
    request = bytearray(rng.choice(REQUESTS))
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(request))
        match rng.randrange(4):
            case 0:
                request[place] ^= 1 << rng.randrange(8)
            case 1:
                del request[place : place + rng.randrange(1, 20)]
            case 2:
                request[place:place] = rng.choice(
                    [b"\r\n", b"\x00", b"\xff", b" ", b":", b"1" * 30]
                )
            case _:
                request[place:place] = request[rng.randrange(len(request)) :][:30]
        if not request:
            return b"\r\n"
    return bytes(request)


@pytest.mark.long
def test_what_is_no_http_is_refused(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A status that is no mistake of ours, or the end of the connection; memory stays as it is."""
    handlers = [LogBridge(site.server.parts.logs)]  # and none that keeps what it is told
    monkeypatch.setattr(logging.getLogger(), "handlers", handlers)
    rng, found, before, flat = Random(3), Counter[int](), site.state(), Flat(100)
    for sent in range(500 * SOAK):
        flat.at(sent)
        request = damaged(rng)
        answer = raw(site.server, request, LAST, b"\r\n\r\n")
        found[status(answer)] += 1
        assert b" 500 " not in answer, request
    assert found[400] > 100 * SOAK
    assert max(found) < 500, found
    assert site.state() == before
    flat.end()


def test_refusals_are_short(site: Site) -> None:
    """However many faults there are in what was sent: nobody gets more than they send."""
    face = "face x\n" + "? " * 2000
    for change in ({"face": face}, {"edition": "x" * 9000}, {"face": "💥" * 900}, {"y" * 9000: 1}):
        request = {"settings": {"players": 3, **change}}
        answer = site.server.post("/api/v1/tables", request, "Ada")
        assert answer.status_code == 400
        assert len(answer.content) < 4200
