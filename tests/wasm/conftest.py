"""The module of the rules in both engines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from wasm.engines import Bridge, Engine, compiled, started


@pytest.fixture(
    scope="session", params=["wasmtime", pytest.param("node", marks=pytest.mark.process)]
)
def engine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    """The module, running in each engine in turn."""
    with started(request.param, tmp_path_factory.mktemp("wasm")) as running:
        yield running


@pytest.fixture(scope="session")
def bridge(engine: Engine) -> Bridge:
    """Its functions, to be called like rules."""
    return Bridge(engine, compiled()[0])
