/** Numbers of an analysis, in the reader's language. */

import { getLocale } from "../paraglide/runtime.js";

const formats = new Map<string, Intl.NumberFormat>();

/** Formats are made once for each language and kind, which takes long. */
function formatted(value: number, kind: "tenths" | "percent"): string {
  const name = `${getLocale()} ${kind}`;
  let format = formats.get(name);
  if (!format) {
    const options: Intl.NumberFormatOptions =
      kind === "percent"
        ? { style: "percent", maximumFractionDigits: 0 }
        : { minimumFractionDigits: 1, maximumFractionDigits: 1 };
    formats.set(name, (format = new Intl.NumberFormat(getLocale(), options)));
  }
  return format.format(value);
}

/** Whether a number is nothing once it is rounded to tenths: no sign stands before it then. */
const isNothing = (value: number): boolean => Math.abs(value) < 0.05;

/** Points with one decimal, and a real minus sign. */
export const tenths = (value: number): string => realMinus(formatted(isNothing(value) ? 0 : value, "tenths"));

const realMinus = (text: string): string => text.replace("-", "−");

/** A count, with the marks of thousands that a language has. */
export const counted = (value: number): string => new Intl.NumberFormat(getLocale()).format(value);

/** How accurate decisions were, of 100: what is not perfect is not called so. */
export const accuracyWords = (accuracy: number): string => percent(Math.floor(accuracy) / 100);

/** A share as a percentage. */
export const percent = (share: number): string => formatted(share, "percent");

/** What a decision cost: “−2.0”; nothing is “0”. */
export const lossWords = (loss: number): string => (isNothing(loss) ? "0" : tenths(-loss));

/** A change: “+0.5”, “−0.9”, “0”. */
export const changeWords = (change: number): string =>
  isNothing(change) ? "0" : change > 0 ? `+${tenths(change)}` : tenths(change);
