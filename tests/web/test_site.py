"""`make site` writes to folders of its own, also after a build that failed."""

from __future__ import annotations

import runpy
import subprocess
from pathlib import Path
from typing import Any

import pytest
from web.tools import WEB

import hatch_build


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Any]:
    """The script; Vite writes a page, or fails where the page is a folder already."""
    stamp = tmp_path / "stamp"
    stamp.write_text("sources 1")
    monkeypatch.setattr(hatch_build, "STAMP", stamp)
    monkeypatch.setattr(hatch_build, "find_node", lambda: ("node", "npm"))
    monkeypatch.setattr(
        hatch_build, "run", lambda *words: vite(Path(words[words.index("--outDir") + 1]))
    )
    return runpy.run_path(str(WEB / "offline" / "site.py"))


def vite(out: Path) -> None:
    (out / "index.html").write_text("page")
    if (out / ".git").exists():
        raise subprocess.CalledProcessError(1, "vite")


def test_an_older_build_is_replaced(site: dict[str, Any], tmp_path: Path) -> None:
    out = tmp_path / "my site"
    site["main"]([str(out)])
    (out / "assets").mkdir()
    hatch_build.STAMP.write_text("sources 2")
    assert "3 files" in site["main"]([str(out)])
    assert sorted(path.name for path in out.iterdir()) == [".nojekyll", site["MARK"], "index.html"]


def test_a_build_that_failed_can_be_repeated(site: dict[str, Any], tmp_path: Path) -> None:
    out = tmp_path / "site"
    site["main"]([str(out)])
    (out / ".git").mkdir()
    hatch_build.STAMP.write_text("sources 2")
    with pytest.raises(SystemExit, match="could not be built"):
        site["main"]([str(out)])
    assert not site["up_to_date"](out)
    (out / ".git").rmdir()
    assert "3 files" in site["main"]([str(out)])


def test_the_folder_of_the_server_s_client_is_refused(site: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / hatch_build.OUT.name).mkdir()
    (tmp_path / hatch_build.OUT.name / ".built-from").touch()
    with pytest.raises(SystemExit, match="choose another OUT"):
        site["main"]([str(tmp_path / hatch_build.OUT.name)])
