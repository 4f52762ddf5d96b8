"""The walk of a move: how calls are counted, and that a real move visits every station."""

from __future__ import annotations

from types import CodeType

import pytest

from bench.walk import (
    CONNECTION,
    MODULES,
    PACKAGE,
    STATIONS,
    Event,
    Track,
    Walk,
    table,
    walk_once,
)


def code(name: str, file: str) -> CodeType:
    """Make the code of a function that is in a file of the package."""
    return compile("", str(PACKAGE / file), "exec").replace(co_name=name)


SOCKET, HUB, FOLD = (
    code("read", "server/transport/websocket.py"),
    code("do", "server/live/hub.py"),
    code("apply", "table/fold.py"),
)
RULES = code("play", "rules/round.py")


def test_every_named_module_exists() -> None:
    """A module that was moved or renamed would be counted at the station of its caller."""
    for start, station in MODULES.items():
        assert station in STATIONS
        assert (PACKAGE / start).is_dir() or (PACKAGE / f"{start}.py").is_file(), start


def test_a_call_belongs_to_the_station_of_its_module_or_of_its_caller() -> None:
    """The rules are called by the fold and belong to it; what was under way before counts not."""
    steps = (SOCKET, True), (HUB, True), (FOLD, True), (RULES, True)
    back = (RULES, False), (FOLD, False), (HUB, False), (SOCKET, False)
    clock = range(0, 1000, 10)
    begun = Event(code("run", "server/ops/run.py"), True, False, 0, 0)
    events = [
        Event(function, entered, False, at, at)
        for (function, entered), at in zip((*steps, *back), clock, strict=False)
    ]
    found = Walk()
    found.follow(Track([begun, *events], start=1), lag=1.0)
    assert [(call.code.co_name, call.station, call.depth) for call in found.calls] == [
        ("read", CONNECTION, 1),
        ("do", "hub", 2),
        ("apply", "fold", 3),
        ("play", "fold", 4),
    ]
    assert found.spent == {CONNECTION: 18, "hub": 18, "fold": 27}


def test_waiting_for_a_lock_takes_no_time() -> None:
    """A thread that sleeps until it is needed does nothing for the move."""
    events = [
        Event(HUB, True, False, 0, 0),
        Event(None, False, True, 10, 10),  # it begins to wait …
        Event(None, False, False, 900, 900),  # … and is woken
        Event(HUB, False, False, 905, 905),
    ]
    found = Walk()
    found.follow(Track(events, start=0), lag=0.0)
    assert found.spent == {"hub": 15}


@pytest.mark.long
@pytest.mark.timing
def test_a_real_move_visits_every_station() -> None:
    """A move is read, decided, stored, folded and sent to four players."""
    found = walk_once(card=2, seed=7, lag=0.0)
    assert {call.station for call in found.calls} == {*STATIONS}
    lines = list(table(found))
    assert len(lines) == len(STATIONS) + 3
    assert "one move" in lines[-1]
