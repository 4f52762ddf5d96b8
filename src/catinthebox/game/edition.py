"""The editions: who may play on which face, and how the pieces look (R31, R34).

>>> Edition.named("first").faces[3]
('black', 'purple')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from .errors import NotUnderstood


@dataclass(frozen=True, repr=False, eq=False)
class Edition:
    """A printed edition: one object of each. The rules of a round are the same in all of them."""

    name: str
    year: int
    faces: Mapping[int, tuple[str, ...]]  # by player count; the first one is for a first game
    symbols: tuple[str, ...]  # the seats' tokens
    covers_lost_colors: bool  # R34: lost colors are covered instead of uncovered

    @classmethod
    def named(cls, name: str) -> Edition:
        """Return an edition by name."""
        try:
            return EDITIONS[name]
        except KeyError:
            known = ", ".join(EDITIONS)
            raise NotUnderstood(
                "input.edition", f"no edition {name!r}; there are {known}"
            ) from None

    def __repr__(self) -> str:
        return f"Edition.named({self.name!r})"

    def __reduce__(self) -> tuple[Callable[[str], Edition], tuple[str]]:
        return Edition.named, (self.name,)


STANDARD: Final = Edition(
    name="standard",
    year=2022,
    faces=MappingProxyType(
        {2: ("white",), 3: ("white", "purple"), 4: ("white", "purple"), 5: ("purple",)}
    ),
    symbols=("Ψ", "ħ", "E", "φ", "λ"),
    covers_lost_colors=False,
)
FIRST: Final = Edition(
    name="first",
    year=2020,
    faces=MappingProxyType({3: ("black", "purple"), 4: ("black", "purple")}),
    symbols=("Ψ", "ħ", "p", "E"),
    covers_lost_colors=True,
)
EDITIONS: Final = {edition.name: edition for edition in (STANDARD, FIRST)}
