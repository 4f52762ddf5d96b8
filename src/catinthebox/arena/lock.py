"""A lock, so that only one run works on a file; a second run gets an error.

A lock lies beside the file as long as the run lasts. The system forgets it with the process, so
what a crash leaves behind stops nobody. Where files cannot be locked, as on Windows, nobody checks.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     first = Lock(Path(folder, "rows.csv"))
...     try:
...         Lock(Path(folder, "rows.csv"))
...     except NotUnderstood as error:
...         print(error.message.removeprefix(folder)[1:])
...     first.release()
rows.csv: another run is at work on it; let it end, or name another file
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from weakref import finalize

from ..game import NotUnderstood

if sys.platform != "win32":
    import fcntl


class Lock:
    """The right to work on a file, until it is released or forgotten."""

    def __init__(self, path: Path) -> None:
        file = path.with_name(f".{path.name}.lock")
        handle = None
        try:
            with suppress(OSError):  # a folder that is only read, a disk that knows no locks
                handle = _held(file)
        except _Taken:
            sentence = f"{path}: another run is at work on it; let it end, or name another file"
            raise NotUnderstood("input.file", sentence) from None
        self._end = finalize(self, _release, file, handle)

    def release(self) -> None:
        """Let others work on the file. It may be called twice."""
        self._end()


class _Taken(Exception):
    """Somebody else holds the lock."""


def _held(file: Path) -> int | None:
    """Lock a file that is still there afterwards: its holder may be removing it right now."""
    if sys.platform == "win32":
        return None
    while True:
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(handle), file.stat()):
                    return handle
        except BlockingIOError:
            os.close(handle)
            raise _Taken from None
        except OSError:
            os.close(handle)
            raise
        os.close(handle)


def _release(file: Path, handle: int | None) -> None:
    if handle is not None:
        with suppress(OSError):
            file.unlink()  # first, while nobody else can hold it
        os.close(handle)
