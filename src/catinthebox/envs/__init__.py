"""Research environments: PettingZoo, Gymnasium, arrays, OpenSpiel (docs/environments.md).

Each adapter is a separate module with its own library, so nothing is imported here:

    catinthebox.envs.pettingzoo   env(), raw_env(), parallel_env()
    catinthebox.envs.gym          one seat against named opponents; registers CatInTheBox-v0
    catinthebox.envs.vector       thousands of games in parallel, arrays in, arrays out
    catinthebox.envs.openspiel    an OpenSpiel game with chance nodes; registers "catinthebox"
"""

from __future__ import annotations


def register_envs() -> None:
    """Register CatInTheBox-v0 and CatInTheBoxSelfPlay-v0 with Gymnasium."""
    from .gym import register_envs as register  # noqa: PLC0415 (Gymnasium only when it is used)

    register()
