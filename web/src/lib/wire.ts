/** The protocol as the client reads it: the server's own types, and the part of them that is drawn. */

import type { GameShown, Own, RoundShown, Seats, Turn } from "./protocol";

export type * from "./protocol";
export type { Card as CardShown } from "./protocol";

/** A round with its end spread out: what a scene is made of. */
export interface RoundDrawn extends Omit<RoundShown, "end"> {
  readonly paradox: number | null;
  readonly revealed: readonly number[];
  readonly scores: readonly number[] | null;
}

/** A table with a round to be drawn, as one seat or a spectator may see it. */
export interface TableShown {
  /** The own seat; null for spectators. */
  readonly seat: number | null;
  readonly seats: Seats;
  readonly game: GameShown;
  readonly round: RoundDrawn;
  readonly turn: Turn;
  readonly own: Own | null;
}

/** A table as the server tells it, from the first deal on. */
export interface TableTold extends Omit<TableShown, "round"> {
  readonly round: RoundShown;
}

/** Spread the end of a round out. */
export function drawn({ end, ...round }: RoundShown): RoundDrawn {
  return { ...round, paradox: end?.paradox ?? null, revealed: end?.hand ?? [], scores: end?.scores ?? null };
}
