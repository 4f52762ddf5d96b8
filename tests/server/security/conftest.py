"""A server that strangers attack, one for each file of tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from server.harness import RunningServer, running_server
from server.malformed import STILL


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("attacked"), pace=STILL) as running:
        yield running
