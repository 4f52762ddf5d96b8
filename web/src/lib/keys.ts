/** Keys of the table: ranks by digits, colors by letters, and a few more. */

import { COLORS, type Color, type Rank } from "./scene";

export type TableKey =
  | { readonly kind: "rank"; readonly rank: Rank }
  | { readonly kind: "color"; readonly color: Color }
  | { readonly kind: "enter" }
  | { readonly kind: "escape" }
  | { readonly kind: "walk" }
  | { readonly kind: "hint" }
  | { readonly kind: "sheet"; readonly sheet: "last" | "legend" };

/**
 * What a key means; null where it means nothing, or belongs to a field or a shortcut. `single`:
 * digits, letters and signs mean something, too.
 */
export function tableKey(event: KeyboardEvent, single: boolean): TableKey | null {
  if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return null;
  const key = event.key.toLowerCase();
  if (key === "enter") return isOtherButton(event.target) ? null : { kind: "enter" };
  if (key === "escape") return { kind: "escape" };
  if (key === "arrowleft" || key === "arrowright") return { kind: "walk" };
  return single ? singleKey(key) : null;
}

function singleKey(key: string): TableKey | null {
  if (/^[1-9]$/.test(key)) return { kind: "rank", rank: Number(key) };
  const color = COLORS.find((one) => one === key);
  if (color) return { kind: "color", color };
  if (key === "h") return { kind: "hint" };
  if (key === "l") return { kind: "sheet", sheet: "last" };
  return key === "?" ? { kind: "sheet", sheet: "legend" } : null;
}

/**
 * Where a key leads from one card of a hand to another, by their numbers; null where it leads
 * nowhere. The second of two rows begins with card number `width`.
 */
export function stepInHand(key: string, at: number, cards: number, width: number): number | null {
  const last = cards - 1;
  if (key === "ArrowRight") return Math.min(last, at + 1);
  if (key === "ArrowLeft") return Math.max(0, at - 1);
  if (key === "ArrowDown" && cards > width) return at < width ? Math.min(last, at + width) : at;
  if (key === "ArrowUp" && cards > width) return at < width ? at : at - width;
  if (key === "Home") return 0;
  return key === "End" ? last : null;
}

/** Enter on a button is that button's own; cards of the hand are choices rather than buttons. */
function isOtherButton(target: EventTarget | null): boolean {
  return target instanceof HTMLButtonElement && target.getAttribute("role") !== "option";
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  );
}
