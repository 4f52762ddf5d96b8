/** The order in which a round is counted: seat by seat, what each has, and what it comes to. */

import type { ResultLine, ResultView, Scene, Seat } from "../lib/scene";

/** What is shown of a seat, one part after the other. */
export type Part = "tricks" | "group" | "stamp" | "bar";

export interface CountStep {
  readonly seat: Seat;
  readonly part: Part;
  /** How many tokens of the group are counted by now. */
  readonly tokens: number;
  /** In milliseconds, at the usual speed. */
  readonly hold: number;
}

/** What is shown of a seat so far. */
export interface Counted {
  readonly parts: ReadonlySet<Part>;
  readonly tokens: number;
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
  const step = (part: Part, hold: number, tokens = 0): CountStep => ({ seat: line.seat, part, tokens, hold });
  return [
    step("tricks", TRICKS_MS),
    ...(counted && (!line.causer || line.lost !== null)
      ? groupSteps(line).map(([tokens, hold]) => step("group", hold, tokens))
      : []),
    ...(stampOf(line, counted) ? [step("stamp", STAMP_MS)] : []),
    step("bar", BAR_MS),
  ];
}

/** A group that counts is counted token by token. */
function groupSteps({ group, bonus }: ResultLine): readonly (readonly [tokens: number, hold: number])[] {
  if (bonus === null || group < 2) return [[group, STRUCK_MS]];
  return Array.from({ length: group }, (_, n) => [n + 1, GROUP_MS / group]);
}

/** What is stamped on a seat: whether it kept its bid, as far as that is known, or that it caused the paradox. */
export function stampOf(
  { bid, bonus, causer }: ResultLine,
  counted: boolean,
): "kept" | "missed" | "paradox" | null {
  if (causer) return "paradox";
  if (bid === null || !counted) return null;
  return bonus === null ? "missed" : "kept";
}

/** What is shown after so many steps. */
export function shownAfter(steps: readonly CountStep[], count: number): ReadonlyMap<Seat, Counted> {
  const shown = new Map<Seat, Counted>();
  for (const { seat, part, tokens } of steps.slice(0, count)) {
    const before = shown.get(seat);
    shown.set(seat, {
      parts: new Set([...(before?.parts ?? []), part]),
      tokens: Math.max(tokens, before?.tokens ?? 0),
    });
  }
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

/** The place of a seat in a game that is over: a last round that decides between equal totals (R3) leaves one winner. */
export const finalPlaceOf = ({ winners }: ResultView, { seat, place }: ResultLine): number =>
  winners.includes(seat) ? 1 : Math.max(2, place);

/** How the own place has changed with this round; null for spectators, and after the first round. */
export function moveOf({
  result,
  me,
}: Pick<Scene, "result" | "me">): "leads" | "still-leads" | "behind" | null {
  if (!result || me === null || result.rounds.length < 2) return null;
  const before = (line: ResultLine): number => line.total - line.points;
  const mine = result.lines.find((line) => line.seat === me);
  if (!mine) return null;
  const others = result.lines.filter((line) => line !== mine);
  const led = others.every((line) => before(line) < before(mine));
  const leads = others.every((line) => line.total < mine.total);
  return leads ? (led ? "still-leads" : "leads") : "behind";
}
