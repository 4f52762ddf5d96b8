/** Totals, curves and comparisons of kept games. Everything is a sum over rounds, so that parts add up to the whole. */

import { LEVELS } from "../../store/names";
import { placeOf, type KeptGame } from "../../store/records";
import { againstOf, levelsOf } from "./filters";

/** What is measured of the own seat: points of a round, whether a bid was kept, whether it caused a paradox. */
export const MEASURES = ["points", "bids", "paradoxes"] as const;
export type Measure = (typeof MEASURES)[number];

/** What was counted: how often, the sum, and the sum of the squares. Tallies of parts add up. */
export interface Tally {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

export const NOTHING: Tally = { count: 0, sum: 0, squares: 0 };

export const plus = (a: Tally, b: Tally): Tally => ({
  count: a.count + b.count,
  sum: a.sum + b.sum,
  squares: a.squares + b.squares,
});

/** A mean with its interval of 95 %; without one, if there is too little to tell. */
export interface Figure {
  readonly count: number;
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
}

const Z = 1.96; // 95 % of a normal distribution lie within so many standard deviations

/** Whether a game says anything about the own play: it has an own seat, was counted, and was played to its end. */
export const isCounted = ({ seat, counted, winners }: KeptGame): boolean =>
  seat !== null && winners.length > 0 && Boolean(counted?.rounds.length);

/** Count a game. */
export function tallyOf(game: KeptGame, measure: Measure): Tally {
  const { seat, counted } = game;
  if (seat === null || !isCounted(game)) return NOTHING;
  const values = (counted?.rounds ?? []).flatMap(({ points, kept, paradox }): readonly number[] => {
    if (measure === "points") return [points[seat] ?? 0];
    if (measure === "paradoxes") return [Number(paradox === seat)];
    const own = kept[seat] ?? null;
    return own === null ? [] : [Number(own)];
  });
  const squares = values.reduce((sum, value) => sum + value * value, 0);
  return { count: values.length, sum: values.reduce((sum, value) => sum + value, 0), squares };
}

export const tallied = (games: readonly KeptGame[], measure: Measure): Tally =>
  games.map((game) => tallyOf(game, measure)).reduce(plus, NOTHING);

/** The mean of a tally; null if nothing was counted. */
export function figureOf(tally: Tally, measure: Measure): Figure | null {
  const { count, sum, squares } = tally;
  if (!count) return null;
  const mean = sum / count;
  if (measure !== "points") return { count, mean, ...wilson(mean, count) };
  if (count < 2) return { count, mean, low: null, high: null };
  const variance = Math.max(0, (squares - sum * mean) / (count - 1));
  const within = Z * Math.sqrt(variance / count);
  return { count, mean, low: mean - within, high: mean + within };
}

/** The interval of Wilson for a share: also near 0 and 1, and for few rounds, it stays between them. */
function wilson(share: number, count: number): { readonly low: number; readonly high: number } {
  const weight = (Z * Z) / count;
  const middle = (share + weight / 2) / (1 + weight);
  const within = (Z / (1 + weight)) * Math.sqrt((share * (1 - share)) / count + weight / (4 * count));
  return { low: Math.max(0, middle - within), high: Math.min(1, middle + within) };
}

// ── Totals ─────────────────────────────────────────────────────────────────────────────────────

export interface Totals {
  readonly games: number;
  readonly won: number;
  /** Rounds of the own seat. */
  readonly rounds: number;
  readonly figures: Readonly<Record<Measure, Figure | null>>;
}

export function totalsOf(games: readonly KeptGame[]): Totals {
  const figure = (measure: Measure): Figure | null => figureOf(tallied(games, measure), measure);
  return {
    games: games.length,
    won: games.filter((game) => placeOf(game) === 1).length,
    rounds: tallied(games, "points").count,
    figures: { points: figure("points"), bids: figure("bids"), paradoxes: figure("paradoxes") },
  };
}

// ── Over time ──────────────────────────────────────────────────────────────────────────────────

/** A point of a curve is the mean of so many games. */
export const WINDOW = 20;
/** Two points make a line, but no curve. */
export const FEWEST = 3;

export interface CurvePoint extends Figure {
  /** When the last game of the window ended. */
  readonly at: number;
}

/** A moving mean, game by game from the oldest on; games that say nothing about a measure are left out. */
export function curveOf(games: readonly KeptGame[], measure: Measure): readonly CurvePoint[] {
  const told = [...games]
    .sort((a, b) => a.at - b.at)
    .map((game) => ({ at: game.at, tally: tallyOf(game, measure) }))
    .filter(({ tally }) => tally.count);
  return told.flatMap(({ at }, n) => {
    const within = told.slice(Math.max(0, n + 1 - WINDOW), n + 1);
    const figure = figureOf(within.map(({ tally }) => tally).reduce(plus, NOTHING), measure);
    return figure ? [{ at, ...figure }] : [];
  });
}

// ── By opponents and player count ──────────────────────────────────────────────────────────────

/** Whom games were played against, each in one group: bots of a level, bots of several, people. */
export const GROUPS: readonly string[] = [...LEVELS, "mixed", "people"];

export function groupOf(game: KeptGame): string {
  if (againstOf(game) === "people") return "people";
  const [level = "mixed", ...others] = levelsOf(game);
  return others.length ? "mixed" : level;
}

export interface Compared {
  readonly group: string;
  readonly figure: Figure;
}

/** A number of players, and every group with which anything was counted. */
export interface ComparedRow {
  readonly players: number;
  readonly groups: readonly Compared[];
}

export function comparedOf(games: readonly KeptGame[], measure: Measure): readonly ComparedRow[] {
  const counts = [...new Set(games.map(({ names }) => names.length))].sort((a, b) => a - b);
  return counts.flatMap((players) => {
    const here = games.filter(({ names }) => names.length === players);
    const groups = GROUPS.flatMap((group) => {
      const own = here.filter((game) => groupOf(game) === group);
      const figure = figureOf(tallied(own, measure), measure);
      return figure ? [{ group, figure }] : [];
    });
    return groups.length ? [{ players, groups }] : [];
  });
}
