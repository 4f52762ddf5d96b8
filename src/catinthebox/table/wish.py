"""One decision. Each kind of command registers here how it is carried out."""

from __future__ import annotations

from functools import singledispatch

from ..game import NotUnderstood
from ..game.errors import shortened
from .draft import Draft


@singledispatch
def carry_out(command: object, draft: Draft) -> None:
    """Add to the draft what a command leads to, or raise an error that explains."""
    raise NotUnderstood("input.type", f"{shortened(command)} is no command")
