r"""Atomic file writes: a reader sees the old content or the new one, also after a power cut.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     path = Path(folder) / "game.cat"
...     with replacing(path) as file:
...         _ = file.write(b"5b\n")
...     path.read_bytes(), [one.name for one in path.parent.iterdir()]
(b'5b\n', ['game.cat'])
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

EVERYBODY: Final = 0o666  # less what the user's umask takes away
OWNER_ONLY: Final = 0o600


@contextmanager
def replacing(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """Open a draft that takes the place of a file when the block ends without an error.

    Only the owner can read a `private` file. What the system refuses is raised as an `OSError`,
    and the draft is removed.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    mode = OWNER_ONLY if private else EVERYBODY
    try:
        with open(draft, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Let the new name of a file reach the disk, on systems that can be asked for it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
