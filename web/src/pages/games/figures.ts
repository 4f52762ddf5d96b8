/** Figures in words, in the reader's language. */

import { percent, tenths } from "../../coach/numbers";
import { m } from "../../paraglide/messages.js";
import { levelName } from "../../store/names";
import type { Figure, Measure } from "./statistics";

const TITLES: Readonly<Record<Measure, () => string>> = {
  points: m.games_points,
  bids: m.games_bids,
  paradoxes: m.games_paradoxes,
};

export const measureName = (measure: Measure): string => TITLES[measure]();

/** A value of a measure: points with a decimal, or a share. */
export const valueWords = (measure: Measure, value: number): string =>
  measure === "points" ? tenths(value) : percent(value);

/** The interval of a figure; empty if there is too little to tell. */
export function rangeWords(measure: Measure, { low, high }: Figure): string {
  if (low === null || high === null) return "";
  return m.coach_interval({ from: valueWords(measure, low), to: valueWords(measure, high) });
}

/** Whom games were played against. */
export const groupName = (group: string): string =>
  group === "people" ? m.games_people() : group === "mixed" ? m.games_mixed() : levelName(group);
