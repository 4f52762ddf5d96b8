"""The client in a real browser against the real server, as `web/e2e/scenarios` tells."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from web.tools import CHROMIUM, NODE, SITE, WEB, environment, fetched, has_browser

from catinthebox.server.http.static import WEB as BUILT

pytestmark = pytest.mark.browser

SCENARIOS = sorted(path.stem for path in (WEB / "e2e" / "scenarios").glob("*.mjs"))
SECONDS = 1800  # only for one that hangs; the slowest takes half a minute


@pytest.fixture(scope="module", autouse=True)
def tools() -> None:
    """What a scenario needs is there; `make test` has fetched it."""
    if not (BUILT / "index.html").exists():
        pytest.fail("the browser client is not built: make web")
    if not (SITE / "index.html").exists():
        pytest.fail("the client for a static host is not built: python tests/web/tools.py")
    if not fetched(WEB):
        pytest.fail("Node's packages are missing: python tests/web/tools.py")
    if not (has_browser() or fetched(CHROMIUM)):
        pytest.skip("no Chromium is installed, and none could be fetched from npm")


def run(name: str) -> tuple[int, str]:
    """Run a scenario. One that takes too long is asked to end, so that it can end its browser."""
    words = [str(NODE), str(Path("e2e") / "run.mjs"), name]
    with subprocess.Popen(
        words,
        cwd=WEB,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    ) as process:
        try:
            said, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
            said, _ = process.communicate()
        return process.returncode, said


@pytest.mark.skipif(os.name == "nt", reason="the scenarios end servers by SIGKILL")
@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str) -> None:
    """A scenario comes to its end, and no page complains on the way."""
    status, said = run(name)
    assert status == 0, said
