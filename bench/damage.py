"""Flips bytes in the file of a store, and counts what is noticed, unnoticed, or refused.

    python -m bench.damage            # 30 files with 3 flipped bytes each
    python -m bench.damage --files 1000 --flips 1

Each file holds the same games. After the flips it is opened as a server opens it, every game is
read, and one more event is appended to each. A game that is read back with other bytes, another
length or another entry than it was written with, and without an error, was damaged unnoticed.
"""

from __future__ import annotations

import argparse
import logging
import sqlite3
from collections import Counter
from pathlib import Path
from random import Random
from shutil import copyfile
from tempfile import TemporaryDirectory

from catinthebox.store import About, Store, StoreError, open_store

GAMES = 24
EVENTS = 60
Written = dict[str, tuple[list[bytes], About]]

OUTCOMES = {
    "unnoticed": "started, and some game went on with other bytes than were written",
    "reported": "started; damaged games were reported and stopped, all others went on",
    "harmless": "started; every game is as it was written",
    "refused": "did not start, and said why",
}


def written(path: Path, chance: Random) -> Written:
    """Write the games that all files hold, and return them."""
    games: Written = {}
    with open_store(path) as store:
        for _ in range(GAMES):
            events = [
                b'{"at":%d,"type":"Acted","seat":%d,"action":"%x"}'
                % (n, n % 4, chance.getrandbits(chance.randrange(40, 600)))
                for n in range(EVENTS)
            ]
            about = About("open", f'{{"seats":["{chance.getrandbits(64):x}"],"since":{EVENTS}}}')
            game = f"{chance.getrandbits(96):024x}"
            store.append(game, 0, events, about, {f"wake/{game}": 5}).result()
            games[game] = events, about
    return games


def flip(path: Path, flips: int, chance: Random) -> None:
    """Change some bytes of a file, wherever they are."""
    content = bytearray(path.read_bytes())
    for _ in range(flips):
        content[chance.randrange(len(content))] ^= chance.randrange(1, 256)
    path.write_bytes(content)


def outcome(path: Path, games: Written) -> str:
    """Open a file as a server does, and go on with every game."""
    try:
        with open_store(path) as store:
            listed = {entry.game: entry.about for entry in store.games()}
            answers = {_played(store, game, games[game], listed.get(game)) for game in games}
            if listed.keys() - games.keys():
                answers.add("unnoticed")
    except (StoreError, sqlite3.Error):
        return "refused"
    return next(word for word in OUTCOMES if word in answers)


def _played(store: Store, game: str, truth: tuple[list[bytes], About], about: About | None) -> str:
    events, entry = truth
    try:
        found = [event for _, event in store.read(game)]
        store.append(game, len(found), [b"one more"]).result()
    except StoreError:
        return "reported"
    except Exception:  # not an answer, but nobody went on either
        return "reported"
    return "harmless" if (found, about) == (events, entry) else "unnoticed"


def main() -> None:
    """Flip, open, count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=30)
    parser.add_argument("--flips", type=int, default=3, help="bytes in each file")
    parser.add_argument("--seed", type=int, default=12)
    arguments = parser.parse_args()
    logging.disable()
    chance = Random(arguments.seed)
    counts: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        whole, copy = Path(folder) / "whole.db", Path(folder) / "copy.db"
        games = written(whole, chance)
        for _ in range(arguments.files):
            for old in Path(folder).glob("copy.db*"):
                old.unlink()
            copyfile(whole, copy)
            flip(copy, arguments.flips, chance)
            counts[outcome(copy, games)] += 1
    print(f"{arguments.files} files, {arguments.flips} bytes flipped in each")
    for word, meaning in OUTCOMES.items():
        print(f"{counts[word]:6} {word:10} {meaning}")


if __name__ == "__main__":
    main()
