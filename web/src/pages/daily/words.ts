/** Days and results in the reader's language. */

import {
  betterThan,
  type DailyRound,
  type DailyTry,
  type Par,
  parOf,
  symbolsOf,
  totalOf,
} from "../../lib/daily";
import { beginOf } from "../../lib/days";
import type { DayTable } from "../../lib/wire";
import { minus } from "../../lib/words";
import { m } from "../../paraglide/messages.js";
import { getLocale } from "../../paraglide/runtime.js";

type Style = "weekday" | "long" | "day" | "month" | "short";

const STYLES: Readonly<Record<Style, Intl.DateTimeFormatOptions>> = {
  weekday: { weekday: "long", day: "numeric", month: "long" },
  long: { day: "numeric", month: "long", year: "numeric" },
  day: { day: "numeric", month: "long" },
  month: { month: "long", year: "numeric" },
  short: { weekday: "short" },
};
const writers = new Map<string, Intl.DateTimeFormat>();

/** A day, in UTC, wherever the reader is. */
export function dayWords(date: string, style: Style = "weekday"): string {
  const key = `${getLocale()} ${style}`;
  const writer =
    writers.get(key) ?? new Intl.DateTimeFormat(getLocale(), { ...STYLES[style], timeZone: "UTC" });
  writers.set(key, writer);
  return writer.format(beginOf(date));
}

/** A number with its sign. */
export const signed = (points: number): string => (points > 0 ? `+${points}` : minus(points));

/** How many points above or below par. */
export function againstWords(points: number): string {
  if (points === 0) return m.daily_at();
  return points > 0 ? m.daily_above({ count: points }) : m.daily_below({ count: -points });
}

/** The place on the table of a day; empty for somebody who is not on it. */
export function rankWords({ rows, results, entries: count }: DayTable): string {
  const own = rows.find((row) => row.own);
  if (!own) return "";
  const percent = betterThan(results, own.points);
  const { rank } = own;
  return percent ? m.daily_rank_better({ rank, count, percent }) : m.daily_rank({ rank, count });
}

/** What was done in a round. */
export function roundWords({ bid, won, group, isKept, isParadox }: DailyRound): string {
  if (isParadox) return m.daily_round_paradox({ bid, won });
  return isKept ? m.daily_round_kept({ bid, won, group }) : m.daily_round_missed({ bid, won });
}

/** What is given to others: the day, the points, a symbol for each round, the address. */
export function shareWords(one: DailyTry, par: Par | undefined, link: string): string {
  const day = m.daily_share_title({ date: dayWords(one.date, "long") });
  const total = totalOf(one);
  const points = par
    ? m.daily_share_points({ total, par: parOf(par), signed: signed(total - parOf(par)) })
    : m.daily_share_total({ total });
  return [day, points, symbolsOf(one, par), link].join("\n");
}
