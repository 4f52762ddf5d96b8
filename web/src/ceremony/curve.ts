/** The curve of the scores: where its lines run, in units of its own picture. */

import type { Seat } from "../lib/scene";

export const WIDTH = 500;
export const HEIGHT = 300;
const [LEFT, RIGHT, TOP, BOTTOM] = [16, 392, 18, 274];
/** Where the names of the lines stand, and how far they keep apart. */
const LABEL_X = 426;
const LABEL_GAP = 28;
/** From a point to the middle of the sign of its paradox, and the room of a sign at its largest: on a phone, in Japanese. */
const SIGN_GAP = 18;
const [SIGN_WIDTH, SIGN_HEIGHT] = [124, 28];
/** So far to the right signs may reach: beyond are the signs of the seats. */
const SIGN_END = 402;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly seat: Seat;
  /** After the start and each round. */
  readonly points: readonly Point[];
  /** The path through them. */
  readonly path: string;
  readonly total: number;
  /** Where its sign and its total stand. */
  readonly label: Point;
}

/** The lines of a game; `rounds` has the points of each round, by seat. */
export function linesOf(rounds: readonly (readonly number[])[]): readonly Line[] {
  const seats = rounds[0]?.length ?? 0;
  const sums = Array.from({ length: seats }, (_, seat) => running(rounds.map((round) => round[seat] ?? 0)));
  const [least, most] = [Math.min(0, ...sums.flat()), Math.max(1, ...sums.flat())];
  const y = (points: number): number => BOTTOM - ((points - least) / (most - least)) * (BOTTOM - TOP);
  const lines = sums.map((totals, seat) => {
    const points = totals.map((sum, round) => ({ x: roundX(round, rounds.length), y: y(sum) }));
    return { seat, points, path: pathOf(points), total: totals.at(-1) ?? 0 };
  });
  const labels = apart(lines.map((line) => line.points.at(-1)?.y ?? BOTTOM));
  return lines.map((line, n) => ({ ...line, label: { x: LABEL_X, y: labels[n]! } }));
}

/** Where a round stands below the curve; 0 is the start. */
export const roundX = (round: number, rounds: number): number =>
  LEFT + ((RIGHT - LEFT) * round) / Math.max(1, rounds);

/**
 * Where the signs of paradoxes stand: below their points, or else above them; farther away where they would cover the
 * names of the rounds or each other.
 */
export function signsAt(points: readonly Point[]): readonly Point[] {
  const signs: Point[] = [];
  for (const { x, y } of points) {
    const free = [0, 1, 2, 3, 4, 5]
      .flatMap((step) => [y + SIGN_GAP + step * SIGN_HEIGHT, y - SIGN_GAP - step * SIGN_HEIGHT])
      .filter((middle) => middle >= TOP && middle <= BOTTOM);
    const sign = free.map((middle) => ({ x, y: middle })).find((one) => !signs.some(covers(one)));
    signs.push(sign ?? { x, y: y + SIGN_GAP > BOTTOM ? y - SIGN_GAP : y + SIGN_GAP });
  }
  return signs;
}

/** Whether two signs lie over each other. */
const covers =
  (one: Point) =>
  (other: Point): boolean =>
    Math.abs(middleOf(one) - middleOf(other)) < SIGN_WIDTH && Math.abs(one.y - other.y) < SIGN_HEIGHT;

/** Signs are in the middle over their points, but that of the last round ends a little behind it. */
const middleOf = ({ x }: Point): number => Math.min(x, SIGN_END - SIGN_WIDTH / 2);

/** 0, then the sum after each. */
const running = (values: readonly number[]): readonly number[] =>
  values.reduce<number[]>((sums, value) => [...sums, sums.at(-1)! + value], [0]);

/** A smooth line that is level at every point, so that it never shows more than anybody had. */
function pathOf(points: readonly Point[]): string {
  return points
    .map(({ x, y }, n) => {
      const before = points[n - 1];
      if (!before) return `M${x} ${y.toFixed(1)}`;
      const middle = (before.x + x) / 2;
      return `C${middle} ${before.y.toFixed(1)} ${middle} ${y.toFixed(1)} ${x} ${y.toFixed(1)}`;
    })
    .join("");
}

/** Heights near the wanted ones that are far enough apart to be read. */
export function apart(heights: readonly number[]): readonly number[] {
  const order = heights.map((_, n) => n).sort((a, b) => heights[a]! - heights[b]! || a - b);
  const out: number[] = [];
  let next = TOP - 4;
  for (const n of order) {
    out[n] = Math.max(heights[n]!, next);
    next = out[n] + LABEL_GAP;
  }
  const over = Math.max(0, next - LABEL_GAP - BOTTOM);
  return out.map((height) => height - over);
}
