/** The printed faces as the protocol shows them, and which of their cells touch. */

import { TOUCH_PURPLE, TOUCH_WHITE, type Row } from "../generated/rules";
import type { Engine } from "../module";
import { LETTERS } from "../notation";

export type FaceName = "white" | "purple";

const TOUCH: Readonly<Record<FaceName, readonly bigint[]>> = { white: TOUCH_WHITE, purple: TOUCH_PURPLE };

export const isFace = (name: unknown): name is FaceName => typeof name === "string" && Object.hasOwn(TOUCH, name);

/** Which cells touch, as a row that stays. */
export const touchRow = (engine: Engine, face: FaceName): Row => engine.row(TOUCH[face].length, TOUCH[face]);

const RANKS_PRINTED = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** The text of a face file: straight rows (R29), or each one column to the right of the last (R30). */
export function faceText(face: FaceName): string {
  const shift = face === "purple" ? 1 : 0;
  const rows = LETTERS.map((letter, row) => {
    const cells = RANKS_PRINTED.map((rank) => `${letter}${rank}`);
    const before = Array<string>(row * shift).fill(". ");
    return [...before, ...cells].join(" ");
  });
  return `${[`face ${face}`, ...rows].join("\n")}\n`;
}
