/** Words of a review: where a decision stood, and how the game ended for somebody. */

import { lossWords } from "../../coach/numbers";
import type { JudgedDecision } from "../../coach/review";
import { actionWords, verdictWords } from "../../coach/words";
import { m } from "../../paraglide/messages.js";
import { isFault, type Decision } from "./reading";

/** When a decision was made, for a list: “Bid”, “Trick 3”. */
export function whenWords({ kind, trick }: Pick<Decision, "kind" | "trick">): string {
  if (kind === "discard") return m.review_discard();
  return kind === "bid" ? m.review_bid() : m.review_trick({ trick });
}

/** A decision and its verdict, for those who hear it. */
export function spokenWords(decision: Decision, found: JudgedDecision | null): string {
  const parts = [whenWords(decision), actionWords(decision.action)];
  if (!found) return [...parts, m.review_pending()].join(", ");
  parts.push(verdictWords(found.verdict));
  if (found.loss > 0) parts.push(m.review_loss({ loss: lossWords(found.loss) }));
  if (isFault(found.verdict)) parts.push(m.review_better_was({ action: actionWords(found.best) }));
  return parts.join(", ");
}
