/** The table of player counts, as the build took it from the rules. */

import { COVERED, FACES_FOR, TRICKS } from "../engine/generated/rules";

export type Players = 2 | 3 | 4 | 5;
export type FaceName = "white" | "purple";

/** How many tricks a round has. */
export const tricksFor = (players: number): number => TRICKS[players] ?? 0;

/** The rank whose column is printed but not in play; null if all are. */
export const coveredFor = (players: number): number | null => COVERED[players] || null;

/** The faces printed for a number of players, the usual one first (R31). */
export const facesFor = (players: Players): readonly FaceName[] => FACES_FOR[players] as readonly FaceName[];
