/** Tables of the past in words: bots are called in the language that is read now. */

import { listed } from "../lib/words";
import { m } from "../paraglide/messages.js";
import type { Visited } from "./games";
import { botName, LEVELS } from "./names";

/** Who sat at a table; empty seats have no name. */
export const namesOf = ({ names, bots = [] }: Visited): readonly string[] =>
  names.map((name, seat) => (bots.includes(seat) ? botName(seat) : name));

/** The names in a record; a bot goes by its level there. */
export const shownNames = (names: readonly string[]): readonly string[] =>
  names.map((name, seat) => (LEVELS.includes(name) ? botName(seat) : name));

/** What a table waits for, as far as it was seen; empty if that is not known. */
export function waitsFor(one: Visited): string {
  const { stage, seat = null, toAct = [] } = one;
  if (stage === "lobby") return m.home_turn_lobby();
  if (stage === "between") return m.home_turn_between();
  if (stage !== "play" || !toAct.length) return "";
  if (seat !== null && toAct.includes(seat) && !one.shared) return m.net_told_your_turn();
  const names = namesOf(one);
  return m.home_turn_of({ name: listed(toAct.map((other) => names[other] ?? "")) });
}
