"""Stores to test with: each test gets an empty one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from store.cluster import Cluster, start, worker


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The server that all workers share; the last one that leaves stops it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    cluster = start(f"{shared.parent.name}-{shared.name}")
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def database(cluster: Cluster) -> str:
    """A data base for this worker."""
    return cluster.database(worker())


@pytest.fixture
def postgres_url(database: str) -> str:
    """The worker's data base, with nothing in it."""
    with psycopg.connect(database, autocommit=True) as line:
        line.execute("DROP SCHEMA IF EXISTS catinthebox CASCADE")
    return database


@pytest.fixture
def sqlite_path(tmp_path: Path) -> Path:
    """A file that does not exist yet."""
    return tmp_path / "games.db"
