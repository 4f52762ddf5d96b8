"""What a server says about itself over HTTP: its bots, its addresses, its health."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from .fields import Part


class LevelShown(Part, frozen=True):
    """How well a bot plays."""

    name: str
    sentence: Annotated[str, Meta(description="what to expect of it")]


class Levels(Part, frozen=True):
    """The bots that are offered, the gentlest first."""

    levels: tuple[LevelShown, ...]


class Addresses(Part, frozen=True):
    """Where others find this server; told on its own machine only."""

    addresses: Annotated[tuple[str, ...], Meta(description="http://…, the most likely first")]


class Health(Part, frozen=True):
    """Whether the server is alive, and whether it takes part."""

    status: Literal["ok", "starting", "closing", "store"]
