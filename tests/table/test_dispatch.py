"""Every event and every command has exactly one handler, named in one table."""

from __future__ import annotations

import ast
import inspect
import sys
from types import ModuleType
from typing import get_args

import pytest

from catinthebox.game import NotUnderstood
from catinthebox.protocol.commands import ClientCommand, Command
from catinthebox.table import (
    BrokenLog,
    Entry,
    Settings,
    create,
    decide_game,
    decide_people,
    fold,
    fold_game,
    fold_people,
    practice,
    replay,
    token_hash,
)
from catinthebox.table.events import Created, TableEvent

decide = sys.modules["catinthebox.table.decide"]  # the package exports a function of that name


def test_every_event_has_a_handler() -> None:
    """All but the first one, which makes the table."""
    assert set(fold.HANDLERS) == set(get_args(TableEvent)) - {Created}
    assert len(set(fold.HANDLERS.values())) == len(fold.HANDLERS)


def test_every_command_has_a_handler() -> None:
    """Those of clients, and coming and going."""
    assert set(get_args(ClientCommand)) < set(get_args(Command))
    assert set(decide.HANDLERS) == set(get_args(Command))
    assert len(set(decide.HANDLERS.values())) == len(decide.HANDLERS)


def test_what_is_no_command_is_refused() -> None:
    """With an error that quotes it, before anything is changed."""
    host, dealer = token_hash("Ada"), practice(seed=1)
    table = replay([create("t1", Settings(3), host, dealer.commitment("t1", 1), now=0)])
    with pytest.raises(NotUnderstood, match="'sit' is no command"):
        decide.decide(table, "sit", host, 1, dealer)


def test_what_is_no_event_breaks_the_log() -> None:
    """The error names the place in the log."""
    host, dealer = token_hash("Ada"), practice(seed=1)
    first = create("t1", Settings(3), host, dealer.commitment("t1", 1), now=0)
    with pytest.raises(BrokenLog, match="event 2, 'sat': no such event"):
        replay([first, Entry(1, "sat")])  # type: ignore[arg-type]
    with pytest.raises(BrokenLog, match="the first event opens the table"):
        replay([first, first])


@pytest.mark.parametrize("module", [fold, decide])
def test_no_entry_is_written_twice(module: ModuleType) -> None:
    """A second one would silently take the place of the first."""
    (table,) = [
        node.value
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "HANDLERS"
    ]
    assert isinstance(table, ast.Dict)
    assert len(table.keys) == len(module.HANDLERS)


@pytest.mark.parametrize(
    ("modules", "handlers"),
    [
        ((fold_game, fold_people), fold.HANDLERS),
        ((decide_game, decide_people), decide.HANDLERS),
    ],
)
def test_every_public_function_is_a_handler(
    modules: tuple[ModuleType, ...], handlers: dict[type, object]
) -> None:
    """One that is in no table would never be called."""
    for module in modules:
        for name, function in vars(module).items():
            own = inspect.isfunction(function) and function.__module__ == module.__name__
            if own and not name.startswith("_"):
                assert function in handlers.values(), name
