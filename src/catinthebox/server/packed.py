"""Texts made smaller on their way, for whoever says that they can unpack them.

Nothing that is packed has a secret next to something that a stranger may choose: files of the
client, and games that are over.

>>> accepts_gzip(["br;q=1.0, gzip;q=0.8"]), accepts_gzip(["gzip;q=0"]), accepts_gzip([])
(True, False, False)
"""

from __future__ import annotations

from collections.abc import Iterable
from gzip import compress, decompress
from typing import Final

from starlette.responses import Response
from starlette.types import Scope

from .headers import header

LEVEL: Final = 5  # from here on it takes much longer and saves little
VARY: Final = {"Vary": "Accept-Encoding"}
GZIP: Final = {"Content-Encoding": "gzip"}


def accepts_gzip(values: Iterable[str]) -> bool:
    """Whether somebody who sent these `Accept-Encoding` can read gzip."""
    for word in ",".join(values).split(","):
        name, _, quality = word.partition(";")
        if name.strip().lower() in ("gzip", "*"):
            return quality.replace(" ", "").rstrip("0.") != "q="
    return False


def wants_gzip(scope: Scope) -> bool:
    """Whether a request may be answered in gzip."""
    return accepts_gzip(header(scope, b"accept-encoding"))


def packed(body: bytes, level: int = LEVEL) -> bytes:
    """Pack; the same in, the same out, at any time."""
    return compress(body, level, mtime=0)


def answer(body: bytes, media: str, scope: Scope) -> Response:
    """Answer with a long text, which is packed already."""
    if wants_gzip(scope):
        return Response(body, headers=VARY | GZIP, media_type=media)
    return Response(decompress(body), headers=VARY, media_type=media)
