/** Which games of this browser cannot go on: the first page says so before somebody opens one. */

import { BrowserKeeper, type Keeper } from "../engine/table/keep";
import { checkedTable } from "../engine/table/saved";
import type { Visited } from "./games";

const keeper = new BrowserKeeper();

/**
 * The ids of the damaged tables among these. Incomplete ones are recognized here; a table whose moves are
 * not legal is known once somebody has tried to go on with it (`noteDamage`).
 */
export async function damagedAmong(
  tables: readonly Visited[],
  from: Pick<Keeper, "all"> = keeper,
): Promise<ReadonlySet<string>> {
  const local = tables.filter((one) => one.local);
  const kept = local.length ? await from.all("tables") : new Map<string, unknown>();
  const isBad = ({ table, damaged }: Visited): boolean =>
    Boolean(damaged) || (kept.has(table) && isIncomplete(kept.get(table)));
  return new Set(local.filter(isBad).map(({ table }) => table));
}

function isIncomplete(found: unknown): boolean {
  try {
    checkedTable(found);
    return false;
  } catch {
    return true;
  }
}
