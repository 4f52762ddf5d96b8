"""Runs the client's own tools: unit tests, type check, linter and formatter."""

from __future__ import annotations

import subprocess

import pytest
from web.tools import NODE, NPM, WEB, environment, fetched

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("script", ["test", "check", "lint", "formatted"])
def test_script(script: str) -> None:
    """Vitest passes; svelte-check and ESLint find nothing wrong, Prettier nothing to change."""
    if not fetched(WEB):
        pytest.fail("Node's packages are missing: python tests/web/tools.py")
    ran = subprocess.run(
        [str(NODE), str(NPM), "run", script],
        cwd=WEB,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
