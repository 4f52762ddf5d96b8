"""Which bots clients may add to tables: named levels, and players whose cost is bounded."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import Final

from ...game import NotUnderstood
from ...game.errors import quoted
from ...players import LEVELS, player
from ...protocol.settings import checked_level

OFFERED: Final = ("random", "follow", "modest", "careful", "search", "ismcts")  # none runs programs
LIMITS: Final = {"rollouts": 2000, "iterations": 2000, "ms": 200}
ACCEPTED: Final = (
    f"a bot here is {', '.join(LEVELS)}, or {', '.join(OFFERED)} with parameters: "
    + ", ".join(f"{name} up to {most}" for name, most in LIMITS.items())
)
DEFAULT_LEVEL: Final = "steady"  # in place of a level that is not offered, as an old table may have

_log = logging.getLogger("catinthebox.bots")


def checked_bot(level: str) -> str:
    """Return a bot's level if this server offers it; others are `NotUnderstood`.

    >>> checked_bot("sharp"), checked_bot("search:ms=100")
    ('sharp', 'search:ms=100')
    >>> checked_bot("search:rollouts=9000")
    Traceback (most recent call last):
        ...
    catinthebox.game.errors.NotUnderstood: rollouts=9000 is too much; a bot here is gentle, ...
    """
    name = level.partition(":")[0]
    if name not in (*LEVELS, *OFFERED):
        raise _not_offered(f"no bot {quoted(name)}")
    try:
        made = player(checked_level(level))
    except NotUnderstood as error:
        raise _not_offered(error.message) from None
    given = {limited: getattr(made, limited, None) or 0 for limited in LIMITS}
    above = [f"{name}={value}" for name, value in given.items() if value > LIMITS[name]]
    if above:
        raise _not_offered(f"{', '.join(above)} is too much")
    return level


def _not_offered(message: str) -> NotUnderstood:
    return NotUnderstood("input.level", f"{message}; {ACCEPTED}")


@lru_cache(maxsize=256)
def offered_level(level: str) -> str:
    """Return a level that was stored, or the default one if the server does not offer it."""
    try:
        return checked_bot(level)
    except NotUnderstood:
        _log.warning("level %s is not offered; %s plays instead", quoted(level), DEFAULT_LEVEL)
        return DEFAULT_LEVEL
