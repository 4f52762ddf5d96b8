// Made by `python -m catinthebox.server.http.documents counts`; changes here are lost.

export type Players = 2 | 3 | 4 | 5;
export type FaceName = "white" | "purple";

export interface PlayerCount {
  readonly tricks: number;
  /** The rank whose column is printed but not in play; null if all columns are. */
  readonly covered: number | null;
  /** The faces printed for so many players, the usual one first (R31). */
  readonly faces: readonly [FaceName, ...FaceName[]];
}

/** The table of player counts, as far as a client needs it to offer a game and to draw a board. */
export const COUNTS: Readonly<Record<Players, PlayerCount>> = {
  2: { tricks: 8, covered: 6, faces: ["white"] },
  3: { tricks: 8, covered: null, faces: ["white", "purple"] },
  4: { tricks: 8, covered: 9, faces: ["white", "purple"] },
  5: { tricks: 7, covered: null, faces: ["purple"] },
};
