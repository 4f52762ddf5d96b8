/** What to tap next, for the spotlight of the tutorial. */

import { m } from "../../paraglide/messages.js";
import type { Step } from "./lesson";

/** Steps whose words are about something on the page, though nothing has to be tapped. */
const SHOWN: Readonly<Record<string, string>> = {
  "follow-why": ".colors button.b",
  "paradox-seen": ".tray .button.main",
};

/** The element to tap, or to look at; null where a button of the tutorial itself leads on. */
export function targetOf(step: Step, selected: number | null, page: ParentNode = document): Element | null {
  if (step.choose !== null) return cardIn(page, step.choose);
  const [action, ...others] = Object.keys(step.then ?? {});
  if (!action) return step.id in SHOWN ? page.querySelector(SHOWN[step.id]!) : null;
  if (others.length) return selected === null ? page.querySelector('[role="listbox"]') : null; // anything goes
  return ofAction(page, action, selected);
}

function ofAction(page: ParentNode, action: string, selected: number | null): Element | null {
  const [kind, rest] = [action.charAt(0), action.slice(1)];
  if (kind === "=") return buttonWith(page, ".bids button", (words) => words.includes(rest));
  const rank = Number(kind === "-" ? rest : kind);
  if (selected !== rank) return cardIn(page, rank);
  if (kind === "-") return buttonWith(page, "button", (words) => words.trim() === m.set_aside({ rank }));
  return page.querySelector(`.colors button.${rest}`);
}

const cardIn = (page: ParentNode, rank: number): Element | null =>
  page.querySelector(`[role="option"][data-rank="${rank}"]`);

const buttonWith = (page: ParentNode, which: string, says: (words: string) => boolean): Element | null =>
  [...page.querySelectorAll(which)].find((button) => says(button.textContent ?? "")) ?? null;
