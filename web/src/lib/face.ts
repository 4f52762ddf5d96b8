/** Where the cells lie (R28), and which tokens lie together (R27). Geometry only. */

import { COLORS, type Board, type Color, type Cover, type Owner, type Place, type Rank } from "./scene";

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

/** The rank whose column is printed but not in play, by the number of players. */
const COVERED: Readonly<Record<number, Rank>> = { 2: 6, 4: 9 };

/** Lay out the board: tokens, joins, and the places that are covered. */
export function layOut(
  face: Face,
  rows: readonly string[],
  players: number,
  last: string | null,
): Board {
  const ranks = rows[0]?.length ?? 0;
  const inPlay = face.spots.filter((spot) => spot.rank <= ranks);
  const owner = (spot: Spot): Owner => ownerAt(rows, spot.color, spot.rank);
  const owners = new Map(inPlay.map((spot) => [key(spot.row, spot.column), owner(spot)]));
  const joined = (spot: Spot, down: number, right: number): boolean => {
    const mine = owner(spot);
    const theirs = owners.get(key(spot.row + down, spot.column + right)) ?? null;
    return mine !== null && mine !== "neutral" && mine === theirs;
  };
  const best = new Set(
    Array.from({ length: players }, (_, seat) => largestGroup(inPlay.filter((spot) => owner(spot) === seat)))
      .filter((group) => group.length > 1) // a single token is none
      .flat(),
  );
  const places: Place[] = inPlay.map((spot) => ({
    ...spot,
    owner: owner(spot),
    joinsRight: joined(spot, 0, 1),
    joinsDown: joined(spot, 1, 0),
    inGroup: best.has(spot),
    fresh: last === `${spot.rank}${spot.color}`,
  }));
  const covers: Cover[] = face.spots.filter((spot) => spot.rank === COVERED[players]);
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

/** The token on a cell. */
export function ownerAt(rows: readonly string[], color: Color, rank: Rank): Owner {
  const mark = rows[COLORS.indexOf(color)]?.[rank - 1] ?? ".";
  return mark === "." ? null : mark === "*" ? "neutral" : Number(mark);
}

/** How large a seat's largest group would be with one more token. */
export function groupWith(board: Board, seat: number, color: Color, rank: Rank): number {
  const own = board.places.filter(
    (place) => place.owner === seat || (place.color === color && place.rank === rank),
  );
  return largestGroup(own).length;
}

function largestGroup<T extends { row: number; column: number }>(spots: readonly T[]): readonly T[] {
  const left = new Map(spots.map((spot) => [key(spot.row, spot.column), spot]));
  let best: T[] = [];
  for (const start of spots) {
    const group = grow(left, start);
    if (group.length > best.length) best = group;
  }
  return best;
}

/** Take a spot and everything that touches it out of those left. */
function grow<T extends { row: number; column: number }>(left: Map<string, T>, start: T): T[] {
  if (!left.delete(key(start.row, start.column))) return [];
  const group = [start];
  for (const { row, column } of group) {
    for (const [down, right] of [
      [0, 1],
      [1, 0],
      [0, -1],
      [-1, 0],
    ] as const) {
      const at = key(row + down, column + right);
      const next = left.get(at);
      if (next && left.delete(at)) group.push(next);
    }
  }
  return group;
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
