"""Load the sources of `rules/` and `tactics/` once more, with another `marker`: nothing is ported.

The copy is a package of its own whose modules are the very same files. Their relative imports
find each other inside the copy, and its `rules.marker` is the one we put there first.
"""

from __future__ import annotations

import atexit
import hashlib
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from threading import RLock
from types import ModuleType

from .. import rules, tactics
from ..folders import APPLICATION

RULES = Path(rules.__path__[0])
TACTICS = Path(tactics.__path__[0])
LOADING = RLock()  # two threads may need the same copy at once: one loads it, the other waits


# ── Where compilations are kept ──────────────────────────────────────────────────────────────


def fingerprint(*folders: Path) -> str:
    """A hash of sources and of how they are compiled: what changed never meets an old cache."""
    digest = hashlib.sha256()
    paths = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    here = Path(__file__)
    for path in [*paths, here, here.with_name("cpu_marker.py")]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def writable(folder: Path) -> Path:
    """Make a folder and give it; where nothing can be written, one that is gone after this run."""
    with LOADING:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError as error:
            folder = temporary_home(str(error)) / APPLICATION / folder.name
            folder.mkdir(parents=True, exist_ok=True)
    return folder


_homes: list[Path] = []  # none, or the one


def temporary_home(why: str) -> Path:
    """Return the cache of this run alone; the first time, say why it is needed."""
    if not _homes:
        home = Path(tempfile.mkdtemp(prefix="catinthebox-"))
        atexit.register(shutil.rmtree, home, ignore_errors=True)
        _homes.append(home)
        note = f"catinthebox: nothing can be kept in the cache ({why}); compiling for this run only"
        print(note, file=sys.stderr, flush=True)
    return _homes[0]


# ── Copies ───────────────────────────────────────────────────────────────────────────────────


def load_rules(target: str, **marker: Callable[..., object]) -> ModuleType:
    """Return a copy of the rules whose `marker` is the one given; its modules are attributes."""
    return _copy(target, "rules", RULES, marker)


def load_tactics(target: str) -> ModuleType:
    """Return a copy of the tactics that stands on the copy of the rules for the same target."""
    return _copy(target, "tactics", TACTICS, {})


def _copy(
    target: str, folder: str, path: Path, marker: dict[str, Callable[..., object]]
) -> ModuleType:
    root = f"catinthebox.fast.{target}_copy"
    name = f"{root}.{folder}"
    with LOADING:  # its modules import each other, so it can be seen before it is complete
        if name not in sys.modules:
            sys.modules.setdefault(root, _module(root, {"__path__": []}))
            try:
                _load(name, path, marker)
            except BaseException:  # half a copy must not be taken for a whole one
                for module in [key for key in sys.modules if f"{key}.".startswith(f"{name}.")]:
                    del sys.modules[module]
                raise
        return sys.modules[name]


def _load(name: str, path: Path, marker: dict[str, Callable[..., object]]) -> None:
    package = _module(name, {"__path__": [str(path)]})
    sys.modules[name] = package
    if marker:
        sys.modules[f"{name}.marker"] = _module(f"{name}.marker", marker)
    for source in sorted(path.glob("[a-z]*.py")):
        if source.stem != "marker":
            setattr(package, source.stem, import_module(f"{name}.{source.stem}"))


def _module(name: str, contents: Mapping[str, object]) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(contents)
    return module
