/** Faces of the research board as records name and describe them; the printed ones are generated data. */

import { FACES, LANE, LANES, NOWHERE, type Row } from "../generated/rules";
import type { Engine } from "../module";
import { LETTERS } from "../notation";
import { printable, quoted, sizeOf, wordsIn, written } from "./python_text";

/** A face: its name, its rows of cells (`b5`) and empty places (`.`), and its text. */
export interface Face {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
  /** The text of a face file. */
  readonly text: string;
  /** Whether it comes with the game. */
  readonly standard: boolean;
}

const EMPTY = ".";
const MAX_SIDE = 36; // no face needs more rows or columns than cells
const CELLS = LETTERS.flatMap((letter) => [..."123456789"].map((rank) => letter + rank));

/** An error about a face, for anyone who knows where the face is written. */
export class BadFace extends Error {}

/** The text of a face that comes with the game; nothing for another name. */
const printed = (name: string): string => (Object.hasOwn(FACES, name) ? FACES[name as keyof typeof FACES].text : "");

/** Return a face that comes with the game. */
export function faceNamed(name: string): Face {
  const text = printed(name);
  if (!text) throw new BadFace(`no face ${written(name)}; there are ${Object.keys(FACES).join(", ")}`);
  return { name, rows: gridOf(text), text, standard: true };
}

/** Read a face from its text, as `GameShown` has it. */
export const faceOfText = (text: string): Face => faceOf(wordsIn(text.split("\n")[0]!)[1]?.text ?? "", gridOf(text));

const gridOf = (text: string): readonly (readonly string[])[] =>
  text.trimEnd().split("\n").slice(1).map((row) => wordsIn(row).map((word) => word.text));

/** Read the rows of a board; every problem is reported. */
export function faceOf(name: string, grid: readonly (readonly string[])[]): Face {
  const problems = [...gridProblems(grid)];
  if (sizeOf(name) > MAX_SIDE || !printable(name) || wordsIn(name)[0]?.text !== name)
    problems.push(`its name is not one word of at most ${MAX_SIDE} characters`);
  if (problems.length) throw new BadFace(`face ${quoted(name)}: ${problems.join("; ")}`);
  const text = textOf(name, grid);
  if (printed(name) && printed(name) !== text) throw new BadFace(`the name ${written(name)} belongs to another face`);
  return { name, rows: gridOf(text), text, standard: printed(name) !== "" };
}

function* gridProblems(grid: readonly (readonly string[])[]): Generator<string> {
  const found = new Set<string>();
  for (const [row, words] of grid.entries())
    for (const word of words) {
      if (found.has(word)) yield `${word} appears twice`;
      else if (CELLS.includes(word)) found.add(word);
      else if (word !== EMPTY) yield `${written(word)} in row ${row + 1} is neither a cell like b5 nor '.'`;
    }
  const missing = CELLS.filter((cell) => !found.has(cell));
  if (missing.length) yield `missing: ${missing.join(" ")}`;
  if (grid.length > MAX_SIDE || grid.some((words) => words.length > MAX_SIDE))
    yield `larger than ${MAX_SIDE} rows or columns`;
}

/** Write a face file: nothing after the last cell of a row, and no empty rows at the end. */
function textOf(name: string, grid: readonly (readonly string[])[]): string {
  const rows = grid.map((words) => words.slice(0, words.findLastIndex((word) => word !== EMPTY) + 1));
  const used = rows.slice(0, rows.findLastIndex((words) => words.length) + 1);
  const lines = used.map((words) => words.map((word) => (word === EMPTY ? ". " : word)).join(" ") || EMPTY);
  return [`face ${name}`, ...lines, ""].join("\n");
}

/** Ask the rules which cells of a face touch; the row is one of the caller's. */
export function touchOf(engine: Engine, face: Face): Row {
  const rows = Array<number>(LANES).fill(NOWHERE);
  const columns = Array<number>(LANES).fill(NOWHERE);
  face.rows.forEach((words, row) =>
    words.forEach((word, column) => {
      if (word === EMPTY) return;
      const cell = LETTERS.indexOf(word[0] as (typeof LETTERS)[number]) * LANE + Number(word[1]) - 1;
      [rows[cell], columns[cell]] = [row, column];
    }),
  );
  const touch = engine.row(LANES);
  engine.touch_places(engine.row(LANES, rows), engine.row(LANES, columns), touch);
  return touch;
}
