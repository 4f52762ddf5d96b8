"""The legal actions of a seat, as a set to iterate, count, search and print.

>>> legal = LegalActions("2b 2y =1")
>>> len(legal), "2b" in legal, Action("2g") in legal, str(legal)
(3, True, False, '2b 2y =1')
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from .action import ACTIONS, Action


class LegalActions(Set[Action]):
    """A set of actions; equal to any other set of the same actions."""

    __slots__ = ("_ids",)

    def __init__(self, actions: str | Iterable[Action] = ()) -> None:
        if isinstance(actions, str):
            actions = map(Action, actions.split())
        self._ids = sum({1 << action.id for action in actions})

    @classmethod
    def from_ids(cls, ids: int) -> LegalActions:
        """Create it from a bit set of action ids."""
        legal = cls.__new__(cls)
        legal._ids = ids
        return legal

    @property
    def ids(self) -> int:
        """The action ids as a bit set, as the rules hold it."""
        return self._ids

    def __iter__(self) -> Iterator[Action]:
        ids = self._ids
        while ids:
            yield ACTIONS[(ids & -ids).bit_length() - 1]
            ids &= ids - 1

    def __len__(self) -> int:
        return self._ids.bit_count()

    def __contains__(self, action: object) -> bool:
        if isinstance(action, str):
            return any(action == own.notation for own in self)
        return isinstance(action, Action) and bool(self._ids >> action.id & 1)

    def __hash__(self) -> int:
        return self._hash()

    def __str__(self) -> str:
        return " ".join(str(action) for action in sorted(self, key=_by_rank)) or "nothing"

    def __repr__(self) -> str:
        return f"LegalActions({' '.join(map(str, self))!r})"


def _by_rank(action: Action) -> tuple[int, int, int]:
    """People look for their card first, then for its color."""
    return action.number, action.rank, action.id
