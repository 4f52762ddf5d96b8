/** Where the seats are around the board, as somebody at the table sees them. */

export type TablePlace = "west" | "north-west" | "north" | "north-east" | "east" | "south";

const AROUND: readonly (readonly TablePlace[])[] = [
  [],
  ["north"],
  ["west", "east"],
  ["west", "north", "east"],
  ["west", "north-west", "north-east", "east"],
];

/**
 * The places of the seats that are drawn around the board, clockwise from the own left. Somebody who watches has no
 * seat: then the first of them is in front.
 */
export function placesFor(count: number, watching: boolean): readonly TablePlace[] {
  return watching ? ["south", ...(AROUND[count - 1] ?? [])] : (AROUND[count] ?? []);
}
