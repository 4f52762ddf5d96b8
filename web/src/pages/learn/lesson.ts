/** The tutorial as data: prepared positions, what each waits for, and what then happens. */

import type { Effect, Scene } from "../../lib/scene";
import type { TableShown } from "../../lib/wire";
import type { Lingering } from "../../store/linger";
import { named } from "../../store/names";
import { partOfStep, PARTS, type Part } from "./progress";
import prepared from "./steps.json";

export interface Step {
  readonly id: string;
  readonly table: TableShown;
  /** The card to be chosen. */
  readonly choose: number | null;
  /** By action: the positions that follow it. Nothing: a button leads on. */
  readonly then: Readonly<Record<string, readonly TableShown[]>> | null;
  /** What is shown of the end of the round. */
  readonly screen: "paradox" | "counting" | null;
  /** The card that is chosen already. */
  readonly chosen: number | null;
}

interface Prepared {
  readonly id: string;
  readonly scene: TableShown;
  readonly choose?: number;
  readonly then?: Readonly<Record<string, readonly TableShown[]>>;
  readonly sheet?: "paradox" | "result";
  readonly chosen?: number;
}

export const steps: readonly Step[] = (prepared as unknown as readonly Prepared[]).map((step) => ({
  id: step.id,
  table: named(step.scene),
  choose: step.choose ?? null,
  then: step.then
    ? Object.fromEntries(Object.entries(step.then).map(([action, after]) => [action, after.map(named)]))
    : null,
  screen: step.sheet === "result" ? "counting" : (step.sheet ?? null),
  chosen: step.chosen ?? null,
}));

/** The part of the tutorial that a step belongs to. */
export const partOf = (step: Step): Part => partOfStep(step.id)!;

/** What a part is the first to explain: it is not shown before. */
const FROM = { trumps: "red", bids: "bid" } as const satisfies Record<string, Part>;

const isBefore = (part: Part, other: Part): boolean => PARTS.indexOf(part) < PARTS.indexOf(other);

/** A scene with only what the tutorial has explained so far: no bids or groups before their part, no trump. */
export function sofar(scene: Scene, part: Part): Scene {
  const hidden: Effect["kind"][] = [];
  if (isBefore(part, FROM.trumps)) hidden.push("trumps");
  if (!isBefore(part, FROM.bids)) return scene;
  hidden.push("group");
  return {
    ...scene,
    seats: scene.seats.map((seat) => ({ ...seat, bid: null, group: 0 })),
    board: { ...scene.board, places: scene.board.places.map((place) => ({ ...place, inGroup: false })) },
    hand: scene.hand.map((card) => ({
      ...card,
      options: card.options.map((option) => ({
        ...option,
        effects: option.effects?.filter(({ kind }) => !hidden.includes(kind)) ?? null,
      })),
    })),
  };
}

/** The place of a step by its id; the first one, if there is none. */
export const placeOf = (id: string | null): number =>
  Math.max(
    0,
    steps.findIndex((step) => step.id === id),
  );

/** The place of the first step of a part. */
export const beginOf = (part: Part): number => steps.findIndex((step) => partOf(step) === part);

/** The trick that was won on the way to a step: it lies there until the words about it have been read. */
export function wonBefore(at: number): Lingering | null {
  const round = steps[at]?.table.round;
  if (!round || !steps[at - 1]?.then || round.trick.length || !round.last_trick.length) return null;
  return { cards: round.last_trick, winner: round.leader };
}

/** Whether a position has just lost its trick to a winner: it was one card short before. */
export function trickEnds(before: TableShown, now: TableShown): boolean {
  const players = now.game.names.length;
  return (
    before.round.trick.length === players - 1 &&
    now.round.trick.length === 0 &&
    now.round.last_trick.length > 0
  );
}
