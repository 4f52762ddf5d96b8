"""The rules compiled for this CPU: loaded once, cached on disk under a hash of their sources."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import numba

from . import sources


def cache_folder() -> Path:
    """Where compilations are kept: one folder per version of the rules and of numba."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "catinthebox" / f"numba-{numba.__version__}-{sources.fingerprint()}"


@cache
def rules() -> ModuleType:
    """Give the compiled rules; each function is compiled when it is first called."""
    folder = cache_folder()
    if not folder.exists():
        note = "catinthebox: compiling the rules for this machine, once; some seconds"
        print(note, file=sys.stderr, flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    numba.config.CACHE_DIR = str(folder)
    from . import cpu_marker  # noqa: PLC0415 (its functions take the cache folder as they are made)

    return sources.load(
        "cpu",
        rule=cpu_marker.rule,
        popcount=cpu_marker.popcount,
        nth_bit=cpu_marker.nth_bit,
    )
