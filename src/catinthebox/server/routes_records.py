"""Finished games as records (docs/records.md), for everybody who knows the table."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ..game import NotUnderstood
from ..table import Table, record
from .answers import JSON
from .doors import API, Door, address
from .edge import Edge

GAME: Final = f"{API}/tables/{{id}}/games/{{number}}"
MOST: Final = 9999  # games at a table, far beyond what a log can hold


async def _end(edge: Edge, request: Request) -> Table:
    text: str = request.path_params["number"]
    if not (text.isascii() and text.isdigit() and len(text) < 5 and not text.startswith("0")):
        raise NotUnderstood("input.query", f"games are counted from 1 to {MOST}")
    async with edge.table(request.path_params["id"], address(request)) as live:
        return await edge.ends.find(live, int(text))


async def cat(edge: Edge, request: Request) -> Response:
    """Give the record as people read it."""
    table = await _end(edge, request)
    return _file(await asyncio.to_thread(record.write, table), "text/plain", table, "cat")


async def json(edge: Edge, request: Request) -> Response:
    """Give the record as programs read it."""
    table = await _end(edge, request)
    return _file(await asyncio.to_thread(record.write_json, table), JSON, table, "json")


def _file(text: str, media: str, table: Table, ending: str) -> Response:
    name = f"{table.id}-{table.games}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, headers=headers, media_type=media)


DOORS: Final = (
    Door(f"{GAME}/record.cat", {"GET": cat}),
    Door(f"{GAME}/record.json", {"GET": json}),
)
