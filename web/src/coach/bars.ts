/** Where the bars of expected points begin and end: shares of the width of a line, from 0 to 1. */

import type { Prospect } from "./analysis";

type Spread = Pick<Prospect, "points" | "within">;

export interface Bar {
  readonly from: number;
  readonly to: number;
  /** The interval, and the mean. */
  readonly low: number;
  readonly high: number;
  readonly mean: number;
}

export interface Bars {
  readonly zero: number;
  readonly best: number;
  readonly bars: readonly Bar[];
}

/** The bars of a list of actions; all on one scale, which always has the zero. */
export function barsOf(all: readonly Spread[]): Bars {
  const ends = all.flatMap(({ points, within }) => [points - within, points + within]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0.5, ...ends)];
  const at = (points: number): number => (points - low) / (high - low);
  const bars = all.map(({ points, within }) => ({
    from: at(Math.min(0, points)),
    to: at(Math.max(0, points)),
    low: at(points - within),
    high: at(points + within),
    mean: at(points),
  }));
  return { zero: at(0), best: at(Math.max(...all.map(({ points }) => points))), bars };
}
