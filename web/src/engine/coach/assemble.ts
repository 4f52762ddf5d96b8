/** A review from its parts (`coach/review.py`, `coach/data.py`): the page has it as far as decisions are judged. */

import type { Verdict } from "../../coach/analysis";
import type { JudgedDecision, Review, RoundReview, SeatRound } from "../../coach/review";
import type { Action } from "../../lib/scene";

const TURNS = 3; // turning points that are named
const HALF = 1; // points; a decision that loses so many counts half in the accuracy

/** What there is to review: who played, and what they did. */
export interface ReviewPlan {
  readonly players: number;
  readonly names: readonly string[];
  readonly totals: readonly number[];
  readonly over: boolean;
  readonly rounds: readonly {
    /** Points by seat; none of a round that goes on. */
    readonly points: readonly number[];
    readonly hasParadox: boolean;
    readonly actions: readonly { readonly seat: number; readonly action: Action }[];
  }[];
}

/** A decision that was judged, with the numbers that sums are made of: those of a decision are rounded. */
export interface FoundDecision {
  /** From 1. */
  readonly round: number;
  readonly decision: JudgedDecision;
  readonly exact: {
    readonly loss: number;
    /** The margin of the best action, and the own points after the one that was taken. */
    readonly best: number;
    readonly expected: number;
  };
}

/** With hindsight: after how many actions of a round its paradox could not be avoided any more. */
export interface FoundParadox {
  readonly round: number;
  readonly unavoidable: number | null;
}

/** What was found of a review. */
export type Found = FoundDecision | FoundParadox;

export const isDecision = (found: Found): found is FoundDecision => "decision" in found;

/** The review, as far as it was found, in whatever order. */
export function assembled(plan: ReviewPlan, found: readonly Found[]): Review {
  const { players, names, totals } = plan;
  const all = found.filter(isDecision);
  all.sort((one, other) => one.round - other.round || one.decision.step - other.decision.step);
  const paradoxes = new Map(
    found.flatMap((one) => (isDecision(one) ? [] : [[one.round, one.unavoidable] as const])),
  );
  return {
    ...{ players, names, totals },
    accuracy: totals.map((_, seat) => accuracyOf(all.filter(({ decision }) => decision.seat === seat))),
    turning_points: turningPoints(all),
    rounds: plan.rounds.map((_, at) => {
      const mine = all.filter(({ round }) => round === at + 1);
      return roundOf(plan, at + 1, mine, paradoxes.get(at + 1) ?? null);
    }),
  };
}

function roundOf(
  plan: ReviewPlan,
  round: number,
  found: readonly FoundDecision[],
  unavoidable: number | null,
): RoundReview {
  const { points, actions } = plan.rounds[round - 1]!;
  const isComplete = found.length === actions.length;
  return {
    round,
    seats: isComplete ? points.map((_, seat) => seatRound(points, seat, found)) : [],
    paradox_unavoidable_after: unavoidable,
    decisions: found.map(({ decision }) => decision),
  };
}

/** Account for a round of a seat. */
function seatRound(points: readonly number[], seat: number, found: readonly FoundDecision[]): SeatRound {
  const mine = found.filter(({ decision }) => decision.seat === seat);
  const others = (sum(points) - points[seat]!) / (points.length - 1);
  const ahead = points[seat]! - others;
  const deal = mine[0]!.exact.best;
  const decisions = 0 - sum(mine.map(({ exact }) => exact.loss));
  const bid = mine.find(({ decision }) => decision.action.startsWith("="));
  return {
    ...{ seat, points: points[seat]! },
    bid_worth: bid ? rounded(bid.exact.expected, 2) : null,
    ahead: rounded(ahead, 2),
    deal: rounded(deal, 2),
    decisions: rounded(decisions, 2),
    rest: rounded(ahead - deal - decisions, 2),
  };
}

/** The decisions that cost most, the worst first: mistakes, then slips. */
function turningPoints(all: readonly FoundDecision[]): Review["turning_points"] {
  const isFault = (verdict: Verdict): boolean => verdict === "mistake" || verdict === "slip";
  const rank = (verdict: Verdict): number => Number(verdict !== "mistake");
  const costly = all.filter(({ decision }) => isFault(decision.verdict));
  costly.sort(
    (one, other) =>
      rank(one.decision.verdict) - rank(other.decision.verdict) || other.exact.loss - one.exact.loss,
  );
  return costly.slice(0, TURNS).map(({ round, decision }) => [round, decision.step]);
}

/** The mean over decisions with a choice: 100 for one that lost nothing, half of it for each point that was lost. */
function accuracyOf(mine: readonly FoundDecision[]): number | null {
  const choices = mine.filter(({ decision }) => decision.actions.length > 1);
  if (!choices.length) return null;
  const counted = choices.map(({ exact }) => 100 * 2 ** (-exact.loss / HALF));
  return rounded(sum(counted) / choices.length, 1);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Round as Python does: of two numbers that are equally near, to the even one. */
export function rounded(number: number, digits: number): number {
  const halves = number * 2 ** (digits + 1);
  if (Number.isInteger(halves) && halves % 2 !== 0) {
    const scaled = number * 10 ** digits;
    const below = Math.floor(scaled);
    return (below % 2 === 0 ? below : below + 1) / 10 ** digits + 0;
  }
  return Number(number.toFixed(digits)) + 0; // never -0
}
