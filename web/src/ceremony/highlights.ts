/** What a game will be remembered for, found in its positions. */

import type { Color, Rank, Seat } from "../lib/scene";
import type { Position, RoundShown } from "../lib/wire";

export type Highlight =
  | { readonly kind: "group"; readonly seat: Seat; readonly round: number; readonly size: number }
  | { readonly kind: "paradox"; readonly seat: Seat; readonly round: number }
  /** A trick taken with a card that hardly ever takes one. */
  | {
      readonly kind: "low";
      readonly seat: Seat;
      readonly round: number;
      readonly rank: Rank;
      readonly color: Color;
    }
  | { readonly kind: "bids"; readonly seat: Seat; readonly kept: number; readonly rounds: number }
  | { readonly kind: "best"; readonly seat: Seat; readonly round: number; readonly points: number };

/** A round that is over, and the tricks that were won in it. */
export interface RoundPlayed {
  readonly shown: RoundShown;
  readonly tricks: readonly { readonly winner: Seat; readonly action: string }[];
}

/** At most so many are shown. */
const MOST = 4;
/** A group of fewer is nothing to remember, nor is a higher card that takes a trick. */
const LEAST_GROUP = 3;
const LOW = 3;

/** The rounds of a game that was played again. */
export function roundsOf({
  positions,
}: {
  readonly positions: readonly Pick<Position, "move" | "round">[];
}): readonly RoundPlayed[] {
  const rounds: { shown: RoundShown; tricks: { winner: Seat; action: string }[] }[] = [];
  for (const { move, round } of positions) {
    if (!move) rounds.push({ shown: round, tricks: [] });
    const now = rounds.at(-1);
    if (!now) continue;
    const taken = sum(round.won) > sum(now.shown.won);
    const action = round.last_trick.find((card) => card.seat === round.leader)?.action;
    if (taken && action) now.tricks.push({ winner: round.leader, action });
    now.shown = round;
  }
  return rounds.filter((round) => round.shown.end);
}

/** The highlights of a game, the best of each kind. */
export function highlightsOf(rounds: readonly RoundPlayed[]): readonly Highlight[] {
  return [biggestGroup(rounds), lastParadox(rounds), lowestTrick(rounds), bestBids(rounds), bestRound(rounds)]
    .filter((one) => one !== null)
    .slice(0, MOST);
}

function biggestGroup(rounds: readonly RoundPlayed[]): Highlight | null {
  const groups = rounds.flatMap(({ shown }, n) =>
    shown.groups.map((size, seat) => ({ kind: "group", seat, round: n + 1, size }) as const),
  );
  const best = most(groups, (one) => one.size);
  return best && best.size >= LEAST_GROUP ? best : null;
}

function lastParadox(rounds: readonly RoundPlayed[]): Highlight | null {
  const at = rounds.findLastIndex(({ shown }) => shown.end?.paradox != null);
  const seat = rounds[at]?.shown.end?.paradox;
  return seat == null ? null : { kind: "paradox", seat, round: at + 1 };
}

function lowestTrick(rounds: readonly RoundPlayed[]): Highlight | null {
  const tricks = rounds.flatMap(({ tricks }, n) =>
    tricks.map(({ winner, action }) => {
      const [rank, color] = [Number(action[0]), action[1] as Color];
      return { kind: "low", seat: winner, round: n + 1, rank, color } as const;
    }),
  );
  const best = most(tricks, (one) => -one.rank);
  return best && best.rank <= LOW ? best : null;
}

function bestBids(rounds: readonly RoundPlayed[]): Highlight | null {
  const seats = rounds[0]?.shown.bids.map((_, seat) => seat) ?? [];
  const kept = (seat: Seat): number =>
    rounds.filter(({ shown }) => shown.end?.paradox !== seat && shown.bids[seat] === shown.won[seat]).length;
  const best = most(
    seats.map((seat) => ({ kind: "bids", seat, kept: kept(seat), rounds: rounds.length }) as const),
    (one) => one.kept,
  );
  return best && best.kept > 1 ? best : null;
}

function bestRound(rounds: readonly RoundPlayed[]): Highlight | null {
  const scores = rounds.flatMap(({ shown }, n) =>
    (shown.end?.scores ?? []).map((points, seat) => ({ kind: "best", seat, round: n + 1, points }) as const),
  );
  const best = most(scores, (one) => one.points);
  return best && best.points > 0 ? best : null;
}

/** The round in which a seat had the most points: the picture to share. */
export function bestRoundOf(rounds: readonly RoundPlayed[], seat: Seat): number {
  const points = rounds.map(({ shown }) => shown.end?.scores[seat] ?? 0);
  return points.indexOf(Math.max(...points));
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** The one with the highest number; of equal ones the first. */
function most<T>(all: readonly T[], by: (one: T) => number): T | null {
  return all.reduce<T | null>((best, one) => (best === null || by(one) > by(best) ? one : best), null);
}
