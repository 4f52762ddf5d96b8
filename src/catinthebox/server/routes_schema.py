"""The protocol, as descriptions that programs read (schema.py)."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from .answers import JSON
from .doors import API, Door
from .edge import Edge
from .schema import DOCUMENTS


async def openapi(edge: Edge, request: Request) -> Response:
    """Describe the HTTP part."""
    return _document("openapi", JSON)


async def stream(edge: Edge, request: Request) -> Response:
    """Describe the messages of the stream."""
    return _document("stream", "application/schema+json")


async def types(edge: Edge, request: Request) -> Response:
    """Describe both for TypeScript."""
    return _document("types", "text/plain")


def _document(name: str, media: str) -> Response:
    headers = {"Cache-Control": "public, max-age=3600"}
    return Response(DOCUMENTS[name](), headers=headers, media_type=media)


DOORS: Final = (
    Door(f"{API}/openapi.json", {"GET": openapi}),
    Door(f"{API}/stream.schema.json", {"GET": stream}),
    Door(f"{API}/types.ts", {"GET": types}),
)
