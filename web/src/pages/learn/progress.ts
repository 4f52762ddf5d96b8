/** How far somebody has come in the tutorial; the first page says it without loading the tutorial. */

import { m } from "../../paraglide/messages.js";
import { keep, kept, letGo } from "../../store/keep";

export const PART_NAMES = {
  color: m.learn_part_color,
  follow: m.learn_part_follow,
  red: m.learn_part_red,
  bid: m.learn_part_bid,
  paradox: m.learn_part_paradox,
  two: m.learn_part_two,
} as const;

export type Part = keyof typeof PART_NAMES;
export const PARTS = Object.keys(PART_NAMES) as readonly Part[];

/** Nobody needs it for a first game: it is offered after the end. */
export const isOptional = (part: Part): boolean => part === "two";

const NAME = "learn";

/** The part that a step belongs to: `color` of `color-tap`; null for what is no step. */
export const partOfStep = (id: string): Part | null =>
  PARTS.find((part) => id.startsWith(`${part}-`)) ?? null;

/** The step that was reached; null before the first and after the last. */
export const stepReached = (): string | null => kept(NAME);

/** The part that was reached. */
export const partReached = (): Part | null => partOfStep(stepReached() ?? "");

/** Remember a step. */
export const reach = (id: string): void => keep(NAME, id);

/** The tutorial begins anew the next time. */
export const startOver = (): void => letGo(NAME);
