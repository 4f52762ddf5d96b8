"""Atomic writes: the old content or the new one, and no draft left behind."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from catinthebox.files import replacing


def test_an_error_leaves_the_old_content(tmp_path: Path) -> None:
    """A block that fails half-way changes nothing, and its draft is removed."""
    path = tmp_path / "game.cat"
    path.write_bytes(b"old")
    with pytest.raises(TypeError), replacing(path) as file:
        file.writelines([b"half of the ne", "not bytes"])  # type: ignore[list-item]
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["game.cat"]


def test_the_file_is_replaced_only_at_the_end(tmp_path: Path) -> None:
    """A reader in the middle of the block still sees the old content."""
    path = tmp_path / "game.cat"
    path.write_bytes(b"old")
    with replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_private_file_is_for_its_owner(tmp_path: Path) -> None:
    """Also if the file that it replaces was open to others."""
    path = tmp_path / "export.jsonl"
    path.write_bytes(b"old")
    path.chmod(0o644)
    with replacing(path, private=True) as file:
        file.write(b"hands")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_missing_folder_is_an_error_of_the_system(tmp_path: Path) -> None:
    """Callers decide whether to create it."""
    with pytest.raises(FileNotFoundError), replacing(tmp_path / "no" / "where"):
        pass
