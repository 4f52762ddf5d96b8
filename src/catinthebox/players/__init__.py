"""Opponents. A player is told what its seat may know, nothing else; chance is an argument."""

from .follow import Glimpse, choose, glimpse

__all__ = ["Glimpse", "choose", "glimpse"]
