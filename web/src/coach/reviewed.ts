/** What is read off a review: pure functions for the components that draw it. */

import type { ExpectedLine, Judged, Verdict } from "./analysis";
import type { JudgedDecision, Review, RoundReview } from "./review";

/** What is expected of the action that was taken, by the first look at all actions. */
export const takenOf = ({ action, actions }: JudgedDecision): Judged =>
  actions.find((one) => one.action === action)!;

/** The own points to expect after a decision. */
export function expectedOf(decision: JudgedDecision): { readonly points: number; readonly within: number } {
  const { points, within } = takenOf(decision);
  return { points, within };
}

/** Whether there was more than one legal action. */
export const hadChoice = ({ actions }: JudgedDecision): boolean => actions.length > 1;

/** A decision by its round, from 1, and its step; null if it has not been judged. */
export const decisionAt = (
  { rounds }: Review,
  [round, step]: readonly [number, number],
): JudgedDecision | null => rounds[round - 1]?.decisions.find((one) => one.step === step) ?? null;

/** What every seat had to expect after each of its decisions. */
export function expectedLines({ decisions }: RoundReview): readonly ExpectedLine[] {
  const seats = [...new Set(decisions.map(({ seat }) => seat))].sort((one, other) => one - other);
  return seats.map((seat) => {
    const mine = decisions.filter((one) => one.seat === seat).map(expectedOf);
    return { seat, points: mine.map(({ points, within }) => ({ mean: points, within })) };
  });
}

/** How the decisions of a seat were judged; those without a choice do not count. */
export function countOf({ rounds }: Review, seat: number): Readonly<Record<Verdict, number>> {
  const counts = { best: 0, fine: 0, slip: 0, mistake: 0, close: 0 };
  for (const { decisions } of rounds)
    for (const one of decisions) if (one.seat === seat && hadChoice(one)) counts[one.verdict] += 1;
  return counts;
}
