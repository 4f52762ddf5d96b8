"""A library that is not there is missed with a sentence that says how to get it.

>>> with needs("nonsuch", extra="arena"):
...     import nonsuch
Traceback (most recent call last):
catinthebox.game.errors.NotUnderstood: this needs nonsuch: pip install 'catinthebox[arena]'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..game import NotUnderstood


@contextmanager
def needs(library: str, extra: str) -> Iterator[None]:
    """Import a library inside; if it is missing, name the extra that brings it."""
    try:
        yield
    except ModuleNotFoundError:
        sentence = f"this needs {library}: pip install 'catinthebox[{extra}]'"
        raise NotUnderstood("input.option", sentence) from None
