"""A library that is not there is missed with a sentence that says how to get it.

>>> with needs("nonsuch", extra="envs"):
...     import nonsuch
Traceback (most recent call last):
catinthebox.envs.extras.MissingLibrary: this needs nonsuch: pip install 'catinthebox[envs]'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class MissingLibrary(ImportError):
    """An optional library is not installed."""


@contextmanager
def needs(library: str, extra: str) -> Iterator[None]:
    """Import a library inside; if it is missing, name the extra that brings it."""
    try:
        yield
    except ModuleNotFoundError as error:
        sentence = f"this needs {library}: pip install 'catinthebox[{extra}]'"
        raise MissingLibrary(sentence, name=error.name) from error
