"""Files on the command line: read with a clear error, written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from .. import NotUnderstood

MAX_BYTES = 4_000_000


def read_text(path: Path) -> str:
    """Read a text file; a missing, huge or binary one raises `NotUnderstood`."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise NotUnderstood("input.file", f"{path} is larger than {MAX_BYTES} bytes")
        return content.decode("utf-8")
    except OSError as error:
        raise NotUnderstood("input.file", f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise NotUnderstood("input.file", f"{path} is not a text in UTF-8") from None


def write_text(path: Path, text: str) -> None:
    """Write a file whole: whoever looks sees the old text or the new one, never half of it."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise NotUnderstood("input.file", f"{path}: {error.strerror}") from None
