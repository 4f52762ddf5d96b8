/** The protocol as the client reads it: the server's own types, and the part of them that is drawn. */

import type { GameShown, Own, RoundShown, Seats, Turn } from "./protocol";

export type * from "./protocol";
export type { Card as CardShown } from "./protocol";

/** A table with a round to be drawn, as one seat or a spectator may see it. */
export interface TableShown {
  /** The own seat; null for spectators. */
  readonly seat: number | null;
  readonly seats: Seats;
  readonly game: GameShown;
  readonly round: RoundShown;
  readonly turn: Turn;
  readonly own: Own | null;
}
