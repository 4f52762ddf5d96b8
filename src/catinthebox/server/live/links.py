"""Keys in links: who may play, watch or replay is proven by the link itself; nothing is stored.

A table has a public id. It names the table in records, file names, frames and logs, and opens
nothing. A key is the id and a code, `ID-CODE`: an HMAC over a purpose and the id under the key of
the store, so that every worker accepts the same keys, and nobody makes one without that key. A
key for one purpose says nothing about the key for another.

Tables that were opened before there were keys (`Table.keyed` is false) have an id of 134 random
bits, which has been passed on as their link: for them the id itself stays the key to everything.

>>> keys = LinkKeys(bytes(32))
>>> keys.play("lab7")
'lab7-zcgooft5vl3l7hldpdyr3ni3fm'
>>> keys.read(keys.play("lab7")), keys.read(keys.watch("lab7"))
(Opens(table='lab7', purpose='play'), Opens(table='lab7', purpose='watch'))
>>> keys.read(keys.replay("lab7", 2), game=2).purpose, keys.read(keys.replay("lab7", 2), game=1)
('replay', None)
>>> keys.read("lab7-" + "a" * 26) is None, keys.read("lab7")
(True, Opens(table='lab7', purpose='bare'))

While a table waits for its game to begin, people may also type a short code (`invitations.py`).

>>> keys.short_code("lab7")
'N5CZ5'
"""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

from ...protocol.lobby import Links, ReplayLink
from ...table import Table
from ..errors import unknown
from .live_table import LiveTable

Purpose: TypeAlias = Literal["play", "watch", "replay", "bare"]
"""What a key is for; `bare` is an id without a code, which opens tables of the past only."""

CODE_SIZE: Final = 26  # characters of five bits: nobody guesses 130 bits
LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ23456789"  # none that look alike, and no words
SHORT_CODE_SIZE: Final = 5  # 17 million: few guesses are allowed, and codes work only for a while
SHORT_CODE: Final = re.compile(f"[{LETTERS}{LETTERS[:-8].lower()}]{{{SHORT_CODE_SIZE}}}")
REPLAYS: Final = 100  # links to replays that are listed; a table rarely plays ten games


class Opens(NamedTuple):
    """The table that a key is for, and what it lets its holder do there."""

    table: str
    purpose: Purpose


@dataclass(frozen=True)
class LinkKeys:
    """Makes and checks keys; `secret` is the same in all workers of a store."""

    secret: bytes = field(repr=False)

    def play(self, table: str) -> str:
        """Return the key that lets people sit down, and watch."""
        return self._key("play", table)

    def watch(self, table: str) -> str:
        """Return the key that lets people watch."""
        return self._key("watch", table)

    def replay(self, table: str, game: int) -> str:
        """Return the key to the record of one game of a table, once that is over."""
        return self._key(f"replay {game}", table)

    def short_code(self, table: str) -> str:
        """Return the code that people may type instead of the key to play."""
        number = int.from_bytes(hmac.digest(self.secret, f"code {table}".encode(), "sha256"))
        base = len(LETTERS)
        return "".join(LETTERS[number // base**place % base] for place in range(SHORT_CODE_SIZE))

    def read(self, key: str, game: int | None = None) -> Opens | None:
        """Return what a key opens; None if it is wrong. A game's replay has its own key.

        All codes are compared, each in constant time, so the time says nothing about any of them.
        """
        table, dash, _ = key.rpartition("-")
        if not dash:
            return Opens(key, "bare")
        found: Purpose | None = None
        for purpose, right in self._keys(table, game):
            if hmac.compare_digest(key, right):
                found = purpose
        return None if found is None else Opens(table, found)

    def _keys(self, table: str, game: int | None) -> Iterator[tuple[Purpose, str]]:
        yield "play", self.play(table)
        yield "watch", self.watch(table)
        if game is not None:
            yield "replay", self.replay(table, game)

    def _key(self, purpose: str, table: str) -> str:
        digest = hmac.digest(self.secret, f"{purpose} {table}".encode(), "sha256")
        return f"{table}-{b32encode(digest).decode().lower()[:CODE_SIZE]}"

    # ── What people pass on ──────────────────────────────────────────────────────────────────

    def entrance(self, table: str, *, keyed: bool) -> str:
        """Return what lets anybody join a table, for links and paths."""
        return self.play(table) if keyed else table

    def links_for(self, table: Table, purpose: Purpose) -> Links:
        """Return the links that the holder of a key may share: only to what that key opens."""
        watch = self.watch(table.id) if table.keyed else table.id
        waiting = table.stage == "lobby" and table.keyed and purpose != "watch"
        return Links(
            id=table.id,
            play=None if purpose == "watch" else self.entrance(table.id, keyed=table.keyed),
            watch=watch if table.settings.spectators else None,
            replays=tuple(self._replays(table)),
            code=self.short_code(table.id) if waiting else None,
        )

    def _replays(self, table: Table) -> Iterator[ReplayLink]:
        over = table.game is not None and table.game.over
        last = table.games if over else table.games - 1
        for game in range(max(1, last - REPLAYS + 1), last + 1):
            yield ReplayLink(game, self.replay(table.id, game) if table.keyed else table.id)


class Access(NamedTuple):
    """A table in memory, for somebody whose key opens it."""

    live: LiveTable
    purpose: Purpose

    def person(self, who: str) -> str:
        """Return who somebody is at this table: a link to watch makes everybody a spectator."""
        return "" if self.purpose == "watch" else who


def admitted(live: LiveTable, purpose: Purpose) -> Access:
    """Grant access to the holder of a key; an id without a code opens old tables only."""
    if live.table.keyed is (purpose == "bare"):
        raise unknown()
    return Access(live, purpose)
