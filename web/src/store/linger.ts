/**
 * A trick that was just won stays in sight for a moment: the server has swept it already, and the
 * next question can be answered all the while. So this changes what lies in the middle, and nothing
 * that is asked.
 */

import type { Action, Played, Scene, Seat } from "../lib/scene";
import { played } from "../lib/tricks";
import type { CardShown, Frame } from "../lib/wire";

export interface Lingering {
  readonly cards: readonly CardShown[];
  readonly winner: Seat | null;
}

/** Whether somebody wins a trick in a frame. */
export const endsTrick = (frame: Frame): boolean => frame.news.some((news) => news.type === "TrickWon");

/** The trick that a frame ends, if somebody has won it; one broken off by a paradox lies where it is. */
export function lingering(frame: Frame, lastTrick: readonly CardShown[]): Lingering | null {
  const won = frame.news.find((news) => news.type === "TrickWon");
  return won?.type === "TrickWon" && lastTrick.length ? { cards: lastTrick, winner: won.seat } : null;
}

/** The scene with the old trick still in its middle. */
export function linger(scene: Scene, trick: Lingering | null): Scene {
  const first = trick?.cards[0];
  if (!trick || !first) return scene;
  return {
    ...scene,
    trick: trick.cards.map(({ seat, action }) => known(scene, action) ?? played(seat, action)),
    leader: first.seat,
    winning: trick.winner,
    seats: scene.seats.map((seat) => ({ ...seat, winning: seat.seat === trick.winner })),
  };
}

const known = ({ lastTrick }: Scene, action: Action): Played | undefined =>
  lastTrick.plays.find((card) => card.action === action);
