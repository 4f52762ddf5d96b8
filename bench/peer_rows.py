"""Make the peers' environment when it is first needed, run them in it, read their rows."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from pathlib import Path

from bench.timing import Row

ROOT = Path(__file__).parents[1]
PINS = Path(__file__).with_name("peers.txt")
FOLDER = ROOT / ".venv-peers"
STAMP = FOLDER / "peers.txt"  # a copy of the pins that are installed


def python() -> Path:
    """The interpreter of the peers' environment."""
    return FOLDER / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def install(*what: str) -> bool:
    """Ask pip; say whether it could."""
    pip = [str(python()), "-m", "pip", "--disable-pip-version-check", "-q", "install", *what]
    return subprocess.run(pip, capture_output=True, check=False).returncode == 0


def prepare() -> bool:
    """Install the pins; if not all of them can be, as many as can. Say whether any could."""
    pins = PINS.read_text("utf-8")
    if STAMP.exists() and STAMP.read_text("utf-8") == pins:
        return True
    print(f"setting up {FOLDER.name} for the peers, once; some minutes", flush=True)
    try:
        venv.create(FOLDER, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"skipped: all peers: {error}")
        return False
    (FOLDER / ".gitignore").write_text("*\n", "utf-8")
    if not (install("-r", str(PINS)) or install_one_by_one(pins)):
        print("skipped: all peers: pip cannot install any of them here")
        return False
    STAMP.write_text(pins, "utf-8")
    return True


def install_one_by_one(pins: str) -> bool:
    """Install what can be; say whether that was anything."""
    lines = [line for line in pins.splitlines() if line and not line.startswith("#")]
    missing = [line for line in lines if not install("--no-deps", line)]
    for line in missing:
        print(f"skipped: {line} cannot be installed here")
    return len(missing) < len(lines)


def peer_rows(seconds: float) -> list[Row]:
    """Return the rows of all peers that could be installed."""
    if not prepare():
        return []
    command = [str(python()), "-m", "bench.peers", "--seconds", str(seconds)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    rows = []
    for line in run.stdout.splitlines():
        if line.startswith('{"skipped"'):
            print(f"skipped: {json.loads(line)['skipped']}")
        elif line.startswith('{"name"'):
            rows.append(Row(**json.loads(line)))
    if run.returncode != 0:
        print(f"skipped: the other peers: {(run.stderr.splitlines() or ['?'])[-1]}")
    return rows
