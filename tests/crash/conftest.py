"""A real PostgreSQL for servers that are killed."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from store.cluster import Cluster, start, worker


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The server that all tests share; the last one that leaves stops it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    cluster = start(f"{shared.parent.name}-{shared.name}")
    yield cluster
    cluster.stop()


@pytest.fixture
def postgres_url(cluster: Cluster) -> str:
    """An empty data base."""
    return cluster.database(f"crash_{worker()}")
