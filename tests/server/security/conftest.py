"""A server that strangers attack, one for each file of tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from server.bad_frames import STILL
from server.harness import House, house


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("attacked"), pace=STILL) as running:
        yield running
