"""Optional libraries: a missing one is reported with the extra that installs it.

>>> with needs("nonsuch", extra="envs"):
...     import nonsuch
Traceback (most recent call last):
catinthebox.optional.MissingLibrary: this needs nonsuch: pip install 'catinthebox[envs]'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .game import NotUnderstood


class MissingLibrary(NotUnderstood, ImportError):
    """An optional library is not installed: an import error that the command line explains."""


@contextmanager
def needs(library: str, extra: str) -> Iterator[None]:
    """Wrap the import of an optional library; a missing one raises `MissingLibrary`."""
    try:
        yield
    except ModuleNotFoundError as error:
        sentence = f"this needs {library}: pip install 'catinthebox[{extra}]'"
        missing = MissingLibrary("input.option", sentence)
        missing.name = error.name
        raise missing from error
