"""S47 to S49: people who trouble a table, over the wire."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from server.harness import RunningServer, bearer, refused, running_server
from server.malformed import STILL

from catinthebox.server.access.removals import Removals
from catinthebox.server.errors import Limited
from catinthebox.server.ops.limits import Limits, Rate
from catinthebox.table.state import Removed

HOME, CAFE, OFFICE = "192.0.2.1", "198.51.100.7", "203.0.113.9"


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server behind a proxy, so that a test has several addresses."""
    folder = tmp_path_factory.mktemp("street")
    with running_server(folder, pace=STILL, proxies=("127.0.0.1",)) as running:
        yield running


def do(
    street: RunningServer, table: str, who: str, address: str, id: str, **command: Any
) -> httpx.Response:
    """Ask for something from an address."""
    headers = bearer(who) | {"X-Forwarded-For": address}
    body = {"id": id, "command": command}
    return street.http.post(f"/api/v1/tables/{table}/commands", json=body, headers=headers)


def removed(street: RunningServer, host: str, person: str) -> str:
    """A table from which Ada has sent Mallory away; both at their addresses."""
    table = street.open("Ada")
    assert do(street, table, "Mal", person, "in", type="Sit", name="Mal").status_code == 200
    assert do(street, table, "Ada", host, "out", type="Kick", seat=1).status_code == 200
    return table


def test_s47_removed_people_stay_away(street: RunningServer) -> None:
    """By the token, and by the address for those with a new token; until the host forgives."""
    table = removed(street, HOME, CAFE)
    sit = {"type": "Sit", "name": "Newcomer"}
    assert refused(do(street, table, "Mal", OFFICE, "1", **sit)) == (403, "table.removed")
    answer = do(street, table, "Fresh", CAFE, "1", **sit)
    assert refused(answer) == (429, "limit.removed")
    assert answer.json()["retry_ms"] > 0
    assert do(street, table, "Somebody", OFFICE, "1", **sit).status_code == 200
    other = street.open("Ada")  # at another table nothing has happened
    assert do(street, other, "Fresh", CAFE, "1", **sit).status_code == 200
    assert do(street, table, "Ada", HOME, "2", type="Readmit", name="Mal").status_code == 200
    assert do(street, table, "Mal", CAFE, "2", type="Sit", name="Mal").status_code == 200


def test_a_family_at_one_address_is_not_locked_out(street: RunningServer) -> None:
    """Where the host has the same address only the token counts."""
    table = removed(street, HOME, HOME)
    sit = {"type": "Sit", "name": "Sister"}
    assert do(street, table, "Sister", HOME, "1", **sit).status_code == 200
    assert refused(do(street, table, "Mal", HOME, "1", **sit)) == (403, "table.removed")


def test_a_removal_by_address_ends() -> None:
    """After some minutes; a process remembers only so many of them."""
    now = 0.0
    removals = Removals(Limits(removal_s=600, buckets=2), clock=lambda: now)
    for number in range(4):
        removals.seen("t", f"person {number}", f"address {number}")
        removals.add("t", [Removed(f"person {number}", "Mal")], host="host")
    assert len(removals) == 2
    now = 599.0
    with pytest.raises(Limited, match="wait 1 s"):
        removals.check("t", "address 3")
    now = 600.0
    removals.check("t", "address 3")
    assert len(removals) == 1


def test_nobody_comes_and_goes_too_fast_to_be_sent_away(tmp_path: Path) -> None:
    """Sitting down has a rate for an address at a table."""
    limits = Limits(table_sits=Rate(0.001, 2))
    with running_server(tmp_path, pace=STILL, limits=limits) as server:
        table = server.open("Ada")
        for number in range(2):
            assert server.do(table, "Bo", f"in{number}", type="Sit", name="Bo").status_code == 200
            assert server.do(table, "Bo", f"out{number}", type="Leave").status_code == 200
        answer = server.do(table, "Bo", "in", type="Sit", name="Bo")
        assert refused(answer) == (429, "limit.sits")


def test_s48_nobody_passes_for_somebody_else(street: RunningServer) -> None:
    """What is invisible is dropped; mixed scripts, look-alikes and bots' names are refused."""
    table = street.open("Ada")
    for name in ("\u0410\u0501\u0430", "A\u034fda", "Ada\ufe0f", "\u3164Ada", "Quark", "GENTLE"):
        asked = street.do(table, "Mallory", "sit", type="Sit", name=name)
        assert refused(asked) == (409, "table.name_taken"), name
    for name, code in (("\u0410da", "input.name_mixed"), ("a" + "\u0301" * 39, "input.name")):
        assert refused(street.do(table, "Mallory", "sit", type="Sit", name=name)) == (400, code)
    assert [who["name"] for who in street.snapshot(table)["seats"]["seats"]] == ["Ada", "", ""]


def test_s49_nobody_stops_a_table_for_good(street: RunningServer) -> None:
    """Three pauses a round; then the others play."""
    table = street.open("Ada", players=2)
    street.do(table, "Bohr", "sit", type="Sit", name="Bohr")
    street.do(table, "Ada", "go", type="Start")
    for number in range(3):
        assert street.do(table, "Bohr", f"p{number}", type="Pause").status_code == 200
        assert street.do(table, "Ada", f"r{number}", type="Resume").status_code == 200
    answer = street.do(table, "Bohr", "p3", type="Pause")
    assert refused(answer) == (409, "table.pauses_spent")
    assert "next round" in answer.json()["message"]
    action = street.snapshot(table, "Ada")["own"]["legal"][0]
    assert street.do(table, "Ada", "m", type="Act", action=action).status_code == 200
