/** Drawings of the rules: boards, which are drawn as boards, and other drawings, whose lines are a table. */

import { COLORS, type Color } from "../../lib/scene";

/** A cell of a drawn board: a token of a seat or a neutral one, a free cell with its rank, or no cell at all. */
export type Drawn =
  | { readonly is: "token"; readonly seat: number }
  | { readonly is: "neutral" }
  | { readonly is: "free"; readonly rank: number }
  | { readonly is: "gap" };

export interface DrawnRow {
  readonly color: Color;
  /** The name of the color, as the drawing writes it. */
  readonly name: string;
  readonly cells: readonly Drawn[];
}

const INITIALS = "ABCDE"; // Ada, Ben, Cleo, Dan: the players of the examples, by seat

/** The rows of a drawn board; null for another drawing. */
export function boardOf(text: string): readonly DrawnRow[] | null {
  const [head = "", ...rows] = text.split("\n").filter((line) => line.trim());
  const columns = head.trim().split(/\s+/).slice(1);
  if (rows.length !== COLORS.length || !columns.every((one) => /^\d+$/.test(one))) return null;
  return rows.map((row, n) => {
    const [name = "", ...marks] = row.trim().split(/\s+/);
    return {
      color: COLORS[n]!,
      name,
      cells: marks.map((mark, column) => drawn(mark, Number(columns[column]))),
    };
  });
}

function drawn(mark: string, column: number): Drawn {
  if (mark === "-") return { is: "gap" };
  if (mark === "#") return { is: "neutral" };
  if (mark === ".") return { is: "free", rank: column };
  const seat = INITIALS.indexOf(mark);
  return seat >= 0 ? { is: "token", seat } : { is: "free", rank: Number(mark) };
}

/** The cells of any other drawing, line by line; two blanks divide them. */
export const linesOf = (text: string): readonly (readonly string[])[] =>
  text.split("\n").map((line) => line.trim().split(/\s{2,}/));
