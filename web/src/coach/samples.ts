/** Made-up analyses, for the gallery and the tests of components. */

import type { Action } from "../lib/scene";
import type { Analysis, Judged, Verdict } from "./analysis";

const line = (
  action: string,
  points: number,
  paradox: number,
  verdict: Verdict,
  gives: string | null = null,
): Judged => ({
  ...{ action, points, within: 0.3, paradox, verdict, gives },
  ...{ loss: 4.6 - points, loss_within: 0.2, margin: points - 2, any_paradox: paradox + 0.1 },
  ...{ bid: 0.71, tricks: 2.1, group: 3.9, wins: 0.4, dead: 0.3, chance: null },
});

export const SAMPLE_ACTIONS: readonly Judged[] = [
  line("4b", 4.6, 0.09, "best"),
  line("8b", 4.4, 0.12, "close"),
  line("4y", 3.8, 0.21, "slip", "b"),
  line("4r", 2.9, 0.34, "mistake", "b"),
  line("1r", -0.6, 0.53, "mistake", "b"),
];

export const SAMPLE_BIDS: readonly Judged[] = [
  line("=2", 3.1, 0.1, "best"),
  line("=1", 2.9, 0.1, "fine"),
  line("=3", 1.4, 0.1, "mistake"),
];

const numbers = { here: 0.3, there: 1.1 };

/** What was found about the sample actions; the best one is compared with yellow 4. */
export const SAMPLE_FOUND: Analysis = {
  worlds: 1840,
  actions: SAMPLE_ACTIONS,
  why: {
    "4y": [
      { code: "dead", favours: true, numbers },
      { code: "room", favours: true, numbers: { color: 1, cards: 2 } },
      { code: "group", favours: false, numbers: { here: 3.1, there: 3.9 } },
      { code: "denied", favours: false, numbers: { here: 2, there: 1.2 } },
    ],
  },
};

/** What was found about other actions: the first one is the best. */
export function sampleOf(actions: readonly Action[]): Analysis {
  const all = actions.map((action, n) => ({
    ...SAMPLE_ACTIONS[Math.min(n, SAMPLE_ACTIONS.length - 1)]!,
    ...{ action, gives: null, points: 4.6 - 0.4 * n, loss: 0.4 * n },
  }));
  const other = all.find(({ verdict }) => verdict === "slip");
  return { worlds: 1840, actions: all, why: other ? { [other.action]: SAMPLE_FOUND.why["4y"]! } : {} };
}
