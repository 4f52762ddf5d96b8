"""Load the sources of `rules/` once more, with another `marker`: nothing is ported.

The copy is a package of its own whose modules are the very same files. Their relative imports
find each other inside the copy, and its `marker` is the one we put there first.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

from .. import rules

FOLDER = Path(rules.__path__[0])


def fingerprint() -> str:
    """A hash of the rules and of how they are compiled: what changed never meets an old cache."""
    digest = hashlib.sha256()
    for path in [*sorted(FOLDER.glob("*.py")), Path(__file__).with_name("cpu_marker.py")]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def load(target: str, **marker: Callable[..., object]) -> ModuleType:
    """Give a copy of the rules whose `marker` is the one given; its modules are attributes."""
    name = f"catinthebox.fast.rules_{target}"
    if name in sys.modules:
        return sys.modules[name]
    package = ModuleType(name, rules.__doc__)
    package.__path__ = [str(FOLDER)]
    sys.modules[name] = package
    sys.modules[f"{name}.marker"] = _module(f"{name}.marker", marker)
    for path in sorted(FOLDER.glob("[a-z]*.py")):
        if path.stem != "marker":
            setattr(package, path.stem, import_module(f"{name}.{path.stem}"))
    return package


def _module(name: str, contents: dict[str, Callable[..., object]]) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(contents)
    return module
