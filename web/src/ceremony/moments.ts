/** What has just happened at a table, found by comparing two scenes: the same live, in the tutorial and in replays. */

import type { Color, Rank, Scene, Seat } from "../lib/scene";
import type { Sound } from "./sound/sound";

export type Moment =
  | { readonly kind: "deal" }
  /** A card was set aside; the rank is known of the own card only. */
  | { readonly kind: "aside"; readonly seat: Seat; readonly rank: Rank | null }
  | { readonly kind: "bid"; readonly seat: Seat; readonly bid: number }
  | { readonly kind: "play"; readonly seat: Seat }
  | { readonly kind: "gave-up"; readonly seat: Seat; readonly color: Color }
  /** Red may be led from now on. */
  | { readonly kind: "red-opened"; readonly seat: Seat }
  | { readonly kind: "trick"; readonly winner: Seat };

/** The moments between two scenes. More than one move apart, they are two places in a replay: nothing has happened. */
export function momentsBetween(before: Scene, after: Scene): readonly Moment[] {
  if (before.round !== after.round) return isFresh(after) ? [{ kind: "deal" }] : [];
  if (steps(before, after) !== 1) return [];
  return [...asides(before, after), ...bids(before, after), ...plays(before, after)];
}

/** A round that was just dealt: nobody has done anything. */
export const isFresh = (scene: Scene): boolean =>
  scene.phase === "discard" && scene.seats.every((seat) => !seat.discarded);

/** How many moves one scene is after the other: cards set aside, bids and cards played. */
const steps = (before: Scene, after: Scene): number => moves(after) - moves(before);

function moves({ phase, seats, board }: Scene): number {
  const asides = phase === "discard" ? seats.filter((seat) => seat.discarded).length : seats.length;
  const bids = seats.filter((seat) => seat.bid !== null).length;
  return asides + bids + board.places.filter((place) => typeof place.owner === "number").length;
}

function asides(before: Scene, after: Scene): Moment[] {
  if (before.phase !== "discard") return [];
  return after.seats.flatMap(({ seat, discarded }) => {
    const now = discarded || after.phase !== "discard";
    if (!now || before.seats[seat]?.discarded) return [];
    return [{ kind: "aside", seat, rank: seat === after.me ? after.discard : null }];
  });
}

const bids = (before: Scene, after: Scene): Moment[] =>
  after.seats.flatMap(({ seat, bid }) =>
    bid !== null && before.seats[seat]?.bid === null ? [{ kind: "bid", seat, bid }] : [],
  );

function plays(before: Scene, after: Scene): Moment[] {
  const laid = after.board.places.find((place, n) => place.owner !== before.board.places[n]?.owner);
  const seat = laid?.owner;
  if (typeof seat !== "number") return [];
  const lost = before.seats[seat]?.tokens.filter((color) => !after.seats[seat]?.tokens.includes(color)) ?? [];
  const won = after.seats.find((one) => one.won > (before.seats[one.seat]?.won ?? 0));
  return [
    { kind: "play", seat },
    ...lost.map((color): Moment => ({ kind: "gave-up", seat, color })),
    ...(after.redOpen && !before.redOpen ? [{ kind: "red-opened", seat } as const] : []),
    ...(won ? [{ kind: "trick", winner: won.seat } as const] : []),
  ];
}

const SOUND: Readonly<Record<Moment["kind"], Sound>> = {
  deal: "deal",
  aside: "card",
  bid: "knock",
  play: "card",
  "gave-up": "tear",
  "red-opened": "red",
  trick: "trick",
};

/** The sound of some moments; of several, the weightiest. */
export function soundOf(moments: readonly Moment[]): Sound | null {
  const heavy: readonly Moment["kind"][] = ["red-opened", "gave-up", "trick"];
  const kind = heavy.find((one) => moments.some((moment) => moment.kind === one)) ?? moments[0]?.kind;
  return kind ? SOUND[kind] : null;
}
