/** Today's deal on the first page. */

import { dailyId } from "../lib/days";
import { visited } from "./games";

/** How it stands, as far as the list of tables tells, which is at hand at once. */
export function stageToday(date: string): "new" | "open" | "over" {
  const known = visited().find((one) => one.table === dailyId(date, 1));
  if (!known) return "new";
  return known.stage === "over" ? "over" : "open";
}
