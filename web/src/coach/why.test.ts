import { describe, expect, it } from "vitest";
import type { Analysis, Reason, Verdict } from "./analysis";
import { SAMPLE_ACTIONS } from "./samples";
import { chance, compared, whyWords } from "./why";

const PAIR = { here: 0.254, there: 1.3 };
const BONUS = { here: 0.92, there: 0.1, bonus_here: 0.6, bonus_there: 0.2 };
/** All codes of `coach/reasons.py`. */
const NUMBERS: Readonly<Record<string, Reason["numbers"]>> = {
  ...{ dead: PAIR, group: PAIR, denied: PAIR },
  ...{ paradox: { here: 0.004, there: 0.47 }, bonus: { here: 0.7, there: 0.995 } },
  ...{ needed: BONUS, unwanted: BONUS },
  ...{ spare: { color: 2 }, room: { color: 1, cards: 2 } },
};

const words = (code: string, favours = true): string =>
  whyWords({ code, favours, numbers: NUMBERS[code]! }) ?? "";

describe("every reason", () => {
  it.each(Object.keys(NUMBERS))("%s is a whole sentence with its numbers", (code) => {
    for (const favours of [true, false]) {
      expect(words(code, favours)).toMatch(/^[A-Z].*\.$/);
      expect(words(code, favours)).not.toMatch(/[{}]|undefined|NaN/);
    }
  });

  it("is another one for and against, where the effect can be either", () => {
    for (const code of ["dead", "group", "denied", "paradox", "bonus", "needed", "unwanted"])
      expect(words(code, true)).not.toBe(words(code, false));
  });

  it("names both numbers, in tenths or in percent", () => {
    expect(words("dead")).toContain("*0.3 dead cards instead of 1.3*");
    expect(words("paradox")).toContain("<1% of the deals instead of 47%");
    expect(words("bonus")).toContain("*70% instead of >99%*");
    expect(words("needed")).toContain("*60% instead of 20%*");
    expect([words("spare"), words("room")]).toEqual([
      "Gives up yellow, with nothing left to play in it.",
      "Keeps blue, where *2 numbers of the hand* can still go.",
    ]);
  });
});

it("has no words for what it does not know", () => {
  expect(whyWords({ code: "later", favours: true, numbers: {} })).toBeNull();
});

it("says never and always only of what is", () => {
  expect([0, 0.004, 0.126, 0.996, 1].map(chance)).toEqual(["0%", "<1%", "13%", ">99%", "100%"]);
});

it("compares with the next best action that is clearly worse", () => {
  const found = (verdicts: readonly Verdict[]): Analysis => ({
    worlds: 2,
    actions: verdicts.map((verdict, n) => ({ ...SAMPLE_ACTIONS[n]!, verdict })),
    why: {},
  });
  expect(compared(found(["best", "close", "fine", "mistake"]))?.verdict).toBe("fine");
  expect(compared(found(["best", "close"]))).toBeNull();
});
