"""What a server says about itself over HTTP: its bots, its addresses, its health."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from .fields import Part


class LevelShown(Part, frozen=True):
    """A level of bots."""

    name: str
    sentence: Annotated[str, Meta(description="how it plays")]


class Levels(Part, frozen=True):
    """The levels that are offered, the weakest first."""

    levels: tuple[LevelShown, ...]


class Addresses(Part, frozen=True):
    """The addresses of this server; answered only to its own machine."""

    addresses: Annotated[tuple[str, ...], Meta(description="URLs, the most likely one first")]


class Health(Part, frozen=True):
    """Whether the server accepts requests, and if not, why."""

    status: Literal["ok", "starting", "closing", "store"]
