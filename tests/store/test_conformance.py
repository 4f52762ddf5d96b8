"""The suite, against SQLite, PostgreSQL and the model that the other tests trust."""

from __future__ import annotations

from pathlib import Path

import pytest
from store.conformance import Conformance, Opener, Shared
from store.model import Model

from catinthebox.store import Store, open_store


class TestModel(Conformance):
    """The oracle itself."""

    @pytest.fixture
    def opener(self) -> Opener:
        """The store that is tested."""
        model = Model()

        def open_model() -> Store:
            model.closed = False
            return model

        return open_model


class TestSqlite(Shared):
    """A file in a temporary folder."""

    @pytest.fixture
    def opener(self, sqlite_path: Path) -> Opener:
        """The store that is tested."""
        return lambda: open_store(sqlite_path)

    @pytest.fixture
    def reader(self, sqlite_path: Path) -> Opener:
        """The same, to be read."""
        return lambda: open_store(str(sqlite_path), readonly=True)


class TestPostgres(Shared):
    """A real server."""

    @pytest.fixture
    def opener(self, postgres_url: str) -> Opener:
        """The store that is tested."""
        return lambda: open_store(postgres_url)

    @pytest.fixture
    def reader(self, postgres_url: str) -> Opener:
        """The same, to be read."""
        return lambda: open_store(postgres_url, readonly=True)
