/** Cards as they were played. */

import type { Color, Played, Seat } from "./scene";

/** Read a played card, `5b`. */
export function played(seat: Seat, action: string, could: readonly Color[] | null = null): Played {
  return { seat, rank: Number(action[0]), color: action[1] as Color, action, could };
}
