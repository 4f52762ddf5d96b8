/** Days that have a daily deal. A day is a date in UTC, as `2026-11-15`. */

/** Who plays a daily deal: a person and two bots. A whole game has a round for every seat (R2): three. */
export const PLAYERS = 3;
/** There are no daily deals before. */
export const FIRST_DAY = "2026-01-01";
const LAST_DAY = "9999-12-30";
const DAY_MS = 86_400_000;

/** The day of a time. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** When a day begins. */
export const beginOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** Whether a text is a day that has a deal, now or later. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < FIRST_DAY || text > LAST_DAY) return false;
  const at = beginOf(text);
  return !Number.isNaN(at) && dayOf(at) === text; // 2026-02-30 is none
}

/** The day so many days later. */
export const later = (date: string, days: number): string => dayOf(beginOf(date) + days * DAY_MS);

/** What a game of a day is called, in this browser. */
export const dailyId = (date: string, attempt: number): string =>
  `daily-${date}${attempt > 1 ? `-${attempt}` : ""}`;

/** The day of a table in this browser; null if it is another kind of table. */
export function dailyOf(id: string): { readonly date: string; readonly attempt: number } | null {
  const [, date = "", attempt = "1"] = /^daily-(\d{4}-\d{2}-\d{2})(?:-([1-9]\d{0,3}))?$/.exec(id) ?? [];
  return isDay(date) ? { date, attempt: Number(attempt) } : null;
}
