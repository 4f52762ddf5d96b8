"""Where compilations are kept. Nothing here imports the compiler."""

from __future__ import annotations

import os
from functools import cache
from importlib import metadata, util
from pathlib import Path

from . import sources


@cache
def installed() -> bool:
    """Whether there is a compiler."""
    return util.find_spec("numba") is not None


def cache_folder(*folders: Path) -> Path:
    """Where compilations are kept: one folder per version of the sources and of numba."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    key = sources.fingerprint(*(folders or (sources.RULES,)))
    return Path(home) / "catinthebox" / f"numba-{metadata.version('numba')}-{key}"
