"""The coach can be asked to think without a compiler, too."""

from players.conftest import without_compiler

__all__ = ["without_compiler"]
