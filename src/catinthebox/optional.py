"""Optional libraries: a missing one is reported with the extra that installs it.

>>> with needs("nonsuch", extra="envs"):
...     import nonsuch
Traceback (most recent call last):
catinthebox.optional.MissingLibrary: this needs nonsuch: pip install 'catinthebox[envs]'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

from .game import NotUnderstood


class MissingLibrary(NotUnderstood, ImportError):
    """An optional library is not installed: an import error that the command line explains."""


@contextmanager
def needs(library: str, extra: str) -> Iterator[None]:
    """Wrap the import of an optional library; a missing one raises `MissingLibrary`."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise _missing(library, extra, error) from error


def load(module: str, extra: str) -> ModuleType:
    """Import a module of this package that stands on the libraries of an extra.

    >>> load("catinthebox.files", extra="serve").__name__
    'catinthebox.files'
    """
    try:
        return import_module(module)
    except ImportError as error:
        library = (error.name or "catinthebox").partition(".")[0]
        if library == "catinthebox":  # a bug, not a missing library
            raise
        raise _missing(library, extra, error) from None


def _missing(library: str, extra: str, error: ImportError) -> MissingLibrary:
    sentence = f"this needs {library}: pip install 'catinthebox[{extra}]'"
    missing = MissingLibrary("input.option", sentence)
    missing.name = error.name
    return missing
