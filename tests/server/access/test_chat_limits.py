"""Talk is limited for a seat, a person and an address; new tokens give nobody more of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from server.harness import RunningServer, bearer, running_server

from catinthebox.server.access.rate_limits import RateLimits
from catinthebox.server.errors import Limited
from catinthebox.server.ops.limits import Limits, Rate

FREE = Limits.unlimited()
TWO = Rate(0.001, 2)


def said(rate_limits: RateLimits, seat: int, who: str, address: str, table: str = "t") -> bool:
    """Whether something may be said."""
    try:
        rate_limits.chat(table, seat, who, address)
    except Limited as error:
        return error.code != "limit.chat"
    return True


def test_a_seat_has_one_allowance_for_all_its_people() -> None:
    """From any address, under any token; another seat and another table have their own."""
    rate_limits = RateLimits(replace(FREE, seat_chat=TWO), lambda: 0.0)
    visitors = [said(rate_limits, 1, f"visitor {n}", f"address {n}") for n in range(9)]
    assert visitors == [True, True, *[False] * 7]
    assert said(rate_limits, 0, "ada", "address 1")
    assert said(rate_limits, 1, "ada", "address 1", table="other")


def test_a_person_has_one_allowance_at_a_table() -> None:
    """Also for who takes one seat after the other."""
    rate_limits = RateLimits(replace(FREE, seat_chat=TWO), lambda: 0.0)
    assert [said(rate_limits, seat, "ada", "here") for seat in range(4)] == [
        True,
        True,
        False,
        False,
    ]


def test_an_address_has_one_allowance_everywhere() -> None:
    """Whatever seats, people and tables it has; other addresses have their own."""
    rate_limits = RateLimits(replace(FREE, address_chat=TWO), lambda: 0.0)
    assert [said(rate_limits, n, f"{n}", "here", f"{n}") for n in range(4)] == [
        True,
        True,
        False,
        False,
    ]
    assert said(rate_limits, 0, "0", "there", "0")


def test_what_is_refused_for_the_seat_costs_its_new_owner_nothing() -> None:
    """Somebody who follows a chatterer may talk as soon as the seat may."""
    now = 0.0
    rate_limits = RateLimits(replace(FREE, seat_chat=Rate(1, 2), address_chat=TWO), lambda: now)
    assert all(said(rate_limits, 1, "chatterer", "there") for _ in range(2))
    assert not any(said(rate_limits, 1, "ada", "here") for _ in range(9))
    now = 2.0
    assert all(said(rate_limits, 1, "ada", "here") for _ in range(2))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningServer]:
    limits = replace(FREE, seat_chat=Rate(0.001, 5), address_chat=Rate(0.001, 12))
    with running_server(tmp_path, limits=limits, proxies=("127.0.0.1",)) as running:
        yield running


def test_throw_away_tokens_do_not_fill_a_talk(server: RunningServer) -> None:
    """Twelve of them from four addresses had sixty lines, once; a seat has five."""
    table = server.open("Ada", players=2)

    def do(who: str, address: str, id: str, **command: object) -> int:
        headers = {**bearer(who), "X-Forwarded-For": address}
        body = {"id": id, "command": command}
        answer = server.http.post(f"/api/v1/tables/{table}/commands", json=body, headers=headers)
        return answer.status_code

    statuses = []
    for number in range(12):
        who, address = f"Visitor {number}", f"198.51.100.{number % 4}"
        assert do(who, address, "sit", type="Sit", name=who) == 200
        statuses += [do(who, address, f"s{n}", type="Say", text="laugh") for n in range(5)]
        assert do(who, address, "leave", type="Leave") == 200
    assert statuses == [200] * 5 + [429] * 55
    assert do("Ada", "203.0.113.1", "s", type="Say", text="hello") == 200
