"""A lock, so that only one run works on a file; a second run gets an error.

The lock is a file beside it for as long as the run lasts. The system gives it up with the process,
so what a crash leaves behind stops nobody.

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

from contextlib import suppress
from pathlib import Path
from typing import Final
from weakref import finalize

from filelock import FileLock, Timeout

from ..game import NotUnderstood

TRY_S: Final = 0.1  # a run that ends removes its lock: whoever got hold of that one tries again
PAUSE_S: Final = 0.01


class Lock:
    """The right to work on a file, until it is released or forgotten."""

    def __init__(self, path: Path) -> None:
        file = path.with_name(f".{path.name}.lock")
        lock = FileLock(file, thread_local=False, fallback_to_soft=False)
        try:
            lock.acquire(TRY_S, PAUSE_S)
        except Timeout:
            sentence = f"{path}: another run is at work on it; let it end, or name another file"
            raise NotUnderstood("input.file", sentence) from None
        except OSError:
            pass  # a folder that is only read, a disk that knows no locks: then nobody checks
        self._end = finalize(self, _release, file, lock)

    def release(self) -> None:
        """Let others work on the file. It may be called twice."""
        self._end()


def _release(file: Path, lock: FileLock) -> None:
    if lock.is_locked:
        with suppress(OSError):
            file.unlink()  # first, while nobody else can hold it
        lock.release()
