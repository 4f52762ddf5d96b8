"""The file of a game in progress, written atomically after every action.

>>> from datetime import datetime
>>> default_path(datetime(2024, 5, 6, 7, 8, 9)).name
'20240506-070809.cat'
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from ...folders import user_data_folder
from ...game import Game, NotUnderstood, record
from ..files import write_text


def default_path(now: datetime) -> Path:
    """Return a new file name in the user's data folder."""
    folder = user_data_folder() / "games"
    stem = now.strftime("%Y%m%d-%H%M%S")
    path, again = folder / f"{stem}.cat", 1
    while path.exists():  # two games begun in the same second
        again += 1
        path = folder / f"{stem}-{again}.cat"
    return path


class SaveFile:
    """Saves a game to a file. If writing fails, `trouble` says why, and the game continues."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble = ""  # why the last attempt failed

    def save(self, game: Game) -> None:
        """Write the game so far, in the format of the file's extension."""
        json = self.path.suffix == ".json"
        try:
            write_text(self.path, record.write_json(game) if json else record.write(game))
            self.trouble = ""
        except NotUnderstood as error:
            self.trouble = f"cannot write {error}"
