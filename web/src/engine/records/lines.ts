/** The words of a record and their places, and what is wrong with a record. */

import { linesOf, shortened, sizeOf, stripped, wordsIn, written } from "./python_text";

/** A place in a record, both from 1. */
export interface Where {
  readonly line: number;
  readonly column: number;
}

export interface Word {
  readonly text: string;
  readonly where: Where;
}

/** A line of a record: its keyword and its words. */
export interface Line {
  readonly kind: string;
  readonly where: Where;
  readonly words: readonly Word[];
}

/** What is wrong with a record, as plain data: where, which code and clause, and a sentence. */
export interface Problem extends Where {
  readonly code: string;
  readonly clause: string;
  readonly message: string;
}

/** A record that cannot be read, or with a wrong claim. */
export class RecordError extends Error {
  readonly problem: Problem;

  constructor(where: Where, message: string, clause = "", code = "") {
    const cited = `(${clause})`;
    const sentence = message + (clause && !message.includes(cited) ? ` ${cited}` : "");
    super(`line ${where.line}, column ${where.column}: ${sentence}`);
    const kind = code || (clause ? "record.lie" : "record.syntax");
    this.problem = { ...where, code: kind, clause, message: sentence };
  }
}

const MAX_LINES = 2_000; // a whole game has under a hundred; a limit against huge files
const MAX_WIDTH = 1_000;

/** Split a text into lines and words with their places; '#' begins a comment line. */
export function split(text: string): readonly Line[] {
  const rows = linesOf(text);
  if (rows.length > MAX_LINES)
    throw new RecordError({ line: MAX_LINES, column: 1 }, `a record has at most ${MAX_LINES} lines`);
  return rows.flatMap((row, n) => lineOf(n + 1, row));
}

function lineOf(line: number, row: string): readonly Line[] {
  if (sizeOf(row) > MAX_WIDTH)
    throw new RecordError({ line, column: MAX_WIDTH }, `a line has at most ${MAX_WIDTH} characters`);
  const found = wordsIn(row).map(({ text, at }) => ({ text, where: { line, column: at + 1 } }));
  const [first, ...words] = found;
  if (!first || first.text.startsWith("#")) return [];
  const { text: kind, where } = first;
  return [{ kind, where, words: kind === "names" ? namesIn(line, row) : words }];
}

/** Names may contain blanks; a bar divides them. */
function namesIn(line: number, row: string): readonly Word[] {
  let at = sizeOf(row.slice(0, row.indexOf("names"))) + "names".length;
  const rest = [...row].slice(at).join("");
  return rest.split("|").map((part) => {
    const text = stripped(part);
    const before = text ? part.indexOf(text) : part.length;
    const word = { text, where: { line, column: at + sizeOf(part.slice(0, before)) + 1 } };
    at += sizeOf(part) + 1;
    return word;
  });
}

/** Return the only word of a line. */
export function oneWord(line: Line): Word {
  const [word] = line.words;
  if (!word || line.words.length !== 1)
    throw new RecordError(line.where, `${written(line.kind)} is followed by one word`);
  return word;
}

/** Read a number of at most three digits. */
export function numberOf(word: Word): number {
  if (!/^[0-9]{1,3}$/.test(word.text))
    throw new RecordError(word.where, `${shortened(word.text)} is not a number`);
  return Number(word.text);
}
