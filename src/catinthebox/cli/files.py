"""Files that commands read and write: texts, game records, faces; errors name the file."""

from __future__ import annotations

from pathlib import Path

from ..files import replacing
from ..game import FACES, CatInTheBoxError, Face, Game, NotUnderstood, record

MAX_BYTES = 4_000_000


def read_text(path: Path) -> str:
    """Read a text file; raise `NotUnderstood` if it is missing, huge or binary."""
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


def read_game(path: Path) -> Game:
    """Read a game record; errors name the file and the place in it."""
    text = read_text(path)
    try:
        return record.read_any(text)
    except CatInTheBoxError as error:
        raise NotUnderstood(error.code, f"{path}: {error}") from error


def read_face(name: str) -> Face:
    """Return a printed face by its name, or read one from a file."""
    if name in FACES:
        return FACES[name]
    if not Path(name).exists():
        known = ", ".join(FACES)
        raise NotUnderstood("input.face", f"no face {name!r}; there are {known}, or a face file")
    return Face.parse(read_text(Path(name)))


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically; raise `NotUnderstood` if the system refuses."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(text.encode("utf-8"))
    except OSError as error:
        raise NotUnderstood("input.file", f"{path}: {error.strerror}") from None
