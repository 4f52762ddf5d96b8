"""Every route of the API, and three documents that describe it: OpenAPI, JSON Schema, TypeScript.

The documents are served, and printed by `python -m catinthebox.server.http.documents openapi`
(or `stream`, or `types`); with a file name after that, the file is written instead. Two more are
only written: the list of refusals for the browser client (`refusals`) and for people
(`refusals-page`).

>>> openapi()["paths"]["/api/v1/token"]["post"]["responses"]["201"]["description"]
'A new token.'
>>> types().partition("export interface Done ")[2].partition("}")[0].split()[:4]
['{', 'readonly', 'type:', '"Done";']
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from . import (
    refusal_lists,
    routes_about,
    routes_daily,
    routes_lobby,
    routes_records,
    routes_tables,
)
from .openapi import document, request_bodies, response_bodies
from .responses import JSON, PLAIN
from .routing import API, Answer, AnyRoute, ApiRoute
from .schema import IN_STREAM, UNIONS, Schema, definitions, reachable, stream
from .typescript import module

SCHEMA_JSON: Final = "application/schema+json"


class DocumentEndpoints:
    """Handlers of the routes that describe the API."""

    async def get_openapi(self, request: Request) -> Response:
        """Answer with the OpenAPI document."""
        return _respond("openapi", JSON)

    async def get_stream_schema(self, request: Request) -> Response:
        """Answer with the JSON Schema of the messages of a connection."""
        return _respond("stream", SCHEMA_JSON)

    async def get_types(self, request: Request) -> Response:
        """Answer with the types of both for TypeScript."""
        return _respond("types", PLAIN)


def _respond(name: str, media: str) -> Response:
    headers = {"Cache-Control": "public, max-age=3600"}
    return Response(DOCUMENTS[name](), headers=headers, media_type=media)


DOCUMENT_ROUTES: Final = (
    ApiRoute(
        "GET",
        f"{API}/openapi.json",
        DocumentEndpoints.get_openapi,
        id="describeHttp",
        summary="Get this document",
        answers=(Answer("OpenAPI 3.1.", {"type": "object"}),),
    ),
    ApiRoute(
        "GET",
        f"{API}/stream.schema.json",
        DocumentEndpoints.get_stream_schema,
        id="describeStream",
        summary="Get the JSON Schema of the stream",
        answers=(Answer("JSON Schema 2020-12.", {"type": "object"}, SCHEMA_JSON),),
    ),
    ApiRoute(
        "GET",
        f"{API}/types.ts",
        DocumentEndpoints.get_types,
        id="describeTypes",
        summary="Get the TypeScript types of all messages and bodies",
        answers=(Answer("A module of types.", {"type": "string"}, PLAIN),),
    ),
)
ROUTES: Final[tuple[AnyRoute, ...]] = (
    *routes_lobby.ROUTES,
    *routes_daily.ROUTES,
    *routes_tables.ROUTES,
    *routes_records.ROUTES,
    *routes_about.ROUTES,
    *DOCUMENT_ROUTES,
)
"""Every route of the API."""
STATIC: Final = "static"  # the label of the browser client's files
ROUTE_LABELS: Final = (*dict.fromkeys(route.path for route in ROUTES), STATIC)
"""The labels of all routes in metrics and logs."""


# ── The documents ────────────────────────────────────────────────────────────────────────────


def openapi() -> Schema:
    """Return the OpenAPI document of the HTTP API."""
    return document(ROUTES)


def types() -> str:
    """Return a TypeScript module with the types of all messages and HTTP bodies."""
    found = definitions(request_bodies(ROUTES), response_bodies(ROUTES), IN_STREAM)
    return module({name: found[name] for name in reachable(found, (*UNIONS, *found))})


def _json(schema: Schema) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


DOCUMENTS: Final[dict[str, Callable[[], str]]] = {
    "openapi": cache(lambda: _json(openapi())),
    "stream": cache(lambda: _json(stream())),
    "types": cache(types),
    "refusals": refusal_lists.typescript,
    "refusals-page": refusal_lists.markdown,
}


def main(words: Sequence[str]) -> int:
    """Print a document, or write it to a file."""
    parser = argparse.ArgumentParser(
        prog="python -m catinthebox.server.http.documents",
        description="Print or write a description of the protocol.",
    )
    parser.add_argument("document", choices=DOCUMENTS, help="which description")
    parser.add_argument("file", nargs="?", type=Path, help="where to write it; printed if left out")
    arguments = parser.parse_args(words)
    text = DOCUMENTS[arguments.document]()
    if arguments.file is None:
        sys.stdout.write(text)
    else:
        arguments.file.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
