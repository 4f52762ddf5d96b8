/** Words of a review: where a decision stood, and how the game ended for somebody. */

import { m } from "../../paraglide/messages.js";
import type { Decision } from "./reading";

/** When a decision was made, for a list: “Bid”, “Trick 3”. */
export function whenWords({ kind, trick }: Pick<Decision, "kind" | "trick">): string {
  if (kind === "discard") return m.review_discard();
  return kind === "bid" ? m.review_bid() : m.review_trick({ trick });
}
