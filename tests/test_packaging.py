"""What gets installed: bounds, pins, hashes, the bill of materials, and the bare machine of CI."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from waiting import HANG

from locks import make, sbom

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SETS: dict[str, list[str]] = {
    "always": PROJECT["project"]["dependencies"],
    **PROJECT["project"]["optional-dependencies"],
    **PROJECT["dependency-groups"],
    "build-system": PROJECT["build-system"]["requires"],
}
WANTED = [(name, Requirement(text)) for name, texts in SETS.items() for text in texts]
FOREIGN = [(name, one) for name, one in WANTED if one.name != "catinthebox"]


def constraints() -> dict[str, str]:
    """The versions that are chosen."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in pins}


def asked(extra: str) -> set[str]:
    """The packages that an extra or a group names, through others of our extras."""
    found = set[str]()
    for one in map(Requirement, SETS[extra]):
        if one.name == "catinthebox":
            found |= {name for other in one.extras for name in asked(other)}
        else:
            found.add(canonicalize_name(one.name))
    return found


# ── Bounds and pins ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "one"), FOREIGN, ids=lambda part: str(getattr(part, "name", part))
)
def test_every_requirement_has_two_bounds(name: str, one: Requirement) -> None:
    """From a version that was tested, to before one that may break; the pin lies between."""
    operators = {part.operator for part in one.specifier}
    assert operators == {">=", "<"}, f"{name}: {one}"
    pin = constraints().get(canonicalize_name(one.name))
    large = name in ("gpu", "learn")
    assert (pin is None) == large, "everything but CUDA and torch is installed by make"
    assert pin is None or pin in one.specifier


# ── Locks ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", make.LOCKS)
def test_a_lock_is_complete(name: str) -> None:
    """Everything asked for is there, in the chosen version, with the hashes of its files."""
    lock = sbom.read_lock(name)
    pins = constraints()
    assert {package.name: package.version for package in lock.values()} == {
        package: pins.get(package) for package in lock
    }, "make lock"
    extras, groups = make.LOCKS[name]
    always = ["always"] if extras else []
    assert set().union(*map(asked, (*always, *extras, *groups))) <= lock.keys(), "make lock"
    for package in lock.values():
        assert package.hashes, package.name
        assert all(re.fullmatch("[0-9a-f]{64}", digest) for _, digest in package.hashes)


@pytest.mark.parametrize("name", make.LOCKS)
def test_a_lock_holds_what_its_packages_need_here(name: str) -> None:
    """Whatever is installed on this system and Python has all of its requirements in the lock."""
    lock = sbom.read_lock(name)
    for package in lock:
        try:
            requires = distribution(package).requires or []
        except PackageNotFoundError:  # for another system, or another target of make
            continue
        for one in map(Requirement, requires):
            if one.marker is None or one.marker.evaluate({"extra": ""}):
                assert canonicalize_name(one.name) in lock, f"{package} needs {one}; make lock"


def test_every_pin_is_in_a_lock() -> None:
    """No version is chosen that nothing installs."""
    assert constraints().keys() == set().union(*(sbom.read_lock(name) for name in make.LOCKS))


@pytest.mark.parametrize("file", ["constraints.txt", *(f"locks/{name}.txt" for name in make.LOCKS)])
def test_no_index_is_named(file: str) -> None:
    """Where packages come from is a setting of the machine that installs them."""
    text = (ROOT / file).read_text("utf-8")
    assert not re.search(r"://|--(extra-)?index-url|--find-links|--trusted-host", text)


# ── The bill of materials ────────────────────────────────────────────────────────────────────


def test_the_bill_names_every_locked_package(tmp_path: Path) -> None:
    """Python's and npm's, each with a hash; every reference leads somewhere."""
    sbom.main([str(tmp_path / "sbom.cdx.json")])
    bill = json.loads((tmp_path / "sbom.cdx.json").read_text("utf-8"))
    parts = {part["purl"]: part for part in bill["components"]}
    python = {f"pkg:pypi/{part.name}@{part.version}" for part in sbom.read_lock("test").values()}
    entries = json.loads((ROOT / "web/package-lock.json").read_text("utf-8"))["packages"]
    assert python <= parts.keys()
    assert len(parts) - len(python) >= len({path for path in entries if path}) * 0.9  # some twice
    assert all(part["hashes"] for part in parts.values())
    required = {part["name"] for part in parts.values() if part["scope"] == "required"}
    assert {"platformdirs", "uvicorn", "numba", "svelte"} <= required
    assert not {"pytest", "hatchling", "playwright-core"} & required
    refs = {bill["metadata"]["component"]["bom-ref"], *parts}
    assert {link["ref"] for link in bill["dependencies"]} == refs
    assert {purl for link in bill["dependencies"] for purl in link["dependsOn"]} <= refs
    assert "pkg:pypi/h11@0.16.0" in next(
        link["dependsOn"] for link in bill["dependencies"] if "/uvicorn@" in link["ref"]
    )


# ── The bare machine ─────────────────────────────────────────────────────────────────────────


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_bare_hides_what_is_installed(tmp_path: Path) -> None:
    """Commands and variables of this machine are gone; Python is the one that was asked for."""
    (tmp_path / "curl").write_text("#!/bin/sh\n")
    (tmp_path / "curl").chmod(0o755)
    ours = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHON": sys.executable}
    noise = {"CATINTHEBOX_CHROMIUM": "x", "PYTHONPATH": "x", "PGHOST": "x"}
    code = "import os, shutil; print(shutil.which('curl'), bool(shutil.which('make')), *os.environ)"
    ran = subprocess.run(
        [ROOT / ".ci/bare", "python3", "-c", code],
        env=os.environ | ours | noise,
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=HANG,
    )
    curl, made, *names = ran.stdout.split()
    assert (curl, made) == ("None", "True")
    assert not {*noise, "PYTHON"} & {*names}
    assert {"XDG_CACHE_HOME", "XDG_DATA_HOME", "TMPDIR"} <= {*names}
