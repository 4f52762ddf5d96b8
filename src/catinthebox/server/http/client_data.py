"""What the browser client knows before a server has said anything, as TypeScript modules.

The table of player counts, so that the client can offer games and draw boards without a copy of
the numbers.

>>> counts().partition("  4: ")[2].partition("},")[0]
'{ tricks: 8, covered: 9, faces: ["white", "purple"] '
"""

from __future__ import annotations

import json
from typing import Final

from ...game import Deck
from ...game.edition import STANDARD
from ...rules.counts import COVERED

HEAD: Final = "// Made by `python -m catinthebox.server.http.documents {}`; changes here are lost."

COUNTS: Final = """
export type Players = {players};
export type FaceName = {faces};

export interface PlayerCount {{
  readonly tricks: number;
  /** The rank whose column is printed but not in play; null if all columns are. */
  readonly covered: number | null;
  /** The faces printed for so many players, the usual one first (R31). */
  readonly faces: readonly [FaceName, ...FaceName[]];
}}

/** The table of player counts, as far as a client needs it to offer a game and to draw a board. */
export const COUNTS: Readonly<Record<Players, PlayerCount>> = {{
{rows}
}};
"""


def counts() -> str:
    """Return a module with the table of player counts of the standard edition."""
    names = dict.fromkeys(name for faces in STANDARD.faces.values() for name in faces)
    faces = " | ".join(map(json.dumps, names))
    players = " | ".join(map(str, STANDARD.faces))
    rows = "\n".join(map(_row, STANDARD.faces))
    return HEAD.format("counts") + "\n" + COUNTS.format(players=players, faces=faces, rows=rows)


def _row(players: int) -> str:
    tricks, covered = Deck.standard(players).tricks, json.dumps(COVERED[players] or None)
    faces = json.dumps(STANDARD.faces[players])
    return f"  {players}: {{ tricks: {tricks}, covered: {covered}, faces: {faces} }},"
