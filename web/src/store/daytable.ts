/** The table of the day, where a server keeps one: who wants to be on it, and how everybody did. */

import { dailyId } from "../lib/days";
import type { DailyTry } from "../lib/daily";
import type { DayTable } from "../lib/wire";
import { enterDay, readDay, Refusal } from "../net/http";
import { m } from "../paraglide/messages.js";
import { freeName, me, myToken } from "./me.svelte";
import { myGames, type MyGames } from "./records";

/** The table of a day; null without a server, without a network, and where none is kept. */
export const dayTable = (date: string): Promise<DayTable | null> =>
  readDay(myToken(), date).catch(() => null);

/** The name under which somebody is on a table: the own one, unless it is a bot's. */
export const tableName = (): string => freeName(me.name, []);

/** Put a game on the table of its day. */
export async function enter(
  { date, attempt }: DailyTry,
  games: Pick<MyGames, "find"> = myGames,
): Promise<DayTable> {
  const kept = await games.find(`${dailyId(date, attempt)}.1`);
  if (!kept) throw new Refusal("daily.unkept", m.daily_unkept());
  return enterDay(myToken(), date, { name: tableName(), cat: me.cat, record: kept.text });
}
