"""The user's folders: one for games, which are kept, and one for what can be computed again.

`platformdirs` knows the place that each system has for them; `$XDG_DATA_HOME` and `$XDG_CACHE_HOME`
name another one, on every system.

>>> user_data_folder().name
'catinthebox'
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from platformdirs import PlatformDirs
from platformdirs.api import PlatformDirsABC

APPLICATION: Final = "catinthebox"
THIS_SYSTEM: Final = PlatformDirs(APPLICATION, appauthor=False)


def user_data_folder(system: PlatformDirsABC = THIS_SYSTEM) -> Path:
    """Return the folder for what must not be lost.

    Early versions used `~/.local/share` on every system; where such a folder exists, it stays the
    one that is used, so that its games are still found.
    """
    if named := _named_by("XDG_DATA_HOME"):
        return named
    early = Path.home() / ".local" / "share" / APPLICATION
    return early if early.is_dir() else system.user_data_path


def user_cache_folder(system: PlatformDirsABC = THIS_SYSTEM) -> Path:
    """Return the folder for what may be deleted at any time."""
    return _named_by("XDG_CACHE_HOME") or system.user_cache_path


def _named_by(variable: str) -> Path | None:
    home = os.environ.get(variable)
    return Path(home, APPLICATION) if home else None
