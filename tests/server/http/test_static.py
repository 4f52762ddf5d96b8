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


def test_a_kind_of_path_may_have_a_page_of_its_own(tmp_path: Path) -> None:
    """It asks for what such a path needs; others have the first page. No key is looked up."""
    for name in ("", "learn", "games", "games/KEY", "t/KEY"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        (tmp_path / name / "index.html").write_text(f"page of {name or 'all'}")
    site = Site.read(tmp_path)

    def page(path: str) -> str | None:
        file = site.find(path)
        return file.body.decode().removeprefix("page of ") if file else None

    expected = {
        **{"/": "all", "/learn": "learn", "/learn/": "learn", "/rules": "all", "/g": "all"},
        **{"/games": "games", "/games/": "games", "/games/Ab3": "games/KEY"},
        **{"/games/Ab3.2/": "games/KEY", "/t/Ab3": "t/KEY", "/t/Ab3/": "t/KEY", "/w/Ab3": "all"},
        **{"/review": "all", "/review/": "all", "/review/Ab3.2": "all", "/review/Ab3/x": None},
        **{"/t": None, "/t/": None, "/t/Ab3/x": None, "/t/..": None, "/index.html": None},
    }
    assert {path: page(path) for path in expected} == expected
