"""Canaries: what must never be heard, looked for in everything that leaves a server.

Pairs of worlds show that nothing depends on what is hidden. They do not show a secret that is the
same in both: a token, its hash, the key, a nonce or a game's secret before its time, a key in a
link. Those, and the hands as they stand in the log, are looked for by their texts.
"""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from secrecy.people import EVERYBODY, nonce_of, token_of
from secrecy.probes import METRICS, RECORD
from secrecy.scenarios import NAMES, secret
from secrecy.simulated_server import LOG, Said
from simulation.disk import Disk

from catinthebox.server.live.deal_secret import GAME, DealSecret
from catinthebox.server.live.links import LinkKeys
from catinthebox.table import Table, token_hash

FEW: Final = 5  # cards: a shorter list of ranks may be something else
OWN: Final = re.compile(rb'"own":\{"hand":\[(.*?)\]')
HELD: Final = re.compile(rb'"rank":(\d),"copies":(\d)')
PEOPLE: Final = (*NAMES, "Stranger")

Needles = dict[bytes, str]
"""A text, and what it would tell; the names of bots that may be told it."""


class LeakedSecret(AssertionError):
    """A secret was said to somebody who must not know it."""


class Canary:
    """Looks at what was said around one table."""

    def __init__(self, disk: Disk, people: Iterable[str]) -> None:
        self._disk = disk
        self._people = frozenset(people)  # who came by the link to play
        self._always: Needles = {}
        self._dealt: dict[str, set[str]] = {name: set() for name in PEOPLE}  # to whom, so far
        self._seats: dict[str, int | None] = {}

    def look(self, said: Iterable[Said], table: Table) -> None:
        """Raise if anything was said in this moment that somebody must not hear."""
        self._always = self._always or dict(_keys(self._disk)) | dict(_tokens())
        hidden = self._always | dict(_promises(table)) | dict(_hands(table))
        named = hidden | dict.fromkeys([table.id.encode()], "the link to a table")
        named |= {b'"' + name.encode(): "a name" for name in PEOPLE}
        self._see(table)
        for to, text in {(to, text) for _, to, text in said}:
            _scan(to, text, named if to in (LOG, METRICS) else hidden)
            self._look_at_own(to, text)
            self._look_at_links(to, text, table)

    def _look_at_links(self, to: str, text: bytes, table: Table) -> None:
        """Insist that a key is told to those who have it, and is in no record and no log."""
        for code, what, holders in self._codes(table):
            if code in text and to not in holders:
                raise LeakedSecret(f"{what}, told to {to}: {text!r:.2000}")

    def _codes(self, table: Table) -> Iterator[tuple[bytes, str, frozenset[str]]]:
        """What keys consist of besides the id, what each is for, and who has got it."""
        keys, everybody = (
            LinkKeys(DealSecret(self._disk.logs[GAME][0]).for_links),
            frozenset({EVERYBODY}),
        )
        listed = everybody if table.settings.visibility == "open" else frozenset()
        yield _code(keys.play(table.id)), "the key to play", self._people | listed
        yield _code(keys.watch(table.id)), "the key to watch", self._people | everybody
        for game in range(1, table.games + 1):
            yield _code(keys.replay(table.id, game)), "a key to replay", self._people | everybody

    def _see(self, table: Table) -> None:
        """Remember which hands are whose, also of those who have just left."""
        rounds = table.game.rounds if table.game is not None else ()
        for name, hands in self._dealt.items():
            seats = {self._seats.get(name), table.seat_of(token_hash(token_of(name)))}
            hands |= {r.setup.hands[seat] for seat in seats if seat is not None for r in rounds}
            self._seats[name] = table.seat_of(token_hash(token_of(name)))

    def _look_at_own(self, to: str, text: bytes) -> None:
        """Insist that own cards are sent only to those who have, or had, them."""
        for found in OWN.findall(text):
            ranks = b"".join(rank * int(copies) for rank, copies in HELD.findall(found)).decode()
            if all(Counter(ranks) - Counter(hand) for hand in self._dealt.get(to, ())):
                raise LeakedSecret(f"cards of another seat, told to {to}: {text!r:.2000}")


def _scan(to: str, text: bytes, needles: Needles) -> None:
    for needle, what in needles.items():
        if needle in text and to not in (*what.split(", "), RECORD):
            raise LeakedSecret(f"{what}, told to {to}: {text!r:.2000}")


def _code(key: str) -> bytes:
    return key.rpartition("-")[2].encode()


# ── What is hidden ───────────────────────────────────────────────────────────────────────────


def _keys(disk: Disk) -> Iterator[tuple[bytes, str]]:
    """The key of the store, in every form."""
    for key in disk.logs[GAME]:
        forms = (key, key.hex().encode(), b64encode(key), urlsafe_b64encode(key))
        yield from ((form[:40], "the key behind all deals") for form in forms)


def _tokens() -> Iterator[tuple[bytes, str]]:
    """The tokens of people, and what the log knows them by."""
    for name in PEOPLE:
        token = token_of(name)
        yield token.encode(), f"the token of {name}"
        yield token_hash(token).encode(), f"the hash of the token of {name}"


def _promises(table: Table) -> Iterator[tuple[bytes, str]]:
    """Secrets of games that are not over, nonces of games that have not begun."""
    over = table.games - (table.stage != "over")
    for game in range(over + 1, 5):
        yield secret(game).encode(), f"the secret of game {game}"
    for game in range(table.games + 1, 3):
        yield from ((nonce_of(name, game).encode(), f"a nonce of {name}") for name in NAMES)


def _hands(table: Table) -> Iterator[tuple[bytes, str]]:
    """The hands of a game that is not over, as they stand in the log; a bot is told its own."""
    if table.game is None or table.stage == "over":
        return
    bots: dict[str, list[str]] = {}
    for round in table.game.rounds:
        for seat, hand in enumerate(round.setup.hands):
            bots.setdefault(hand, []).append(f"bot {seat}")
    for hand, names in bots.items():
        yield hand.encode(), ", ".join(names)
        yield f"[{','.join(hand)}]".encode(), "a hand that was dealt"
    current = table.game.current
    open_hand = () if current.paradox is None else current.hands[current.paradox]
    for ranks in current.hands:
        if len(ranks) >= FEW and ranks != open_hand:
            yield f"[{','.join(map(str, ranks))}]".encode(), "a hand"
