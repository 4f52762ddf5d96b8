"""Write vectors/playouts.sha256: one digest per table and policy over 100,000 seeded rounds.

The bytes are, as little-endian 64-bit integers, the state vectors of rounds 0 … 99,999 of seed
2020 at their end, row by row, then their scores. Interpreted, compiled and GPU rounds must all
give these.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from catinthebox.fast.rounds import POLICIES, ends

TABLES = ((2, "white"), (3, "white"), (3, "purple"), (4, "white"), (4, "purple"), (5, "purple"))


def main() -> None:
    """Write the file."""
    lines = []
    for players, face in TABLES:
        for policy in POLICIES:
            table, scores = ends(100_000, players=players, face=face, policy=policy, seed=2020)
            content = table.astype("<i8").tobytes() + scores.astype("<i8").tobytes()
            lines.append(f"{hashlib.sha256(content).hexdigest()} {players}-{face}-{policy}\n")
    Path(__file__).with_name("playouts.sha256").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
