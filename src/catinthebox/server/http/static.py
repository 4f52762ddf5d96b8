"""The files of the browser client; if it is not built, a plain page that says so.

Files are read once, at the start, and served from memory. Large ones are read when they are asked
for: browsers ask once and keep them. The path of a request is only looked up in a dictionary; it
never reaches the file system. Files under `assets/` have a hash of their content in their
names, so browsers may cache them for ever; everything else is revalidated by its ETag.

>>> site = Site.read(None)
>>> sorted(site.files), site.find("/t/lab7").media
(['/', '/plain.css'], 'text/html; charset=utf-8')
>>> site.find("/lab7") is None
True
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Final, Self

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from .compression import GZIP, VARY, compressed, wants_gzip
from .middleware import header
from .responses import HttpError, error_response

WEB: Final = Path(__file__).parents[1] / "web"
PAGES: Final = re.compile(
    r"/(daily(/[0-9-]+)?|learn|rules|settings|games|review|([tgw]|games|review)/[^/.]+(\.\d+)?|play/[^/.]+|g)/?"
)
"""Paths that the client's own router handles (`web/src/lib/router.ts`)."""
PAGE_FILE: Final = "index.html"
IMMUTABLE: Final = "public, max-age=31536000, immutable"
REVALIDATE: Final = "no-cache"
SAFE: Final = ("GET", "HEAD")
MAX_BYTES: Final = 64 * 1024 * 1024  # of all files together
TYPES: Final = {  # `mimetypes` differs between machines
    **{".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8"},
    **{".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8"},
    **{".json": "application/json", ".webmanifest": "application/manifest+json"},
    **{".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon"},
    **{".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8"},
    ".wav": "audio/wav",
    ".wasm": "application/wasm",  # browsers compile no other type while it arrives
}
COMPRESSED: Final = frozenset({*TYPES.values()} - {"image/png", "image/x-icon", "font/woff2"})
LARGE: Final = 1024 * 1024  # bytes; larger files, such as networks, do not stay in memory
LEVEL: Final = 9  # the best compression: each file is compressed once

PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>catinthebox</title>
<link rel="stylesheet" href="/plain.css">
</head>
<body>
<main>
<h1>The cat is in the box, and the box is running.</h1>
<p>This is a server for the card game Cat in the Box. The browser client was not built into this
installation, but programs can play here:</p>
<pre>curl /api/v1/levels
curl /api/v1/tables
curl -X POST -H 'Content-Type: application/json' /api/v1/token</pre>
<p>Put this server's address in front of each path. The rest is in <code>docs/protocol.md</code>.
</p>
<p>An unofficial fan implementation. Cat in the Box was designed by Muneyuki Yokouchi.</p>
</main>
</body>
</html>
"""
STYLE: Final = """body { margin: 0; background: #12151c; color: #e8e4da; }
main { max-width: 40rem; margin: 12vh auto; padding: 0 1.5rem; font: 1.05rem/1.6 Georgia, serif; }
h1 { font-weight: normal; line-height: 1.25; }
pre { padding: 1rem; overflow-x: auto; background: #1c212c; }
"""


@dataclass(frozen=True)
class File:
    """A file and the headers that it is sent with."""

    content: bytes | Path  # a path is read when the file is asked for: 2 MB, once a browser
    media: str
    cache: str

    @classmethod
    def of(cls, name: str, content: bytes | Path) -> Self:
        """Return a file by its name and content."""
        ending = Path(name).suffix.lower()
        media = TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        return cls(content, media, IMMUTABLE if name.startswith("assets/") else REVALIDATE)

    @property
    def body(self) -> bytes:
        """The content."""
        return self.content if isinstance(self.content, bytes) else self.content.read_bytes()

    @cached_property
    def tag(self) -> str:
        """The hash of the content, for the ETag."""
        return sha256(self.body).hexdigest()[:32]

    @cached_property
    def gzipped(self) -> bytes | None:
        """The content in gzip; None if that is not smaller."""
        if self.media not in COMPRESSED:
            return None
        body = self.body
        small = compressed(body, LEVEL)
        return small if len(small) < len(body) else None


@dataclass(frozen=True)
class Site:
    """All files of the browser client, by path."""

    files: dict[str, File]

    @classmethod
    def read(cls, folder: Path | None) -> Self:
        """Read a folder; without one, or without a page in it, the site is the plain page."""
        if folder is None or not (folder / PAGE_FILE).is_file():
            plain = {"/": File.of("index.html", PAGE.encode())}
            return cls(plain | {"/plain.css": File.of("plain.css", STYLE.encode())})
        return cls(dict(_files(folder)))

    def find(self, path: str) -> File | None:
        """Return the file at a path; a page, for every path that the client handles.

        Each page is the whole client. The ones in folders ask for what their paths need at once
        (`web/pages.ts`): `/t/KEY/` is for every table.
        """
        if not PAGES.fullmatch(path):
            return self.files.get(path)
        folder, *key = path.strip("/").split("/")
        return self.files.get(f"/{folder}/KEY/" if key else f"/{folder}/") or self.files["/"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self._response(scope)(scope, receive, send)

    def _response(self, scope: Scope) -> Response:
        file = self.find(scope["path"])
        if file is None:
            return self._not_found(scope)
        if scope["method"] == "OPTIONS":
            return Response(status_code=204, headers={"Allow": "GET, HEAD, OPTIONS"})
        if scope["method"] not in SAFE:
            allow = {"Allow": "GET, HEAD, OPTIONS", "Connection": "close"}
            return error_response(
                HttpError(405, "http.method", "this is a file; the methods are GET and HEAD", allow)
            )
        try:
            return _file_response(file, scope)
        except OSError:  # a large one, such as a network; another version was installed meanwhile
            return self._not_found(scope)

    def _not_found(self, scope: Scope) -> Response:
        """Return a 404: the page for a browser, an error for a program."""
        accepted = ",".join(header(scope, b"accept"))
        if scope["method"] in SAFE and "text/html" in accepted and not Path(scope["path"]).suffix:
            return _file_response(self.files["/"], scope, 404)
        return error_response(HttpError(404, "http.unknown", "there is nothing at this path"))


def _file_response(file: File, scope: Scope, status: int = 200) -> Response:
    gzipped = file.gzipped if wants_gzip(scope) else None
    tag = f'"{file.tag}"' if gzipped is None else f'"{file.tag}-gzip"'
    headers = {"Cache-Control": file.cache, "ETag": tag, **(VARY if file.gzipped else {})}
    if status == 200 and tag in ",".join(header(scope, b"if-none-match")):
        return Response(status_code=304, headers=headers)
    headers |= {"Content-Type": file.media, **(GZIP if gzipped else {})}
    return Response(gzipped or file.body, status, headers)


def _files(folder: Path) -> Iterator[tuple[str, File]]:
    size = 0
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            name, length = path.relative_to(folder).as_posix(), path.stat().st_size
            size += length
            if size > MAX_BYTES:
                raise ValueError(
                    f"the files of the browser client have more than {MAX_BYTES} bytes"
                )
            content = path.absolute() if length > LARGE else path.read_bytes()
            where = name.removesuffix(PAGE_FILE) if path.name == PAGE_FILE else name
            yield f"/{where}", File.of(name, content)
