/** The curve of a round: what every seat could expect after each of its decisions, and what it got. */

import type { Verdict } from "../../coach/analysis";
import type { JudgedDecision } from "../../coach/review";
import type { Seat } from "../../lib/scene";
import type { Decision, Round } from "./reading";

/** A place on the curve's line of time. */
export type Column =
  { readonly kind: "deal" | "discard" | "bid" | "end" } | { readonly kind: "trick"; readonly trick: number };

export interface Point {
  /** The number of its column. */
  readonly column: number;
  readonly mean: number;
  /** Half the width of the interval in which the mean lies 19 times out of 20. */
  readonly within: number;
}

export interface Line {
  readonly seat: Seat;
  readonly points: readonly Point[];
  /** The points of the round; null if the line does not reach its end yet. */
  readonly final: number | null;
}

/** A mark on a line: a decision that cost something. */
export interface Mark extends Point {
  readonly decision: Decision;
  readonly verdict: Verdict;
}

/** The columns of a round: the deal, the phases and tricks in which somebody decided, the end. */
export function columnsOf({ decisions }: Round): readonly Column[] {
  const columns: Column[] = [{ kind: "deal" }];
  for (const kind of ["discard", "bid"] as const)
    if (decisions.some((one) => one.kind === kind)) columns.push({ kind });
  const tricks = Math.max(0, ...decisions.map(({ trick }) => trick));
  for (let trick = 1; trick <= tricks; trick += 1) columns.push({ kind: "trick", trick });
  return [...columns, { kind: "end" }];
}

/** The number of the column that a decision belongs to. */
export const columnOf = (columns: readonly Column[], { kind, trick }: Decision): number =>
  columns.findIndex((one) => (one.kind === "trick" ? one.trick === trick : one.kind === kind));

/** The lines of all seats, as far as they are known. */
export function linesOf(
  round: Round,
  columns: readonly Column[],
  judged: (decision: Decision) => JudgedDecision | null,
): readonly Line[] {
  return round.points.map((final, seat) => {
    const own = round.decisions.filter((one) => one.seat === seat);
    const found = own.map((one) => ({ column: columnOf(columns, one), judged: judged(one) }));
    const points = found.flatMap(({ column, judged: one }) => (one ? [pointOf(column, one)] : []));
    const first = found[0]?.judged?.actions[0];
    const deal = first ? [{ column: 0, mean: first.points, within: first.within }] : [];
    const isWhole = own.length > 0 && points.length === own.length;
    const end = isWhole ? [{ column: columns.length - 1, mean: final, within: 0 }] : [];
    return { seat, points: [...deal, ...points, ...end], final: isWhole ? final : null };
  });
}

function pointOf(column: number, { action, actions }: JudgedDecision): Point {
  const taken = actions.find((one) => one.action === action);
  return { column, mean: taken?.points ?? 0, within: taken?.within ?? 0 };
}

/** A smooth line that is level at every point, so that it never shows more than there was. */
export function alongOf(
  places: readonly (readonly [x: number, y: number])[],
  start: "M" | "L" = "M",
): string {
  const at = (value: number): string => value.toFixed(2);
  return places
    .map(([x, y], n) => {
      const before = places[n - 1];
      if (!before) return `${start}${at(x)} ${at(y)}`;
      const middle = at((before[0] + x) / 2);
      return `C${middle} ${at(before[1])} ${middle} ${at(y)} ${at(x)} ${at(y)}`;
    })
    .join("");
}

/** Places between 0 and 1 moved apart, so that no two are nearer than a gap; their order stays. */
export function apart(places: readonly number[], gap: number): readonly number[] {
  const order = places.map((_, n) => n).sort((a, b) => places[a]! - places[b]! || a - b);
  const moved = order.map((n) => places[n]!);
  for (let n = 1; n < moved.length; n += 1) moved[n] = Math.max(moved[n]!, moved[n - 1]! + gap);
  const over = Math.max(0, (moved.at(-1) ?? 0) - 1);
  for (let n = moved.length - 1; n >= 0; n -= 1) {
    const most = n === moved.length - 1 ? moved[n]! - over : moved[n + 1]! - gap;
    moved[n] = Math.min(moved[n]!, most);
  }
  const result = [...places];
  order.forEach((n, place) => (result[n] = moved[place]!));
  return result;
}
