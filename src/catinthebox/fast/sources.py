"""Loads `rules/` and `tactics/` a second time with another `marker`, which compiles them.

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
LOADING = RLock()  # two threads may need the same copy: one loads it, the other waits


# ── Where compilations are kept ──────────────────────────────────────────────────────────────


def fingerprint(*folders: Path) -> str:
    """Hash the sources and how they are compiled, so that changes never use an old cache."""
    digest = hashlib.sha256()
    paths = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    here = Path(__file__)
    for path in [*paths, here, here.with_name("cpu_marker.py")]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def writable(folder: Path) -> Path:
    """Create a folder and return it; if that fails, return a temporary one."""
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
    """Return a temporary cache folder; the first call prints why it is needed."""
    if not _homes:
        home = Path(tempfile.mkdtemp(prefix="catinthebox-"))
        atexit.register(shutil.rmtree, home, ignore_errors=True)
        _homes.append(home)
        note = f"catinthebox: nothing can be kept in the cache ({why}); compiling for this run only"
        print(note, file=sys.stderr, flush=True)
    return _homes[0]


# ── Copies ───────────────────────────────────────────────────────────────────────────────────


def load_rules(target: str, **marker: Callable[..., object]) -> ModuleType:
    """Return a copy of the rules with another `marker`; its modules are attributes."""
    return _copy(target, "rules", RULES, marker)


def load_tactics(target: str) -> ModuleType:
    """Return a copy of the tactics that uses the rules of the same target."""
    return _copy(target, "tactics", TACTICS, {})


def _copy(
    target: str, folder: str, path: Path, marker: dict[str, Callable[..., object]]
) -> ModuleType:
    root = f"catinthebox.fast.{target}_copy"
    name = f"{root}.{folder}"
    with LOADING:  # registered before it is complete, since its modules import each other
        if name not in sys.modules:
            sys.modules.setdefault(root, _module(root, {"__path__": []}))
            try:
                _load(name, path, marker)
            except BaseException:  # an incomplete copy must not stay registered
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
