"""Load the sources of `rules/` and `tactics/` once more, with another `marker`: nothing is ported.

The copy is a package of its own whose modules are the very same files. Their relative imports
find each other inside the copy, and its `rules.marker` is the one we put there first.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType

from .. import rules, tactics

RULES = Path(rules.__path__[0])
TACTICS = Path(tactics.__path__[0])


def fingerprint(*folders: Path) -> str:
    """A hash of sources and of how they are compiled: what changed never meets an old cache."""
    digest = hashlib.sha256()
    paths = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    here = Path(__file__)
    for path in [*paths, here, here.with_name("cpu_marker.py")]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def load_rules(target: str, **marker: Callable[..., object]) -> ModuleType:
    """Give a copy of the rules whose `marker` is the one given; its modules are attributes."""
    return _copy(target, "rules", RULES, marker)


def load_tactics(target: str) -> ModuleType:
    """Give a copy of the tactics that stands on the copy of the rules for the same target."""
    return _copy(target, "tactics", TACTICS, {})


def _copy(
    target: str, folder: str, path: Path, marker: dict[str, Callable[..., object]]
) -> ModuleType:
    root = f"catinthebox.fast.{target}_copy"
    name = f"{root}.{folder}"
    if name in sys.modules:
        return sys.modules[name]
    sys.modules.setdefault(root, _module(root, {"__path__": []}))
    package = _module(name, {"__path__": [str(path)]})
    sys.modules[name] = package
    if marker:
        sys.modules[f"{name}.marker"] = _module(f"{name}.marker", marker)
    for source in sorted(path.glob("[a-z]*.py")):
        if source.stem != "marker":
            setattr(package, source.stem, import_module(f"{name}.{source.stem}"))
    return package


def _module(name: str, contents: Mapping[str, object]) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(contents)
    return module
