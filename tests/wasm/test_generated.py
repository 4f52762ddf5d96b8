"""The client's copy of the module is written again when it has to be, and only then."""

from __future__ import annotations

import hashlib
import os
import sys
from base64 import b64encode
from pathlib import Path

import pytest
from waiting import completed

import hatch_build

FILES = set(hatch_build.GENERATED_NAMES)
NO_CONTENT = {"catinthebox", "catinthebox.files"}  # what is written does not depend on them


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the generated files, in place of the client's."""
    files = tuple(tmp_path / path.name for path in hatch_build.GENERATED_FILES)
    monkeypatch.setattr(hatch_build, "GENERATED", tmp_path)
    monkeypatch.setattr(hatch_build, "GENERATED_FILES", files)
    monkeypatch.setattr(hatch_build, "GENERATED_STAMP", tmp_path / "stamp")
    return tmp_path


@pytest.mark.process
@pytest.mark.parametrize("missing", ["rules.wasm", "rules.ts", "networks.ts", "stamp"])
def test_a_missing_file_is_written_again(folder: Path, missing: str) -> None:
    """Also if the stamp says that all is well."""
    for name in FILES - {missing}:
        (folder / name).write_text("old")
    if missing != "stamp":
        (folder / "stamp").write_text(hatch_build.fingerprint(hatch_build.rule_sources()))
    hatch_build.generate_if_stale()
    assert {path.name for path in folder.iterdir()} == {*FILES, "stamp"}
    for name in ("rules.ts", "networks.ts"):
        assert (folder / name).read_text("utf-8").startswith("// Generated")
    assert (folder / "puzzles.json").read_bytes() == hatch_build.PUZZLES.read_bytes()


@pytest.mark.process
def test_networks_are_copied_with_their_hashes(folder: Path) -> None:
    """One for each number of players; browsers refuse a file with another hash."""
    hatch_build.generate_if_stale()
    listed = (folder / "networks.ts").read_text("utf-8")
    for players in (2, 3, 4, 5):
        name = f"{players}-players.net"
        content = (hatch_build.NETWORKS / name).read_bytes()
        assert (folder / name).read_bytes() == content
        digest = b64encode(hashlib.sha256(content).digest()).decode()
        assert f'import of{players} from "./{name}?url";' in listed
        assert f'{players}: {{ url: of{players}, integrity: "sha256-{digest}" }},' in listed


def test_what_is_there_stays(folder: Path) -> None:
    """Files of these very sources are not touched."""
    for name in FILES:
        (folder / name).write_text("kept")
    (folder / "stamp").write_text(hatch_build.fingerprint(hatch_build.rule_sources()))
    hatch_build.generate_if_stale()
    assert (folder / "rules.ts").read_text("utf-8") == "kept"


@pytest.mark.process
def test_the_sources_are_complete() -> None:
    """Every module that is loaded for the translation counts: a change of it writes them again."""
    code = (
        "import sys, catinthebox.wasm.write, catinthebox.wasm.facts as facts; facts.levels()\n"
        "for name, module in sys.modules.items():\n"
        "    if name.startswith('catinthebox'): print(name, module.__file__, sep='\\t')"
    )
    environment = os.environ | {"PYTHONPATH": str(hatch_build.SRC)}
    lines = completed([sys.executable, "-c", code], env=environment).splitlines()
    loaded = dict(line.split("\t") for line in lines)
    unknown = {
        name for name, path in loaded.items() if Path(path) not in hatch_build.rule_sources()
    }
    assert unknown == NO_CONTENT
