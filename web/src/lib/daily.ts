/** The daily deal: what is kept of each day, and what a result comes to. */

import { beginOf, dayOf, later } from "./days";

/** A round, as the person played it. */
export interface DailyRound {
  readonly bid: number;
  readonly won: number;
  /** The largest group on the board. */
  readonly group: number;
  readonly points: number;
  readonly isKept: boolean;
  readonly isParadox: boolean;
}

/** A game of a day, from its beginning on. Only the first of a day counts. */
export interface DailyTry {
  /** The table's. */
  readonly id: string;
  readonly date: string;
  /** From 1. */
  readonly attempt: number;
  /** When it began, in milliseconds. */
  readonly began: number;
  readonly isOver: boolean;
  /** The first hand, as digits. */
  readonly hand: string;
  /** The rounds that are over. */
  readonly rounds: readonly DailyRound[];
}

/** What the strongest player scores in the same seat. */
export interface Par {
  readonly date: string;
  /** Points, by round. */
  readonly rounds: readonly number[];
  /** Its level; another than the strongest if that could not be loaded. */
  readonly by: string;
}

export const PAR_LEVEL = "uncanny";
/** The days of a month, such as `2026-11`. */
export function daysOf(month: string): readonly string[] {
  const first = `${month}-01`;
  return Array.from({ length: 31 }, (_, n) => later(first, n)).filter((day) => day.startsWith(month));
}

/** How many days of the week come before a day; the week begins on Monday. */
export const weekdayOf = (date: string): number => (new Date(beginOf(date)).getUTCDay() + 6) % 7;

/** The month so many months later. */
export function monthLater(month: string, months: number): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return dayOf(Date.UTC(year, number - 1 + months, 1)).slice(0, 7);
}

// ── Results ───────────────────────────────────────────────────────────────────────────────────

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** The points of a game. */
export const totalOf = ({ rounds }: DailyTry): number => sum(rounds.map(({ points }) => points));

/** The points of par. */
export const parOf = ({ rounds }: Par): number => sum(rounds);

/** Whether a game was begun on its day. */
export const isOnTime = ({ date, began }: DailyTry): boolean => dayOf(began) === date;

/** How a game stands to par; null as long as one of them is not known. */
export const against = (one: DailyTry | undefined, par: Par | undefined): number | null =>
  one?.isOver && par ? totalOf(one) - parOf(par) : null;

export interface Totals {
  /** Days in a row that were played on their day, up to today or yesterday. */
  readonly streak: number;
  readonly played: number;
  /** Points against par, on average; null before the first. */
  readonly mean: number | null;
  readonly best: { readonly date: string; readonly points: number } | null;
}

/** What one's own days come to: first tries that are over. */
export function totalsOf(firsts: readonly DailyTry[], pars: ReadonlyMap<string, Par>, today: string): Totals {
  const over = firsts.filter(({ isOver }) => isOver);
  const results = over.flatMap((one) => {
    const points = against(one, pars.get(one.date));
    return points === null ? [] : [{ date: one.date, points }];
  });
  const mean = results.length ? sum(results.map(({ points }) => points)) / results.length : null;
  const best = results.reduce<Totals["best"]>(
    (top, one) => (top && top.points >= one.points ? top : one),
    null,
  );
  return { streak: streakOf(over, today), played: over.length, mean, best };
}

/** Today's deal may still be played: until then, yesterday's keeps the row. */
function streakOf(over: readonly DailyTry[], today: string): number {
  const days = new Set(over.filter(isOnTime).map(({ date }) => date));
  let day = days.has(today) ? today : later(today, -1);
  let length = 0;
  for (; days.has(day); length += 1) day = later(day, -1);
  return length;
}

// ── Everybody's results ───────────────────────────────────────────────────────────────────────

/** How many entries have so many points; among them the numbers in between that nobody has. */
export interface Bar {
  readonly points: number;
  readonly entries: number;
  readonly own: boolean;
}

/** The results of a day from the lowest to the highest, par among them. */
export function barsOf(
  results: readonly { readonly points: number; readonly entries: number }[],
  own: number | undefined,
  par: number | undefined,
): readonly Bar[] {
  const known = new Map(results.map(({ points, entries }) => [points, entries]));
  const all = [...known.keys(), ...(par === undefined ? [] : [par])];
  const low = Math.min(...all);
  return Array.from({ length: known.size ? Math.max(...all) - low + 1 : 0 }, (_, n) => ({
    points: low + n,
    entries: known.get(low + n) ?? 0,
    own: low + n === own,
  }));
}

/** The share of the other entries that have fewer points, in whole percent. */
export function betterThan(
  results: readonly { readonly points: number; readonly entries: number }[],
  own: number,
): number {
  const others = sum(results.map(({ entries }) => entries)) - 1;
  const fewer = sum(results.filter(({ points }) => points < own).map(({ entries }) => entries));
  return others > 0 ? Math.floor((100 * fewer) / others) : 0;
}

// ── A line of symbols ─────────────────────────────────────────────────────────────────────────

const [ABOVE, LEVEL, BELOW, UNKNOWN, KEPT, PARADOX] = ["▲", "●", "▼", "○", "✓", "🙀"];

/** A round without its cards: above par, par or below, whether the bid was kept, and a paradox. */
export function symbolOf({ points, isKept, isParadox }: DailyRound, par: number | undefined): string {
  const place = par === undefined ? UNKNOWN : points > par ? ABOVE : points < par ? BELOW : LEVEL;
  return `${place}${isParadox ? PARADOX : isKept ? KEPT : ""}`;
}

/** All rounds of a game. */
export const symbolsOf = ({ rounds }: DailyTry, par: Par | undefined): string =>
  rounds.map((round, n) => symbolOf(round, par?.rounds[n])).join(" ");
