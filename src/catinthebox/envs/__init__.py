"""Doors for researchers: PettingZoo, Gymnasium, batched arrays, OpenSpiel (docs/environments.md).

Each adapter is a module of its own and needs its own library, so nothing is imported here:

    catinthebox.envs.pettingzoo   env(), raw_env(), parallel_env()
    catinthebox.envs.gym          one seat against named opponents; registers CatInTheBox-v0
    catinthebox.envs.vector       thousands of games side by side, arrays in, arrays out
    catinthebox.envs.openspiel    an OpenSpiel game with chance nodes; registers "catinthebox"
"""

from __future__ import annotations


def register_envs() -> None:
    """Make CatInTheBox-v0 and CatInTheBoxSelfPlay-v0 known to Gymnasium."""
    from .gym import register_envs as register  # noqa: PLC0415 (Gymnasium only when it is used)

    register()
