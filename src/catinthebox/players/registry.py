"""Players by name, with parameters: `random`, `careful`, `search:rollouts=1000,policy=follow`.

A player's parameters are the fields of its dataclass. Some players have one that extends to the
end and may contain commas and equals signs; its name is optional, as in `external:python3 bot.py`.
The name of a level (`players.levels`) stands for the player behind it.

>>> player("random"), player("steady")
(Uniform(), Careful(slips=0.0))
>>> player("search:rollouts=many")
Traceback (most recent call last):
    ...
catinthebox.game.errors.NotUnderstood: search: rollouts=many should be a whole number
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from typing import Any, Final, get_type_hints

from ..game import NotUnderstood
from ..game.errors import quoted
from .careful import Careful
from .external import External
from .follow import Follow
from .ismcts import Ismcts
from .levels import LEVELS
from .modest import Modest
from .net import Net
from .player import Player
from .search import Search
from .uniform import Uniform

PLAYERS: Final[dict[str, type[Player]]] = {
    "random": Uniform,
    "follow": Follow,
    "modest": Modest,
    "careful": Careful,
    "search": Search,
    "ismcts": Ismcts,
    "net": Net,
    "external": External,
}
WORDS: Final = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def player(text: str) -> Player:
    """Create a player from its name and parameters; errors list what exists."""
    text = LEVELS[text].spec if text in LEVELS else text
    name, _, rest = text.partition(":")
    if name in LEVELS:
        sentence = f"{name} is a level and takes no parameters; it stands for {LEVELS[name].spec}"
        raise NotUnderstood("input.player", sentence)
    if name not in PLAYERS:
        known = ", ".join([*LEVELS, *PLAYERS])
        raise NotUnderstood("input.player", f"no player {quoted(name)}; there are {known}")
    kind = PLAYERS[name]
    try:
        return kind(**_parameters(name, kind, rest))
    except ValueError as error:
        raise NotUnderstood("input.player", f"{quoted(text)}: {error}") from None


def _parameters(name: str, kind: type[Player], rest: str) -> dict[str, Any]:
    hints = get_type_hints(kind)
    known = {field.name: hints[field.name] for field in fields(kind)}  # type: ignore[arg-type]
    found: dict[str, Any] = {}
    for word in _words(kind, rest, known):
        key, equals, value = word.partition("=")
        if key not in known or not equals:
            options = ", ".join(f"{key}=…" for key in known) or "none"
            sentence = f"{name} has no parameter {quoted(word)}; there are {options}"
            raise NotUnderstood("input.player", sentence)
        if key in found:
            raise NotUnderstood("input.player", f"{name}: {key} is given twice")
        found[key] = _value(name, key, value, known[key])
    return found


def _words(kind: type[Player], rest: str, known: Collection[str]) -> list[str]:
    """Split parameters at commas, up to one that extends to the end, if there is one."""
    last = getattr(kind, "REST", None)
    if last is None:
        return rest.split(",") if rest else []
    words = []
    while (key := rest.partition("=")[0]) in known and key != last:
        word, _, rest = rest.partition(",")
        words.append(word)
    return [*words, f"{last}={rest.removeprefix(f'{last}=')}"]


def _value(name: str, key: str, value: str, kind: Any) -> object:
    """Read a value as the type of its field: a number, yes or no, or a word."""
    try:
        if kind is bool:
            return WORDS[value.lower()]
        for number in (int, float):
            if kind in (number, number | None):
                return number(value)
    except (KeyError, ValueError):
        whole = kind in (int, int | None)
        wanted = (
            "yes or no"
            if kind in (bool, bool | None)
            else "a whole number"
            if whole
            else "a number"
        )
        sentence = f"{name}: {key}={quoted(value)} should be {wanted}"
        raise NotUnderstood("input.player", sentence) from None
    return value
