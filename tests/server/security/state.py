"""What an attack could change."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from server.harness import RunningServer


def state(server: RunningServer) -> dict[str, tuple[int, int]]:
    """How far every table is: in memory, and in the store."""
    hub = server.parts.hub
    return {id: (live.table.version, hub.store.last(id)) for id, live in hub.tables.items()}


@contextmanager
def unchanged(server: RunningServer) -> Iterator[None]:
    """Insist that nothing happens meanwhile, at any table."""
    before = state(server)
    yield
    assert state(server) == before
