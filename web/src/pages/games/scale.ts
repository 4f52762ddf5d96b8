/** Scales of charts: which numbers stand at their sides, and where values lie between them. */

export interface Scale {
  readonly low: number;
  readonly high: number;
  /** Round numbers from the lowest to the highest that is shown. */
  readonly ticks: readonly number[];
}

const STEPS = [1, 2, 2.5, 5];

/** A step of a round number with which a span has at most so many parts. */
function stepFor(span: number, parts: number): number {
  const least = span / parts;
  const ten = 10 ** Math.floor(Math.log10(least));
  return STEPS.map((step) => step * ten).find((step) => step >= least * (1 - 1e-9)) ?? 10 * ten;
}

/** A scale on which some values lie; `within` keeps it inside what is possible. */
export function scaleOf(
  values: readonly number[],
  within: readonly [number, number] = [-Infinity, Infinity],
  parts = 3,
): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = most - least || Math.abs(most) || 1;
  const step = stepFor(span, parts);
  const low = Math.max(within[0], Math.min(Math.floor(least / step + 1e-9) * step, within[1] - step));
  const high = Math.min(within[1], Math.max(low + step, Math.ceil(most / step - 1e-9) * step));
  const ticks = Array.from({ length: Math.floor((high - low) / step + 1e-9) + 1 }, (_, n) => low + n * step);
  return { low, high, ticks };
}

/** Where a value lies: 0 at the low end, 1 at the high one. */
export const at = ({ low, high }: Scale, value: number): number =>
  Math.min(1, Math.max(0, (value - low) / (high - low)));

/** At most so many of a list, the first and the last among them. */
export function thinned<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, n) => list[Math.round((n * (list.length - 1)) / (most - 1))]!);
}
