/** Actions as people write them (`-5`, `=2`, `5b`), and as the rules number them. */

import { ACTIONS, FIRST_BID, FIRST_DISCARD, MAX_RANK } from "./generated/rules";

export const LETTERS = ["r", "b", "y", "g"] as const;
export const COLOR_NAMES = ["red", "blue", "yellow", "green"] as const;

/** What somebody did; the action by its number. */
export interface Play {
  readonly seat: number;
  readonly action: number;
}

/** A play as a color and a rank. */
export interface Declared {
  readonly color: number;
  readonly rank: number;
}

/** Return the color and the rank of a play. */
export const declared = (action: number): Declared => ({
  color: Math.floor(action / MAX_RANK),
  rank: (action % MAX_RANK) + 1,
});

const NOTATIONS: readonly string[] = Array.from({ length: ACTIONS }, (_, action) => written(action));
const NUMBERS: ReadonlyMap<string, number> = new Map(NOTATIONS.map((notation, action) => [notation, action]));

function written(action: number): string {
  if (action >= FIRST_BID) return `=${action - FIRST_BID + 1}`;
  if (action >= FIRST_DISCARD) return `-${action - FIRST_DISCARD + 1}`;
  const { color, rank } = declared(action);
  return `${rank}${LETTERS[color]}`;
}

/** Return an action in notation. */
export const notationOf = (action: number): string => NOTATIONS[action] ?? "";

/** Return the number of an action; null if there is no such action. */
export const actionOf = (notation: string): number | null => NUMBERS.get(notation) ?? null;

export const isPlay = ({ action }: Play): boolean => action < FIRST_DISCARD;
export const isDiscard = ({ action }: Play): boolean => action >= FIRST_DISCARD && action < FIRST_BID;
export const isBid = ({ action }: Play): boolean => action >= FIRST_BID;
