/** Judgements and actions in words. */

import type { Action, Color } from "../lib/scene";
import { colorName, colorWord } from "../lib/words";
import { m } from "../paraglide/messages.js";
import type { Verdict } from "./analysis";
import { tenths } from "./numbers";

const VERDICT = {
  best: m.coach_best,
  fine: m.coach_fine,
  slip: m.coach_slip,
  mistake: m.coach_mistake,
  close: m.coach_close,
};

/** A judgement standing alone. */
export const verdictWords = (verdict: Verdict): string => VERDICT[verdict]();

/** What an action is: a discard, a bid, or a card as a color. */
export type Named =
  | { readonly kind: "discard"; readonly rank: number }
  | { readonly kind: "bid"; readonly bid: number }
  | { readonly kind: "play"; readonly rank: number; readonly color: Color };

/** Read the notation of an action. */
export function named(action: Action): Named {
  const number = Number(action.slice(1));
  if (action.startsWith("-")) return { kind: "discard", rank: number };
  if (action.startsWith("=")) return { kind: "bid", bid: number };
  return { kind: "play", rank: Number(action[0]), color: action[1] as Color };
}

/** An action by name, standing alone: “Blue 4”, “Bid 2”, “Set the 5 aside”. */
export function actionWords(action: Action): string {
  const it = named(action);
  if (it.kind === "discard") return m.set_aside({ rank: it.rank });
  if (it.kind === "bid") return m.coach_bid({ bid: it.bid });
  return m.card_as({ color: colorName(it.color), rank: it.rank });
}

/** What a button says that carries an action out. */
export function doWords(action: Action): string {
  const it = named(action);
  if (it.kind !== "play") return actionWords(action);
  return m.coach_play({ card: m.card_as({ color: colorWord(it.color), rank: it.rank }) });
}

/** Where a mean lies, 19 times out of 20: “4.3 to 4.9”. It is never written narrower than it is. */
export function intervalWords(mean: number, within: number): string {
  const [from, to] = [Math.floor((mean - within) * 10 + NEARLY), Math.ceil((mean + within) * 10 - NEARLY)];
  return m.coach_interval({ from: tenths(from / 10), to: tenths(to / 10) });
}

const NEARLY = 1e-6; // of a tenth: floating-point numbers are hardly ever exact

/** Parts of a sentence; what is between two asterisks is strong. */
export const parts = (text: string): readonly { readonly text: string; readonly strong: boolean }[] =>
  text.split("*").flatMap((part, n) => (part ? [{ text: part, strong: n % 2 === 1 }] : []));
