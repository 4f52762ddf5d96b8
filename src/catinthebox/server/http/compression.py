"""Gzip for responses whose content is compressed once and sent often.

No such response holds a secret next to a text that another client may choose, so its length reveals
nothing (BREACH): they are files of the browser client, and games that are over.

>>> accepts_gzip(["br;q=1.0, gzip;q=0.8"]), accepts_gzip(["gzip;q=0"]), accepts_gzip([])
(True, False, False)
"""

from __future__ import annotations

from collections.abc import Iterable
from gzip import compress, decompress
from typing import Final

from starlette.responses import Response
from starlette.types import Scope

from .middleware import header

LEVEL: Final = 5  # higher levels take much longer and save little
VARY: Final = {"Vary": "Accept-Encoding"}
GZIP: Final = {"Content-Encoding": "gzip"}


def accepts_gzip(values: Iterable[str]) -> bool:
    """Whether a client that sent these values of `Accept-Encoding` can read gzip."""
    for word in ",".join(values).split(","):
        name, _, quality = word.partition(";")
        if name.strip().lower() in ("gzip", "*"):
            return quality.replace(" ", "").rstrip("0.") != "q="
    return False


def wants_gzip(scope: Scope) -> bool:
    """Whether the response to a request may be compressed."""
    return accepts_gzip(header(scope, b"accept-encoding"))


def compressed(body: bytes, level: int = LEVEL) -> bytes:
    """Compress with gzip; equal bodies give equal bytes, since no time is stored."""
    return compress(body, level, mtime=0)


def compressed_response(body: bytes, media: str, scope: Scope) -> Response:
    """Return a response with a compressed body; decompressed for clients without gzip."""
    if wants_gzip(scope):
        return Response(body, headers=VARY | GZIP, media_type=media)
    return Response(decompress(body), headers=VARY, media_type=media)
