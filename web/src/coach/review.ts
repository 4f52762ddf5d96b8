/** The review of a finished game, as `catinthebox review --json` writes it (`coach/data.py`). */

import type { Action } from "../lib/scene";
import type { Judged, Reason, Verdict } from "./analysis";

/** A decision that a seat made, judged by what that seat could know. */
export interface JudgedDecision {
  /** How many actions of the round came before. */
  readonly step: number;
  readonly seat: number;
  readonly action: Action;
  readonly verdict: Verdict;
  /** What it cost in points; 0 if chance explains it as well. */
  readonly loss: number;
  /** Half the width of its 95 % interval; 0 if nothing was lost. */
  readonly loss_within: number;
  readonly best: Action;
  readonly worlds: number;
  readonly reasons: readonly Reason[];
  /** The first look at all actions; the verdict may come from a second look at a few of them. */
  readonly actions: readonly Judged[];
}

/** A round of a seat; all but `points` and `bid_worth` in points ahead of the mean of the others. */
export interface SeatRound {
  readonly seat: number;
  readonly points: number;
  /** The expected points when it bid; null if it had nothing to bid. */
  readonly bid_worth: number | null;
  readonly ahead: number;
  /** What its cards were worth, and what its own decisions cost. */
  readonly deal: number;
  readonly decisions: number;
  readonly rest: number;
}

export interface RoundReview {
  /** From 1. */
  readonly round: number;
  /** Empty while decisions of the round are still to be judged. */
  readonly seats: readonly SeatRound[];
  /** With hindsight: after so many actions no plays could avoid the paradox any more. */
  readonly paradox_unavoidable_after: number | null;
  readonly decisions: readonly JudgedDecision[];
}

export interface Review {
  readonly players: number;
  readonly names: readonly (string | null)[];
  readonly totals: readonly number[];
  /** By seat, from 0 to 100; null for a seat that never had a choice. */
  readonly accuracy: readonly (number | null)[];
  /** Round and step of the decisions that cost most, the worst first. */
  readonly turning_points: readonly (readonly [number, number])[];
  readonly rounds: readonly RoundReview[];
}
