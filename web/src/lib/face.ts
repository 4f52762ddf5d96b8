/** Where the cells lie (R28). Geometry only: which of them belong together is the engine's word. */

import type { BoardInsight } from "./insight";
import {
  COLORS,
  type Action,
  type Board,
  type Color,
  type Cover,
  type Owner,
  type Place,
  type Rank,
} from "./scene";

interface Spot {
  readonly color: Color;
  readonly rank: Rank;
  readonly row: number;
  readonly column: number;
}

export interface Face {
  readonly name: string;
  readonly spots: readonly Spot[];
}

/** Read a face as the server writes it: a line `face NAME`, then the rows of the board. */
export function parseFace(text: string): Face {
  const lines = text.split("\n").filter((line) => line.trim() && !line.trimStart().startsWith("#"));
  const spots = lines.slice(1).flatMap((line, row) =>
    line
      .trim()
      .split(/\s+/)
      .map((word, column) => ({ word, column }))
      .filter(({ word }) => word !== ".")
      .map(({ word, column }) => ({ color: word[0] as Color, rank: Number(word[1]), row, column })),
  );
  return { name: lines[0]?.split(" ")[1] ?? "", spots };
}

/** Lay out the board: tokens, what joins them as far as that is known, and the places that are covered. */
export function layOut(
  face: Face,
  rows: readonly string[],
  covered: Rank | null,
  last: string | null,
  known: BoardInsight | null,
): Board {
  const ranks = rows[0]?.length ?? 0;
  const inPlay = face.spots.filter((spot) => spot.rank <= ranks);
  const at = new Map(inPlay.map((spot) => [key(spot.row, spot.column), actionAt(spot)]));
  const joined = (spot: Spot, down: number, right: number): boolean =>
    known?.joined[actionAt(spot)]?.includes(at.get(key(spot.row + down, spot.column + right)) ?? "") ?? false;
  const places: Place[] = inPlay.map((spot) => ({
    ...spot,
    owner: ownerAt(rows, spot.color, spot.rank),
    joinsRight: joined(spot, 0, 1),
    joinsDown: joined(spot, 1, 0),
    inGroup: known?.grouped.includes(actionAt(spot)) ?? false,
    fresh: last === actionAt(spot),
  }));
  const covers: Cover[] = face.spots.filter((spot) => spot.rank === covered);
  const reach = (spots: readonly { column: number }[]) => Math.max(0, ...spots.map((s) => s.column + 1));
  return {
    name: face.name,
    rows: Math.max(...face.spots.map((spot) => spot.row)) + 1,
    columns: Math.max(reach(places), reach(covers)),
    ranks,
    places,
    covers,
    narrowEnd: reach(covers) > reach(places),
    labels: labels(inPlay),
  };
}

/** The action that declares the cell of a spot. */
const actionAt = (spot: Spot): Action => `${spot.rank}${spot.color}`;

/** The token on a cell. */
export function ownerAt(rows: readonly string[], color: Color, rank: Rank): Owner {
  const mark = rows[COLORS.indexOf(color)]?.[rank - 1] ?? ".";
  return mark === "." ? null : mark === "*" ? "neutral" : Number(mark);
}

function labels(spots: readonly Spot[]): Board["labels"] {
  const rows = Math.max(...spots.map((spot) => spot.row)) + 1;
  return Array.from({ length: rows }, (_, row) => {
    const here = spots.filter((spot) => spot.row === row);
    const colors = new Set(here.map((spot) => spot.color));
    const color = colors.size === 1 ? (here[0]?.color ?? null) : null;
    return { color, column: Math.min(...here.map((spot) => spot.column)) };
  });
}

const key = (row: number, column: number): string => `${row} ${column}`;
