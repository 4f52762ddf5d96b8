"""Write vectors/days.daily: games of some days, computed naively from docs/browser.md.

Shares no code with the package; the cards are drawn by make_deals.py, which does not either.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from runpy import run_path

DEALS = run_path(str(Path(__file__).with_name("make_deals.py")))
Source, drawn = DEALS["Source"], DEALS["drawn"]
HEAD = "# Computed by vectors/make_daily.py. CC0-1.0. Format: vectors/README.md"
DAYS = (
    *("2026-01-01", "2026-11-14", "2026-11-15", "2026-11-16", "2026-12-31", "2027-01-01"),
    *("2028-02-29", "2031-07-04", "2099-12-31", "9999-12-31"),
)
LEVELS = ["gentle", "steady", "sharp"]
DECK = [rank for rank in range(1, 7) for _ in range(5)]


def number(words: str) -> int:
    """A number of sixteen hexadecimal digits."""
    return int(sha256(words.encode("ascii")).hexdigest()[:16], 16)


def block(day: str) -> str:
    """One vector."""
    text = "catinthebox daily 1 " + day
    secret = sha256(text.encode("ascii")).digest()
    table, nobody = "daily-" + day, [b"", b"", b""]
    person = number(text + " seat") % 3
    levels = [
        "-" if seat == person else LEVELS[number(f"{text} level {seat}") % 3] for seat in range(3)
    ]
    lines = [
        f"vector daily-{day}",
        f"date {day}",
        f"seat {person}",
        f"levels {' '.join(levels)}",
        f"starter {Source(secret, b'catinthebox deal 1 starter', table, nobody, 0).pick(3)}",
    ]
    for turn in (1, 2, 3):
        order = drawn(DECK, Source(secret, b"catinthebox deal 1 deck", table, nobody, turn))
        cards = "".join(map(str, order))
        hands = ["".join(sorted(cards[at : at + 10])) for at in (0, 10, 20)]
        lines.append(f"deal {turn} {' '.join(hands)}")
    for turn, seat, decision in ((1, 0, 0), (1, 1, 1), (2, 2, 2), (3, 0, 9)):
        seed = number(f"{text} round {turn} seat {seat} decision {decision}") // 4
        lines.append(f"seed {turn} {seat} {decision} {seed}")
    return "\n".join(lines)


def text() -> str:
    """The whole file."""
    return "\n\n".join([HEAD, *map(block, DAYS)]) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name("days.daily").write_text(text(), encoding="ascii", newline="\n")
