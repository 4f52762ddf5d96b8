/** What an analysis of a position says, as components draw it: plain values, no rules. */

import type { Action } from "../lib/scene";

/** How a decision is judged; `close`: the difference is smaller than the noise. */
export type Verdict = "best" | "fine" | "slip" | "mistake" | "close";

/** What is expected of one action. Points are means over deals that fit what the seat knows; shares are from 0 to 1. */
export interface Prospect {
  readonly action: Action;
  readonly points: number;
  /** Half the width of the interval in which the points lie 19 times out of 20. */
  readonly within: number;
  /** How many points it costs, against the best action. */
  readonly loss: number;
  readonly loss_within: number;
  /** The own points less the mean of the others'. */
  readonly margin: number;
  /** The shares of deals in which this seat causes a paradox, and in which anybody does. */
  readonly paradox: number;
  readonly any_paradox: number;
  /** The share of deals in which the bid is kept. */
  readonly bid: number;
  readonly tricks: number;
  readonly group: number;
  /** The share of deals in which the action wins the current trick. */
  readonly wins: number;
  /** How many own cards can never be played any more. */
  readonly dead: number;
  /** How often the network would choose it; null without a network. */
  readonly chance: number | null;
}

/** An effect that was measured, and is clear of noise. */
export interface Reason {
  readonly code: string;
  /** It speaks for the better action, not against it. */
  readonly favours: boolean;
  readonly numbers: Readonly<Record<string, number>>;
}

/** A line of the list of all actions. */
export interface Judged extends Prospect {
  readonly verdict: Verdict;
  /** The color that it gives up, if any. */
  readonly gives: string | null;
}

/** What was found about a decision: the best action first, the others by what they cost. */
export interface Analysis {
  /** In how many deals that fit what the seat knows every action was tried. */
  readonly worlds: number;
  readonly actions: readonly Judged[];
  /** By action, what speaks for the best one and against it. */
  readonly why: Readonly<Record<Action, readonly Reason[]>>;
}
