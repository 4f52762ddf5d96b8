/** Files become games of "My games", each file whole or not at all; what is wrong with one is said with its line. */

import { BadRecord, readText } from "../../net/replay";
import { m } from "../../paraglide/messages.js";
import { countedOf, myGames, onlyPerson, type MyGames, type NewGame } from "../../store/records";
import { refusalWords } from "../../store/refusals";
import { isBackup, readBackup, type SavedAt, type SavedGame } from "./backup";
import { isMeant, recordsIn } from "./files";

const LARGEST = 64_000_000; // characters; a whole game has some 4,000
/** Of a file with more problems, the first ones are shown. */
const MOST = 10;

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
  /** The key of the game, if a file brought one record, and nothing else came. */
  readonly single: string | null;
  /** How many games came, and how many of them are new. */
  readonly found: number;
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
  const opened = await Promise.all(files.map(openFile));
  const count = opened.reduce((sum, { saved }) => sum + saved.length, 0);
  const problems: FileProblem[] = [];
  const keys: string[] = [];
  let [number, added, bare] = [0, 0, true];
  for (const { name, saved, problems: wrong, backup } of opened) {
    const fresh: NewGame[] = [];
    const here = [...wrong];
    for (const one of saved) {
      onread((number += 1), count);
      await gameOf(one, read).then(
        (game) => void fresh.push(game),
        (error: unknown) => void here.push(problemOf(name, one, error, backup)),
      );
    }
    if (here.length) problems.push(...shortened(name, here));
    else {
      added += await games.addAll(fresh);
      keys.push(...fresh.map(({ text }) => games.keyOf(text)));
      bare &&= !backup;
    }
  }
  const single = bare && keys.length === 1 && !problems.length ? keys[0]! : null;
  return { single, found: keys.length, added, problems };
}

/** So many problems that nobody would read them all. */
function shortened(file: string, problems: readonly FileProblem[]): readonly FileProblem[] {
  if (problems.length <= MOST) return problems;
  const words = m.games_more_problems({ file, count: problems.length - MOST });
  return [...problems.slice(0, MOST), { words, detail: "" }];
}

// ── A file ─────────────────────────────────────────────────────────────────────────────────────

interface Opened {
  readonly name: string;
  readonly saved: readonly SavedAt[];
  readonly problems: readonly FileProblem[];
  /** Whether it is a file of all games; others have records alone. */
  readonly backup: boolean;
}

/** A file that is no record: a film, a whole disk. It is not read. */
class TooLarge extends Error {}

async function openFile(file: TextFile): Promise<Opened> {
  const nothing: Opened = { name: file.name, saved: [], problems: [], backup: false };
  try {
    if (file.size > LARGEST) throw new TooLarge();
    const text = await file.text();
    return isBackup(text) ? openBackup(nothing, text) : { ...nothing, saved: recordsIn(text).map(bareGame) };
  } catch (error) {
    return { ...nothing, problems: [problemOf(file.name, null, error, false)] };
  }
}

function openBackup(file: Opened, text: string): Opened {
  const found = readBackup(text);
  if (found.ok) return { ...file, saved: found.games, backup: true };
  const problems = found.problems.map(({ line, message }) => ({
    words: m.games_problem({ file: file.name, line }),
    detail: message,
  }));
  return { ...file, problems, backup: true };
}

/** Of a record alone nothing is known but what it says. */
const bareGame = ({ text, line }: { readonly text: string; readonly line: number }): SavedAt => ({
  game: { text, at: Number.NaN, seat: null, origin: "" },
  line,
});

// ── A game ─────────────────────────────────────────────────────────────────────────────────────

/** A seat that the record of a game does not have. */
class NoSuchSeat extends Error {}

async function gameOf({ game }: SavedAt, read: typeof readText): Promise<NewGame> {
  const found = await read(game.text);
  const { names, totals, winners, over } = found;
  if (game.seat !== null && game.seat >= names.length) throw new NoSuchSeat();
  const isBare = Number.isNaN(game.at);
  const text = isBare && game.text.trimStart().startsWith("{") ? found.text : game.text; // as it came, if it came as text
  const own: SavedGame = isBare ? { ...game, at: Date.now(), seat: onlyPerson(names) } : game;
  const result = over ? { totals, winners } : { totals: [], winners: [] };
  return { ...own, text, names, ...result, ...countedOf(found) };
}

/** Say what is wrong: of a record, with the line of the file; that it could not be read, in our words. */
function problemOf(file: string, one: SavedAt | null, error: unknown, backup: boolean): FileProblem {
  const line = one?.line ?? 1;
  if (error instanceof TooLarge) return { words: m.games_too_large({ file }), detail: "" };
  if (error instanceof NoSuchSeat)
    return { words: m.games_problem({ file, line }), detail: '"seat" is not a seat of its record' };
  if (!(error instanceof BadRecord) || !one) return { words: `${file}: ${refusalWords(error)}`, detail: "" };
  const { problem } = error;
  if (backup)
    return {
      words: m.games_problem({ file, line }),
      detail: `line ${problem.line} of its record: ${problem.message}`,
    };
  if (!isMeant(one.game.text)) return { words: m.games_not_one({ file }), detail: "" };
  return { words: m.games_problem({ file, line: line + problem.line - 1 }), detail: problem.message };
}
