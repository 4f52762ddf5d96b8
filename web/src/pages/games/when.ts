/** Days in the reader's language, as short as they are clear. */

import { getLocale } from "../../paraglide/runtime.js";

const DAY_MS = 86_400_000;

/** Days since 1970 where the reader is. */
function dayOf(at: number): number {
  const date = new Date(at);
  return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS);
}

/** “today”, “yesterday”, “13 Nov”; with the year, if it is not this one. */
export function dayWords(at: number, now = Date.now()): string {
  const ago = dayOf(now) - dayOf(at);
  if (ago === 0 || ago === 1) {
    const words = new Intl.RelativeTimeFormat(getLocale(), { numeric: "auto" }).format(-ago, "day");
    return words.charAt(0).toLocaleUpperCase(getLocale()) + words.slice(1);
  }
  return shortDay(at, now);
}

/** “13 Nov”; with the year, if it is not this one. */
export function shortDay(at: number, now = Date.now()): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const year = isThisYear ? {} : ({ year: "numeric" } as const);
  return new Intl.DateTimeFormat(getLocale(), { day: "numeric", month: "short", ...year }).format(at);
}
