"""Where compilations are kept. Nothing here imports the compiler."""

from __future__ import annotations

from functools import cache
from importlib import metadata, util
from pathlib import Path

from ..folders import user_cache_folder
from . import sources


@cache
def installed() -> bool:
    """Whether there is a compiler."""
    return util.find_spec("numba") is not None


def cache_folder(*folders: Path) -> Path:
    """Return the folder of compilations, one per version of the sources and of numba."""
    key = sources.fingerprint(*(folders or (sources.RULES,)))
    return user_cache_folder() / f"numba-{metadata.version('numba')}-{key}"
