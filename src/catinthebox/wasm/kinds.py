"""What a value of a rule can be, and what it is in the module.

>>> kind_of(list[list[int]]), kind_of(bool).type.name
(<Kind.TABLE: 'table'>, 'I32')
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import get_args, get_origin

from .instructions import Type


class Kind(Enum):
    """The kinds of values. Rows and tables lie in memory and are passed by their address."""

    INT = "int"
    BOOL = "bool"
    FLOAT = "float"
    NOTHING = "nothing"  # what a procedure returns
    ROW = "row"  # integers of 64 bits
    FLOATS = "floats"
    TABLE = "table"  # rows one after another, all of the same width

    @property
    def type(self) -> Type:
        """The type that holds it; an address for rows and tables."""
        return _TYPES.get(self, Type.I32)

    @property
    def scalar(self) -> bool:
        """Whether it is a single number."""
        return self in (Kind.INT, Kind.BOOL, Kind.FLOAT)


_TYPES = {Kind.INT: Type.I64, Kind.FLOAT: Type.F64, Kind.NOTHING: Type.NONE}
_SCALARS = {int: Kind.INT, bool: Kind.BOOL, float: Kind.FLOAT, None: Kind.NOTHING}


def kind_of(annotation: object) -> Kind | None:
    """Return the kind that an annotation stands for; None if it is in no rule's vocabulary."""
    if annotation is None or (isinstance(annotation, type) and annotation in _SCALARS):
        return _SCALARS[annotation]
    if get_origin(annotation) not in (list, Sequence):
        return None
    (item,) = get_args(annotation)
    inside = kind_of(item)
    if inside in (Kind.INT, Kind.BOOL):
        return Kind.ROW
    return {Kind.FLOAT: Kind.FLOATS, Kind.ROW: Kind.TABLE}.get(inside) if inside else None
