"""Files of the browser client: their types, and what is compressed."""

from __future__ import annotations

from pathlib import Path

import pytest

from catinthebox.server.http.static import Site


@pytest.mark.parametrize(
    ("name", "media", "smaller"),
    [
        ("assets/rules-1a2b3c.wasm", "application/wasm", True),
        ("assets/main.js", "text/javascript; charset=utf-8", True),
        ("icon.png", "image/png", False),
    ],
)
def test_types_do_not_depend_on_the_machine(
    tmp_path: Path, name: str, media: str, smaller: bool
) -> None:
    """A browser compiles a module while it arrives only if its type is right."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>")
    (tmp_path / name).write_bytes(bytes(1000))
    file = Site.read(tmp_path).find(f"/{name}")
    assert file is not None
    assert file.media == media
    assert (file.gzipped is not None) is smaller
