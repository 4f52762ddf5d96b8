/** Why one action is better than another, in words: a sentence for every reason of the coach. */

import { COLORS } from "../lib/scene";
import { colorWord } from "../lib/words";
import { m } from "../paraglide/messages.js";
import type { Analysis, Judged, Reason } from "./analysis";
import { percent, tenths } from "./numbers";

type Numbers = Reason["numbers"];
type Pair = { here: string; there: string };
type Sentence = (pair: Pair) => string;

/** Two numbers as they are written. */
const pair = ({ here = 0, there = 0 }: Numbers, write: (value: number) => string): Pair => ({
  here: write(here),
  there: write(there),
});

/** How numbers are written, and the sentences for and against. */
const EFFECTS: Readonly<Record<string, readonly [(value: number) => string, Sentence, Sentence]>> = {
  dead: [tenths, m.reason_dead_for, m.reason_dead_against],
  paradox: [chance, m.reason_paradox_for, m.reason_paradox_against],
  bonus: [chance, m.reason_bonus_for, m.reason_bonus_against],
  group: [tenths, m.reason_group_for, m.reason_group_against],
  denied: [tenths, m.reason_denied_for, m.reason_denied_against],
};
const ABOUT_TRICK = {
  needed: [m.reason_needed_for, m.reason_needed_against],
  unwanted: [m.reason_unwanted_for, m.reason_unwanted_against],
} as const;

/** A share in percent; what is hardly ever or nearly always so is not called never or always. */
export function chance(share: number): string {
  if (share > 0 && share < 0.01) return `<${percent(0.01)}`;
  return share < 1 && share > 0.99 ? `>${percent(0.99)}` : percent(share);
}

/** A reason as a sentence, in which the numbers that count stand between asterisks; null if there is none for it. */
export function whyWords({ code, favours, numbers }: Reason): string | null {
  const effect = EFFECTS[code];
  if (effect) {
    const [write, good, bad] = effect;
    return (favours ? good : bad)(pair(numbers, write));
  }
  const color = colorWord(COLORS[numbers["color"] ?? 0]!);
  switch (code) {
    case "spare":
      return m.reason_spare({ color });
    case "room":
      return m.reason_room({ color, cards: numbers["cards"] ?? 0 });
    case "needed":
    case "unwanted": {
      const { bonus_here = 0, bonus_there = 0 } = numbers;
      const bonus = { bonus_here: chance(bonus_here), bonus_there: chance(bonus_there) };
      return ABOUT_TRICK[code][favours ? 0 : 1]({ ...pair(numbers, chance), ...bonus });
    }
    default:
      return null;
  }
}

/** The next best action that is clearly worse: the best one is compared with it. */
export const compared = ({ actions }: Analysis): Judged | null =>
  actions.find(({ verdict }) => verdict !== "best" && verdict !== "close") ?? null;
