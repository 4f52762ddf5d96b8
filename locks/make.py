"""Find the hashes of everything that `make` installs: `make lock` writes the locks of this folder.

`constraints.txt` chooses versions. A lock repeats them for one set of packages, with the SHA-256 of
every file that was published of each, for all systems and Pythons; pip installs nothing else from
it (`--require-hashes`). uv resolves for all of them at once, which pip cannot. Which index is asked
is a setting of the machine; the files do not name it, and published hashes are the same everywhere.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
OLDEST: Final = "3.11"  # what `requires-python` says
# For each lock: extras and dependency groups of pyproject.toml.
LOCKS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "play": (("fast", "serve"), ("build",)),
    "test": (("fast", "serve", "test", "check"), ("build",)),
    "ray": (("arena", "ray"), ("build", "pytest")),
    "lock": ((), ("lock",)),
}
AGAIN: Final = re.compile(r", -c constraints\.txt|(?<=via )-c constraints\.txt, ")  # true of all
HEAD: Final = (
    "# Made by `make lock` from pyproject.toml and constraints.txt; changes here are lost.\n"
)


def compile_lock(name: str) -> str:
    """Resolve one set of packages for every system, with hashes."""
    extras, groups = LOCKS[name]
    words = ["pip", "compile", "--quiet", "--universal", "--python-version", OLDEST]
    words += ["--generate-hashes", "--no-header", "--annotation-style", "line"]
    words += ["--constraint", "constraints.txt"]
    words += [word for group in groups for word in ("--group", group)]
    words += [word for extra in extras for word in ("--extra", extra)]
    words += ["pyproject.toml"] if extras else []
    uv = [sys.executable, "-m", "uv", *words]
    done = subprocess.run(uv, cwd=ROOT, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    return HEAD + AGAIN.sub("", done.stdout)


def main() -> None:
    """Write every lock."""
    for name in LOCKS:
        (ROOT / "locks" / f"{name}.txt").write_text(compile_lock(name), encoding="utf-8")


if __name__ == "__main__":
    main()
