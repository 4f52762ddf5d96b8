/** Texts as Python sees them, so that a record is refused in the same place and in the same words. */

/** What separates words. JavaScript's `\s` has the byte order mark instead of the file separators. */
const BLANK = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
// eslint-disable-next-line no-control-regex -- Python ends lines there
const LINE_END = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/u;
const WORD = new RegExp(`[^${BLANK}]+`, "gu");
const AROUND = new RegExp(`^[${BLANK}]+|[${BLANK}]+$`, "gu");
const PRINTABLE = /^(?:[^\p{C}\p{Z}]| )*$/u;
const NAME = new RegExp(`^[^|${BLANK}](?:[^|]{0,38}[^|${BLANK}])?$`, "u");
const QUOTED = 40; // characters of a foreign text that a sentence shows

/** Split a text into lines; a line end at the very end begins no further one. */
export function linesOf(text: string): readonly string[] {
  const rows = text.split(LINE_END);
  if (rows.at(-1) === "") rows.pop();
  return rows;
}

/** The number of characters; one outside the first 65,536 counts once. */
export const sizeOf = (text: string): number => [...text].length;

export interface Found {
  readonly text: string;
  /** Characters before it. */
  readonly at: number;
}

/** The words of a line and where they begin. */
export const wordsIn = (row: string): readonly Found[] =>
  [...row.matchAll(WORD)].map((found) => ({ text: found[0], at: sizeOf(row.slice(0, found.index)) }));

export const stripped = (text: string): string => text.replaceAll(AROUND, "");

export const printable = (text: string): boolean => PRINTABLE.test(text);

/** Whether a text can be the name of a player: 1 to 40 printable characters without a bar. */
export const isName = (text: string): boolean => NAME.test(text) && printable(text);

/** Quote a foreign text in a sentence: unchanged if it is short and plain, else escaped. */
export const quoted = (text: string): string =>
  text && printable(text) && sizeOf(text) <= QUOTED ? text : shortened(text);

/** Write a text as Python would, shortened with … inside its closing quote. */
export function shortened(text: string, size = QUOTED): string {
  const shown = [...written(text)];
  if (shown.length <= size) return shown.join("");
  return [...shown.slice(0, size - 2), "…", shown.at(-1)].join("");
}

/** Write a text in quotes, as Python's `repr` does. */
export function written(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + [...text].map((character) => escaped(character, quote)).join("") + quote;
}

const SHORT: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(character: string, quote: string): string {
  if (character === quote) return `\\${quote}`;
  const short = SHORT[character];
  if (short) return short;
  if (printable(character)) return character;
  const code = character.codePointAt(0)!;
  const [mark, width] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return `\\${mark}${code.toString(16).padStart(width as number, "0")}`;
}
