/** Files become games of "My games"; whatever is wrong with one is said with its file and its line. */

import { engine } from "../../engine/client";
import { BadRecord, readText } from "../../net/replay";
import { m } from "../../paraglide/messages.js";
import { myGames, onlyPerson, type KeptGame, type MyGames } from "../../store/records";
import { refusalWords } from "../../store/refusals";
import { ShelfError } from "../../store/shelf";
import { isMeant, recordsIn, type Found } from "./files";

const LARGEST = 4_000_000; // characters; a whole game has some 4,000

/** As much of a file as is needed. */
export interface TextFile {
  readonly name: string;
  readonly size: number;
  text(): Promise<string>;
}

/** What is wrong with a file. */
export interface FileProblem {
  readonly words: string;
  /** What would be right, as the rules say it. */
  readonly detail: string;
}

export interface Imported {
  /** Keys of the games that are there now, from these files. */
  readonly keys: readonly string[];
  /** How many of them are new. */
  readonly added: number;
  readonly problems: readonly FileProblem[];
}

/** Keep the games of some files; `onread` hears which one is read, of how many. Throws only if nothing can be kept (`ShelfError`). */
export async function importFiles(
  files: readonly TextFile[],
  games: MyGames = myGames,
  read = readText,
  onread: (number: number, count: number) => void = () => undefined,
): Promise<Imported> {
  const keys: string[] = [];
  const problems: FileProblem[] = [];
  let added = 0;
  const note = (file: string, found: Found, error: unknown): void => {
    if (error instanceof ShelfError) throw error;
    problems.push(problemOf(file, found, error));
  };
  const records: { readonly file: string; readonly found: Found }[] = [];
  for (const file of files) {
    const nothing = { text: "", line: 1 };
    const all = await recordsOf(file).catch((error: unknown) => (note(file.name, nothing, error), []));
    records.push(...all.map((found) => ({ file: file.name, found })));
  }
  for (const [n, { file, found }] of records.entries())
    try {
      onread(n + 1, records.length);
      const { key, fresh } = await importOne(found, games, read);
      keys.push(key);
      added += Number(fresh);
    } catch (error) {
      note(file, found, error);
    }
  return { keys, added, problems };
}

/** A file that is no record: a film, a whole disk. It is not read. */
class TooLarge extends Error {}

async function recordsOf(file: TextFile): Promise<readonly Found[]> {
  if (file.size > LARGEST) throw new TooLarge();
  return recordsIn(await file.text());
}

async function importOne(
  { text }: Found,
  games: MyGames,
  read: typeof readText,
): Promise<{ readonly key: string; readonly fresh: boolean }> {
  const { names, totals, winners, over, text: written } = await read(text);
  const record = text.trimStart().startsWith("{") ? written : text; // as it came, if it came as text
  const result = over ? { totals, winners } : { totals: [], winners: [] };
  const game = { text: record, at: Date.now(), names, ...result, seat: onlyPerson(names), origin: "" };
  const fresh = await games.add(game);
  return { key: games.keyOf(record), fresh };
}

/**
 * What is wrong with the records that are kept, by their keys; nothing while nobody can tell.
 * Only the rules in this page are asked: a look at the list sends no records to a server.
 */
export async function damageOf(
  games: readonly KeptGame[],
  read = readText,
  ready: () => Promise<unknown> = () => engine.ready(),
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (
    !games.length ||
    !(await ready().then(
      () => true,
      () => false,
    ))
  )
    return found;
  for (const { key, text } of games)
    await read(text).catch((error: unknown) => {
      if (error instanceof BadRecord)
        found.set(key, m.games_damage({ line: error.problem.line, message: error.message }));
    });
  return found;
}

/** Say what is wrong: of a record, with the line of the file; that it could not be read, in our words. */
export function problemOf(file: string, { text, line: first }: Found, error: unknown): FileProblem {
  if (error instanceof TooLarge) return { words: m.games_too_large({ file }), detail: "" };
  if (!(error instanceof BadRecord)) return { words: `${file}: ${refusalWords(error)}`, detail: "" };
  if (!isMeant(text)) return { words: m.games_not_one({ file }), detail: "" };
  const line = first + error.problem.line - 1;
  return { words: m.games_problem({ file, line }), detail: error.problem.message };
}
