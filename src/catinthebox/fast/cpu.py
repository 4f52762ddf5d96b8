"""Rules and tactics compiled for this CPU, cached on disk under a hash of their sources."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType

import numba

from . import sources
from .cache import cache_folder

__all__ = ["cache_folder", "cached_in", "rules", "tactics"]


@contextmanager
def cached_in(folder: Path) -> Iterator[None]:
    """Cache the machine code of functions that are compiled in the block in a folder."""
    with sources.LOADING:  # the setting is global
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(sources.writable(folder))
        try:
            yield
        finally:
            numba.config.CACHE_DIR = before


@cache
def rules() -> ModuleType:
    """Return the compiled rules; each function is compiled when it is first called."""
    folder = cache_folder()
    with sources.LOADING:
        if not folder.exists() and sources.writable(folder) == folder:
            note = "catinthebox: compiling the rules for this machine, once; some seconds"
            print(note, file=sys.stderr, flush=True)
    with cached_in(folder):
        from . import cpu_marker  # noqa: PLC0415 (its functions take the cache folder too)

        return sources.load_rules(
            "cpu",
            rule=cpu_marker.rule,
            popcount=cpu_marker.popcount,
            nth_bit=cpu_marker.nth_bit,
        )


@cache
def tactics() -> ModuleType:
    """Return the compiled tactics; each function is compiled when it is first called."""
    rules()
    with cached_in(cache_folder(sources.RULES, sources.TACTICS)):
        return sources.load_tactics("cpu")
