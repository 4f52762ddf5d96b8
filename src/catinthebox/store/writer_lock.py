"""One writer for a database file: locks the file itself, under any name.

A lock by name is not enough: after a rename, or by a link or another mount, the same
file has another name. So a byte of the file is locked, far beyond everything that SQLite
writes or locks; readers do not conflict with it. The system releases the lock after a crash.

Where locks belong to a process and not to a descriptor (macOS, BSD), closing any descriptor of the
file releases them. So nothing here opens a file that this process already writes, and `hold` takes
the lock again. Windows has no such locks: there the lock beside the file (`SqliteStore`), which
goes by name, must suffice, and hard links are refused all the same.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     path = Path(folder) / "games.db"
...     path.touch()
...     (Path(folder) / "link.db").symlink_to(path)
...     lock = WriterLock(path)
...     try:
...         WriterLock(Path(folder) / "link.db")
...     except Locked:
...         print("locked")
...     lock.close()
locked
"""

from __future__ import annotations

import os
import struct
import sys
from errno import EACCES, EAGAIN
from pathlib import Path
from threading import Lock
from typing import Final, TypeAlias

from .errors import StoreError

BYTE: Final = 2**62  # the locked byte; no file is so long


class Locked(Exception):
    """Another process, or another store in this process, writes the file."""


Identity: TypeAlias = tuple[int, int]
"""The device and inode of a file: what makes it this file, whatever it is called."""


_written: set[Identity] = set()  # files that this process writes
_written_lock: Final = Lock()


class WriterLock:
    """The exclusive right to write a file; raises `Locked` if it is taken."""

    def __init__(self, path: Path) -> None:
        found = path.stat()
        if found.st_nlink > 1:
            raise StoreError(
                f"{path} has {found.st_nlink} names (hard links), but SQLite finds what it wrote "
                "last by the name: remove the other names, or make copies of the file"
            )
        self.identity: Final[Identity] = found.st_dev, found.st_ino
        with _written_lock:
            if self.identity in _written:
                raise Locked
            self._file = _locked(path)
            _written.add(self.identity)

    def hold(self) -> None:
        """Take the lock again if closing another descriptor may have released it."""
        if self._file is not None and not _by_descriptor():
            _lock(self._file)

    def close(self) -> None:
        """Release the lock; close connections to the file first, as they lose their locks."""
        with _written_lock:
            _written.discard(self.identity)
            if self._file is not None:
                os.close(self._file)
            self._file = None


def _locked(path: Path) -> int | None:
    """Open a file and lock it; None if the system cannot."""
    if sys.platform == "win32":
        return None
    file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        _lock(file)
    except OSError as error:
        os.close(file)
        if error.errno in (EACCES, EAGAIN):
            raise Locked from None
        raise
    return file


if sys.platform == "win32":

    def _by_descriptor() -> bool:
        return True

    def _lock(file: int) -> None:
        """Do nothing."""

else:
    import fcntl

    def _by_descriptor() -> bool:
        """Whether a lock belongs to a descriptor (only on Linux), and not to the process."""
        return sys.platform == "linux"

    def _lock(file: int) -> None:
        """Lock the byte at once, or raise `OSError`."""
        if sys.platform == "linux":
            # struct flock: type, whence, start, length, process
            wanted = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, BYTE, 1, 0)
            fcntl.fcntl(file, fcntl.F_OFD_SETLK, wanted)
        else:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, BYTE)
