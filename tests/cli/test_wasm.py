"""`catinthebox wasm`: three files, or a sentence that says what is wrong with the folder."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from wasm.engines import compiled

from catinthebox.cli import main


def test_it_writes_the_module_and_what_typescript_needs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Into a folder that is made, with their sizes."""
    assert main(["wasm", str(tmp_path / "a" / "b")]) == 0
    module = (tmp_path / "a" / "b" / "rules.wasm").read_bytes()
    assert module == compiled()[1]
    assert "export interface Rules {" in (tmp_path / "a" / "b" / "rules.ts").read_text("utf-8")
    assert 'from "./rules.ts"' in (tmp_path / "a" / "b" / "loader.ts").read_text("utf-8")
    assert f"rules.wasm: {len(module):,} bytes" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("place", "sentence"), [("", "is a file; OUT is a folder"), ("x", os.strerror(errno.ENOTDIR))]
)
def test_a_bad_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str, sentence: str
) -> None:
    """A file, or a folder inside a file."""
    (tmp_path / "file").write_text("")
    assert main(["wasm", str(tmp_path / "file" / place)]) == 2
    found = capsys.readouterr().err
    assert sentence in found
    assert str(tmp_path / "file") in found
