/** The order in which a round is counted: seat by seat, what each has, and what it comes to. */

import type { ResultLine, ResultView, Scene, Seat } from "../lib/scene";

/** What is shown of a seat, one part after the other. */
export const PARTS = ["tricks", "group", "stamp", "bar"] as const;
export type Part = (typeof PARTS)[number];

export interface CountStep {
  readonly seat: Seat;
  readonly part: Part;
  /** In milliseconds, at the usual speed. */
  readonly hold: number;
}

const TRICKS_MS = 300;
const GROUP_MS = 1600;
/** A group that does not count is struck out; nobody has to look at it for long. */
const STRUCK_MS = 400;
const STAMP_MS = 220;
const BAR_MS = 500;

/** Every step, the leader last. */
export const countSteps = ({ lines, counted }: ResultView): readonly CountStep[] =>
  lines.toReversed().flatMap((line) => stepsOf(line, counted));

function stepsOf(line: ResultLine, counted: boolean): CountStep[] {
  const { seat } = line;
  return [
    { seat, part: "tricks", hold: TRICKS_MS },
    ...(counted && !line.causer
      ? [{ seat, part: "group", hold: line.bonus === null ? STRUCK_MS : GROUP_MS } as const]
      : []),
    ...(stampOf(line) ? [{ seat, part: "stamp", hold: STAMP_MS } as const] : []),
    { seat, part: "bar", hold: BAR_MS },
  ];
}

/** What is stamped on a seat: whether it kept its bid, or that it is the one who caused the paradox. */
export function stampOf({ bid, won, causer }: ResultLine): "kept" | "missed" | "paradox" | null {
  if (causer) return "paradox";
  if (bid === null) return null;
  return bid === won ? "kept" : "missed";
}

/** What is shown after so many steps. */
export function shownAfter(steps: readonly CountStep[], count: number): ReadonlyMap<Seat, ReadonlySet<Part>> {
  const shown = new Map<Seat, Set<Part>>();
  for (const { seat, part } of steps.slice(0, count)) shown.set(seat, (shown.get(seat) ?? new Set()).add(part));
  return shown;
}

/** A lane of the race: how far a seat had come, and how far it is now, from 0 to 1. */
export interface Lane {
  readonly seat: Seat;
  readonly before: number;
  readonly after: number;
  readonly points: number;
  readonly total: number;
}

/** The race, in the order of the table of results. Nobody is behind the start, however many points are missing. */
export function lanesOf({ lines }: ResultView): readonly Lane[] {
  const most = Math.max(1, ...lines.flatMap(({ total, points }) => [total, total - points]));
  const reach = (points: number): number => Math.max(0, points) / most;
  return lines.map(({ seat, total, points }) => ({
    seat,
    before: reach(total - points),
    after: reach(total),
    points,
    total,
  }));
}

/** How the own place has changed with this round; null for spectators, and after the first round. */
export function moveOf({ result, me }: Pick<Scene, "result" | "me">): "leads" | "still-leads" | "behind" | null {
  if (!result || me === null || result.rounds.length < 2) return null;
  const before = (line: ResultLine): number => line.total - line.points;
  const mine = result.lines.find((line) => line.seat === me);
  if (!mine) return null;
  const others = result.lines.filter((line) => line !== mine);
  const led = others.every((line) => before(line) < before(mine));
  const leads = others.every((line) => line.total < mine.total);
  return leads ? (led ? "still-leads" : "leads") : "behind";
}
