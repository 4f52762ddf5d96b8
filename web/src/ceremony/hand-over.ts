/**
 * Several people at one device: whose hand is open, and whom the device is handed to. A state machine
 * without timers and without a page; it never goes from one open hand to another without the cover.
 */

import type { Seat } from "../lib/scene";

export type HandOver =
  /** No hand is open: bots think, or nobody has looked yet. */
  | { readonly at: "closed"; readonly last: Seat | null; readonly acted: Seat | null }
  /** The cover: the device goes to a seat. `acted`: who has just acted, and may take it back. */
  | { readonly at: "covered"; readonly to: Seat; readonly last: Seat | null; readonly acted: Seat | null }
  /** A hand is open. */
  | { readonly at: "open"; readonly seat: Seat }
  /** The end of a round is looked at together. `last`: through whose eyes. */
  | { readonly at: "together"; readonly last: Seat | null };

export type HandOverEvent =
  /** The device goes to a seat. */
  | { readonly kind: "hand"; readonly to: Seat }
  /** The person that was called has said so, and their cards are there. */
  | { readonly kind: "opened"; readonly seat: Seat }
  /** The round is over, and everybody looks. */
  | { readonly kind: "gather" }
  /** A round is played. */
  | { readonly kind: "play" };

export const NOBODY_YET: HandOver = { at: "closed", last: null, acted: null };

/** The state after an event; events that do not fit change nothing. */
export function stepHandOver(state: HandOver, event: HandOverEvent): HandOver {
  switch (event.kind) {
    case "hand":
      return handTo(state, event.to);
    case "opened":
      return state.at === "covered" && state.to === event.seat ? { at: "open", seat: event.seat } : state;
    case "gather":
      return state.at === "together" ? state : { at: "together", last: lastOf(state) };
    case "play":
      return state.at === "together" ? { at: "closed", last: state.last, acted: null } : state;
  }
}

function handTo(state: HandOver, to: Seat): HandOver {
  if (state.at === "together" || (state.at === "open" && state.seat === to)) return state;
  const acted = state.at === "open" ? state.seat : state.acted;
  return { at: "covered", to, last: lastOf(state), acted };
}

/** The seat through whose eyes the table is seen, or was last. */
export const lastOf = (state: HandOver): Seat | null => (state.at === "open" ? state.seat : state.last);

/** The seat whose hand is open. */
export const openSeat = (state: HandOver): Seat | null => (state.at === "open" ? state.seat : null);

/**
 * Whom the device should go to, out of those who share it; null if it stays where it is. Whoever looks
 * and may act goes on; while only bots are waited for, it stays.
 */
export function dueSeat(state: HandOver, toAct: readonly Seat[], sharing: readonly Seat[]): Seat | null {
  if (state.at === "together") return null;
  const due = toAct.filter((seat) => sharing.includes(seat));
  const now = state.at === "open" ? state.seat : state.at === "covered" ? state.to : null;
  if (!due.length || (now !== null && due.includes(now))) return null;
  return due[0]!;
}
