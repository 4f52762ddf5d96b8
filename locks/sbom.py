"""Write the software bill of materials (CycloneDX 1.6, JSON): `make sbom`.

Everything in it stands in the lock files already, so it is made from them alone: Python packages
from `locks/`, npm packages from the `package-lock.json` of the browser client and of the browser
that tests it. It has no time stamp and no serial number: the same locks give the same bytes.

Scopes: `required` is what a server runs with and what the client is built from, `excluded` what
only builds, tests and checks need. A Python package has a hash for each of its published files.
"""

from __future__ import annotations

import base64
import json
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

ROOT: Final = Path(__file__).resolve().parents[1]
PIN: Final = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[^ ;\\]+)")
VERSION: Final = re.compile(r'__version__ = "(?P<version>[^"]+)"')
OURS: Final = "catinthebox (pyproject.toml)"  # who needs it: an extra, not a dependency group


@dataclass
class Package:
    """A locked package."""

    kind: str  # as package URLs call it: pypi or npm
    name: str
    version: str
    hashes: list[tuple[str, str]] = field(default_factory=list)  # algorithm, hexadecimal digest
    needs: list[Package] = field(default_factory=list)
    direct: bool = False  # we ask for it ourselves
    required: bool = False

    @property
    def purl(self) -> str:
        """The package URL, which is also its reference within the document."""
        return f"pkg:{self.kind}/{quote(self.name)}@{quote(self.version)}"


# ── Python ───────────────────────────────────────────────────────────────────────────────────


def read_lock(name: str) -> dict[str, Package]:
    """Read one of our locks: pins, their hashes, and the comments that say who needs them."""
    found: dict[str, Package] = {}
    asking: list[tuple[str, Package]] = []
    for line in (ROOT / "locks" / f"{name}.txt").read_text("utf-8").splitlines():
        word = line.strip().removesuffix(" \\")
        if pin := PIN.match(line):
            package = found[pin["name"]] = Package("pypi", pin["name"], pin["version"])
        elif word.startswith("--hash=sha256:"):
            package.hashes.append(("SHA-256", word.rpartition(":")[2]))
        elif word.startswith("# via "):
            asking += [(parent, package) for parent in word.removeprefix("# via ").split(", ")]
    for parent, package in asking:
        if parent in found:
            found[parent].needs.append(package)
        package.direct |= parent == OURS
    return found


def python_packages() -> list[Package]:
    """Everything that `make play` and `make test` install."""
    played, tested = read_lock("play"), read_lock("test")
    for name in reached(package for package in played.values() if package.direct):
        tested[name].required = True
    return list(tested.values())


def reached(packages: Iterable[Package]) -> set[str]:
    """The names of some packages and of all that they need."""
    names: set[str] = set()
    waiting = list(packages)
    while waiting:
        package = waiting.pop()
        if package.name not in names:
            names.add(package.name)
            waiting += package.needs
    return names


# ── npm ──────────────────────────────────────────────────────────────────────────────────────


def npm_packages(folder: str, shipped: bool) -> list[Package]:
    """Read the package-lock.json of a folder."""
    lock = ROOT / folder / "package-lock.json"
    entries: dict[str, dict[str, Any]] = json.loads(lock.read_text("utf-8"))["packages"]
    found = {path: npm_package(path, entry) for path, entry in entries.items() if path}
    for path, package in found.items():
        entry = entries[path]
        package.required = shipped and not entry.get("dev", False)
        for name in {**entry.get("dependencies", {}), **entry.get("optionalDependencies", {})}:
            if needed := find_npm(path, name, found):  # optional ones may be left out of a lock
                package.needs.append(needed)
    for name in {**entries[""].get("dependencies", {}), **entries[""].get("devDependencies", {})}:
        found[f"node_modules/{name}"].direct = True
    return list(found.values())


def npm_package(path: str, entry: dict[str, Any]) -> Package:
    """Describe one entry; its integrity is an algorithm and a digest in base64."""
    algorithm, _, digest = entry["integrity"].partition("-")
    hashes = [(algorithm.replace("sha", "SHA-"), base64.b64decode(digest).hex())]
    return Package("npm", path.rpartition("node_modules/")[2], entry["version"], hashes)


def find_npm(path: str, name: str, found: dict[str, Package]) -> Package | None:
    """Look a name up as Node does: in the package's own folder first, then further out."""
    while path:
        if package := found.get(f"{path}/node_modules/{name}"):
            return package
        path = path.rpartition("/node_modules/")[0]
    return found.get(f"node_modules/{name}")


# ── The document ─────────────────────────────────────────────────────────────────────────────


def component(package: Package) -> dict[str, Any]:
    """Describe a package."""
    return {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "scope": "required" if package.required else "excluded",
        "hashes": [{"alg": name, "content": digest} for name, digest in package.hashes],
        "purl": package.purl,
    }


def myself() -> Package:
    """Describe this package, without what it needs."""
    version = VERSION.search((ROOT / "src/catinthebox/__init__.py").read_text("utf-8"))
    assert version, "the package has a version"
    return Package("pypi", "catinthebox", version["version"], required=True)


def document() -> dict[str, Any]:
    """Describe this checkout."""
    packages = python_packages() + npm_packages("web", shipped=True)
    packages += npm_packages("web/e2e/chromium", shipped=False)
    parts = sorted({package.purl: package for package in packages}.values(), key=lambda p: p.purl)
    main = myself()
    main.needs = [package for package in parts if package.direct]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": component(main) | {"type": "application"}},
        "components": [component(package) for package in parts],
        "dependencies": [
            {"ref": package.purl, "dependsOn": sorted({need.purl for need in package.needs})}
            for package in [main, *parts]
        ],
    }


def main(words: list[str]) -> None:
    """Write the document to the file that is named."""
    found = document()
    file = Path(words[0])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(f"{file}: {len(found['components'])} packages")


if __name__ == "__main__":
    main(sys.argv[1:])
