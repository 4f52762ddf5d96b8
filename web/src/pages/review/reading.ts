/** What a review says, put together with the game itself: every decision in its place, judged or not yet. */

import type { Verdict } from "../../coach/analysis";
import type { JudgedDecision, Review, RoundReview } from "../../coach/review";
import { named } from "../../coach/words";
import type { Action, Color, Seat } from "../../lib/scene";
import { chaptersOf, type Film } from "../replay/film";

/** What a decision was about; points are counted for each kind. */
export const KINDS = ["discard", "bid", "play"] as const;
export type Kind = (typeof KINDS)[number];

/** A decision of a game. */
export interface Decision {
  readonly round: number;
  /** How many actions of the round came before. */
  readonly step: number;
  readonly seat: Seat;
  readonly action: Action;
  readonly kind: Kind;
  /** The trick that it belongs to, from 1; 0 before the first. */
  readonly trick: number;
  /** The moment before it, as a place in the film. */
  readonly at: number;
}

/** How a round ended before its time. */
export interface Paradox {
  readonly seat: Seat;
  readonly trick: number;
}

/** A round of the game: its decisions in the order of time. */
export interface Round {
  readonly number: number;
  readonly decisions: readonly Decision[];
  readonly points: readonly number[];
  readonly paradox: Paradox | null;
}

/** The rounds of a game. */
export function roundsOf(film: Film): readonly Round[] {
  return chaptersOf(film).map(({ round, begin, moves }) => {
    const decisions = moves.map((place) => decisionAt(film, round, begin, place));
    const { end, won } = film.frames[begin + moves.length]!.round;
    const trick = won.reduce((sum, one) => sum + one, 0) + 1;
    return {
      number: round,
      decisions,
      points: end?.scores ?? [],
      paradox: end?.paradox == null ? null : { seat: end.paradox, trick },
    };
  });
}

function decisionAt(film: Film, round: number, begin: number, place: number): Decision {
  const { move } = film.frames[place]!;
  const before = film.frames[place - 1]!.round;
  const action = move.slice(2);
  const kind = named(action).kind;
  const trick = kind === "play" ? before.won.reduce((sum, one) => sum + one, 0) + 1 : 0;
  return { round, step: place - 1 - begin, seat: Number(move[0]), action, kind, trick, at: place - 1 };
}

// ── What was found ─────────────────────────────────────────────────────────────────────────────

/** The review of a round; null if nothing of it was found yet. */
export const reviewOf = (review: Review | null, round: number): RoundReview | null =>
  review?.rounds.find((one) => one.round === round) ?? null;

/** Look judged decisions up by round and step. */
export function judgedIn(review: Review | null): (decision: Decision) => JudgedDecision | null {
  const known = new Map<string, JudgedDecision>();
  for (const { round, decisions } of review?.rounds ?? [])
    for (const one of decisions) known.set(`${round} ${one.step}`, one);
  return ({ round, step }) => known.get(`${round} ${step}`) ?? null;
}

/** The better action came out clearly enough to be shown beside the one that was taken. */
export const isFault = (verdict: Verdict | undefined): boolean => verdict === "slip" || verdict === "mistake";

const WORSE: readonly Verdict[] = ["best", "close", "fine", "slip", "mistake"];

/** The worst of some verdicts; null if there is none. */
export const worstOf = (verdicts: readonly Verdict[]): Verdict | null =>
  verdicts.reduce<Verdict | null>(
    (worst, one) => (worst === null || WORSE.indexOf(one) > WORSE.indexOf(worst) ? one : worst),
    null,
  );

/** The place of a decision among those that cost most, from 0; -1 if it is none of them. */
export const rankOf = (review: Review | null, { round, step }: Decision): number =>
  review?.turning_points.findIndex(([one, other]) => one === round && other === step) ?? -1;

/** What a seat has lost, by kind of decision. */
export function lostBy(review: Review | null, seat: Seat): Readonly<Record<Kind, number>> {
  const lost = { discard: 0, bid: 0, play: 0 };
  for (const { decisions } of review?.rounds ?? [])
    for (const one of decisions) if (one.seat === seat) lost[named(one.action).kind] += one.loss;
  return lost;
}

// ── Going on ───────────────────────────────────────────────────────────────────────────────────

/** The decision at a moment of the film, or the next one after it. */
export const decisionFrom = (all: readonly Decision[], at: number): Decision | null =>
  all.find((one) => one.at >= at) ?? all.at(-1) ?? null;

/** The neighbor of a decision among some, forward or back; null at the end. */
export function stepFrom(all: readonly Decision[], from: Decision, forward: boolean): Decision | null {
  if (forward) return all.find((one) => one.at > from.at) ?? null;
  return all.findLast((one) => one.at < from.at) ?? null;
}

/** The same decision of another seat: in the same round, the same trick or the same phase before. */
export const sameOf = (
  all: readonly Decision[],
  seat: Seat,
  { round, trick, kind }: Decision,
): Decision | null =>
  all.find((one) => one.seat === seat && one.round === round && one.trick === trick && one.kind === kind) ??
  all.findLast((one) => one.seat === seat && one.round === round) ??
  null;

/** The move after which the paradox of a round could not be avoided any more. */
export const fateOf = (round: Round, found: RoundReview | null): Decision | null => {
  const after = found?.paradox_unavoidable_after ?? null;
  return after === null || after === 0 ? null : (round.decisions[after - 1] ?? null);
};

/** A played card, as what it was played as. */
export const cardOf = (action: Action): { readonly rank: number; readonly color: Color | null } | null => {
  const it = named(action);
  if (it.kind === "bid") return null;
  return { rank: it.rank, color: it.kind === "play" ? it.color : null };
};
