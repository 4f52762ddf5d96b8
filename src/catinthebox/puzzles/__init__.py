"""Puzzles: moments of a round in which one action is clearly best (docs/puzzles.md)."""

from .puzzle import Puzzle, PuzzleFile, Valued

__all__ = ["Puzzle", "PuzzleFile", "Valued"]
