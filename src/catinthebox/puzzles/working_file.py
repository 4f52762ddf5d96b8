"""What the deals of a seed gave, in a file that grows, so that an interruption loses nothing.

The first line says how the deals are worked on; every other line is a deal that is done. A line
that was cut off is dropped.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import Any, Final

from ..arena.lock import Lock
from ..game import NotUnderstood
from .make import Made
from .puzzle import Puzzle, PuzzleFile, compact

SHARE: Final = 0.3  # of the puzzles may have the same main theme


class WorkingFile:
    """The deals that are done; locked until `close`."""

    def __init__(self, path: Path, settings: PuzzleFile) -> None:
        self.path = path
        self.done: dict[int, Made] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = Lock(path)
            try:
                self._read(settings)
                self._file = path.open("ab")
            except BaseException:
                self._lock.release()
                raise
        except OSError as error:
            raise NotUnderstood("input.file", f"{path}: {error.strerror}") from None

    def _read(self, settings: PuzzleFile) -> None:
        """Read what an earlier run left, and cut off an incomplete line."""
        head = {"catinthebox_puzzles_work": 1} | settings.head
        content = self.path.read_bytes() if self.path.exists() else b""
        whole = content[: content.rfind(b"\n") + 1]
        begin = f"{compact(head)}\n".encode()
        if not whole and begin.startswith(content):
            self.path.write_bytes(begin)
            return
        try:
            first, *rows = map(json.loads, whole.decode().splitlines())
            found = [Made(row["deal"], _read(row["puzzle"])) for row in rows]
        except (ValueError, KeyError, TypeError):
            sentence = f"{self.path} is not a working file of puzzles"
            raise NotUnderstood("input.file", sentence) from None
        if first != head:
            sentence = f"{self.path} belongs to another run: {', '.join(_differences(first, head))}"
            raise NotUnderstood("input.option", sentence)
        self.done = {made.deal: made for made in found}
        if len(whole) < len(content):
            os.truncate(self.path, len(whole))

    def add(self, found: Sequence[Made]) -> None:
        """Keep what some deals gave."""
        for made in found:
            self.done[made.deal] = made
            puzzle = None if made.puzzle is None else made.puzzle.data
            self._file.write(f"{compact({'deal': made.deal, 'puzzle': puzzle})}\n".encode())
        self._file.flush()

    def close(self) -> None:
        """Let others work on the file."""
        self._file.close()
        self._lock.release()

    def missing(self) -> Iterator[int]:
        """Return the numbers of the deals that are not done, in order, without an end."""
        done, number = set(self.done), 0
        while True:
            if number not in done:
                yield number
            number += 1

    def chosen(self, count: int) -> list[Puzzle]:
        """Return the first puzzles of the deals in order, up to the first one that is not done."""
        found = []
        for number in range(len(self.done)):
            if number not in self.done:
                break
            found.append(self.done[number].puzzle)
        return chosen([puzzle for puzzle in found if puzzle is not None], count)


def chosen(found: Sequence[Puzzle], count: int) -> list[Puzzle]:
    """Return the first puzzles, no position twice and no main theme too often.

    Which puzzles are returned depends on the count and on the order of what was found.
    """
    most, themes, kept = ceil(SHARE * count), Counter[str](), dict[str, Puzzle]()
    for puzzle in found:
        main = puzzle.themes[0]
        if len(kept) < count and themes[main] < most and puzzle.id not in kept:
            themes[main] += 1
            kept[puzzle.id] = puzzle
    return list(kept.values())


def _read(row: dict[str, Any] | None) -> Puzzle | None:
    return None if row is None else Puzzle.of_data(row)


def _differences(found: Any, wanted: dict[str, Any]) -> Iterator[str]:
    if not isinstance(found, dict):
        yield "it has no settings"
        return
    for name, value in wanted.items():
        if found.get(name) != value:
            yield f"{name} is {found.get(name)!r}, not {value!r}"
