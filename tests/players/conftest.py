"""Players can be asked to think without a compiler."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from catinthebox.players import engine


def forget() -> None:
    for kept in (engine.tactics, engine.touch, engine.weights):
        kept.cache_clear()


@pytest.fixture
def without_compiler(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """A function after whose call nothing is compiled any more, until the test ends."""

    def interpret() -> None:
        monkeypatch.setattr(engine, "compiled", lambda: False)
        forget()

    yield interpret
    monkeypatch.undo()
    forget()
