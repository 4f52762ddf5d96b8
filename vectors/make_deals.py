"""Write vectors/deals.fair: fair deals, computed a second time and naively from docs/fairness.md.

Shares no code with the package: HMAC is spelled out, numbers are written digit by digit, and the
cards are drawn one by one from a shrinking pile, which is what swapping them in place amounts to.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

HEAD = "# Computed by vectors/make_deals.py. CC0-1.0. Format: vectors/README.md"
TABLE = {2: (5, 10), 3: (6, 10), 4: (8, 10), 5: (9, 9)}  # highest rank, cards dealt to a seat
IDS = ("t", "lab-7", "Schroedinger_1935", "0" * 64, "-_-", "7f3c2a90-1b4d-4e8f-a6c5-0d9e8b7a6f54")


def hexadecimal(number: int) -> bytes:
    """Four bytes, the highest first."""
    return bytes.fromhex(f"{number:08x}")


def message(parts: list[bytes]) -> bytes:
    """Every part behind its length."""
    text = b""
    for part in parts:
        text += hexadecimal(len(part))
        text += part
    return text


def hmac(key: bytes, text: bytes) -> bytes:
    """RFC 2104, with SHA-256 and a key shorter than a block."""
    key += b"\0" * (64 - len(key))
    inner = sha256(bytes(byte ^ 0x36 for byte in key) + text).digest()
    return sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


class Source:
    """Bytes drawn one at a time."""

    def __init__(self, secret: bytes, label: bytes, table: str, nonces: list[bytes], turn: int):
        self.secret = secret
        self.parts = [label, table.encode("ascii"), *nonces, hexadecimal(turn)]
        self.counter = 0
        self.left = b""

    def byte(self) -> int:
        """The next byte."""
        if not self.left:
            self.left = hmac(self.secret, message([*self.parts, hexadecimal(self.counter)]))
            self.counter += 1
        first, self.left = self.left[0], self.left[1:]
        return first

    def pick(self, choices: int) -> int:
        """A fair choice: complete runs of `choices` values only."""
        runs = 256 // choices
        while True:
            byte = self.byte()
            if byte // choices < runs:
                return byte - byte // choices * choices


def drawn(cards: list[int], source: Source) -> list[int]:
    """The order of the deck, built from its bottom; a taken card's place gets the last card."""
    pile, order = sorted(cards), list[int]()
    while len(pile) > 1:
        place = source.pick(len(pile))
        last = pile.pop()
        if place < len(pile):
            last, pile[place] = pile[place], last
        order.insert(0, last)
    return pile + order


def block(number: int, players: int, about: str, secret: bytes, given: list[bytes]) -> str:
    """One vector."""
    table, turn = IDS[number % len(IDS)], number % players + 1
    ranks, size = TABLE[players]
    deck = [rank for rank in range(1, ranks + 1) for _ in range(5)]
    order = drawn(deck, Source(secret, b"catinthebox deal 1 deck", table, given, turn))
    text = "".join(map(str, order))
    hands = ["".join(sorted(text[i * size : i * size + size])) for i in range(players)]
    lot = Source(secret, b"catinthebox deal 1 starter", table, given, 0).pick(players)
    promised = message([b"catinthebox deal 1 commitment", secret, table.encode("ascii")])
    lines = {
        "vector": f"deal-{number:02}",
        "about": f"{players} players, {about}",
        "secret": secret.hex(),
        "table": table,
        "nonces": " ".join(nonce.hex() or "-" for nonce in given),
        "round": turn,
        "commitment": sha256(promised).hexdigest(),
        "starter": lot,
        "deck": text,
        "deal": " ".join(hands),
    }
    if players == 2:
        lines["aside"] = text[2 * size :]
    return "\n".join(f"{key} {value}" for key, value in lines.items())


def noise(*words: object) -> bytes:
    """Thirty-two bytes that belong to some words."""
    return sha256(" ".join(map(str, words)).encode()).digest()


def blocks() -> list[str]:
    """Seven vectors for each number of players."""
    found: list[str] = []
    for players in TABLE:
        every = [noise("nonce", players, seat) for seat in range(players)]
        lone = [b"" if seat else every[0] for seat in range(players)]
        cases: list[tuple[str, bytes, list[bytes]]] = [
            ("every seat gave a nonce", noise("secret", players), every),
            ("the same nonces in another order", noise("secret", players), every[::-1]),
            ("the same nonces, another secret", noise("another", players), every),
            ("only seat 0 gave a nonce", noise("secret", players), lone),
            ("only the last seat gave a nonce", noise("secret", players), lone[::-1]),
            ("nobody gave a nonce, the secret is zero", bytes(32), [b""] * players),
            ("secret and nonces are all ones", b"\xff" * 32, [b"\xff" * 32] * players),
        ]
        for about, secret, given in cases:
            found.append(block(len(found) + 1, players, about, secret, given))
    return found


def text() -> str:
    """The whole file."""
    return "\n\n".join([HEAD, *blocks()]) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name("deals.fair").write_text(text(), encoding="ascii", newline="\n")
