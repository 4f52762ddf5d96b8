/** All games as one file, in JSON: docs/games-file.md. It has what is known beside the records, and nothing that follows from them. */

import type { NewGame } from "../../store/records";

/** The version of the format, under the name that tells what the file is. */
const NAME = "catinthebox-games";
const VERSION = 1;

/** What is kept of a game beside what follows from its record. */
export type SavedGame = Pick<NewGame, "text" | "at" | "seat" | "origin" | "cats" | "local">;

/** Something that is wrong with a file, and where. */
export interface BackupProblem {
  /** From 1. */
  readonly line: number;
  /** What is wrong, and what would be right. */
  readonly message: string;
}

/** A game of a file, and the line where it begins. */
export interface SavedAt {
  readonly game: SavedGame;
  readonly line: number;
}

/** The games of a file, or everything that is wrong with it: of a file with an error nothing is read. */
export type Backup =
  | { readonly ok: true; readonly games: readonly SavedAt[] }
  | { readonly ok: false; readonly problems: readonly BackupProblem[] };

/** Write games as a file: a line for each, in the order given. */
export function backupText(games: readonly SavedGame[]): string {
  const lines = games.map(({ text, at, seat, origin, cats, local }) =>
    JSON.stringify({
      at,
      ...(seat === null ? {} : { seat }),
      ...(origin ? { origin } : {}),
      ...(cats ? { cats } : {}),
      ...(local ? { local } : {}),
      record: text,
    }),
  );
  return `{\n"${NAME}": ${VERSION},\n"games": [\n${lines.join(",\n")}\n]\n}\n`;
}

/** Whether a text is meant as such a file. */
export const isBackup = (text: string): boolean => new RegExp(`^\\s*\\{\\s*"${NAME}"`).test(text);

/** Read a file; every problem is told, not only the first. The records in it are not read here. */
export function readBackup(text: string): Backup {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    return wrong([{ line: brokenLine(text, error), message: "this is not JSON" }]);
  }
  const { [NAME]: version, games, ...rest } = (found ?? {}) as Record<string, unknown>;
  if (version !== VERSION) {
    const message = `the version of this file is ${shown(version)}; this page reads version ${VERSION}`;
    return wrong([{ line: lineOf(text, text.indexOf(`"${NAME}"`)), message }]);
  }
  const top = Object.keys(rest).map((key) => `${shown(key)} is not known here`);
  if (!Array.isArray(games)) top.push('"games" should be a list');
  if (top.length || !Array.isArray(games)) return wrong(top.map((message) => ({ line: 1, message })));
  const lines = linesOf(text);
  const problems = games.flatMap((game: unknown, n) =>
    problemsOf(game).map((message) => ({ line: lines[n] ?? 1, message: `game ${n + 1}: ${message}` })),
  );
  if (problems.length) return wrong(problems);
  return { ok: true, games: games.map((game, n) => ({ game: savedOf(game as Entry), line: lines[n] ?? 1 })) };
}

const wrong = (problems: readonly BackupProblem[]): Backup => ({ ok: false, problems });

// ── A game ─────────────────────────────────────────────────────────────────────────────────────

/** A game as it stands in a file. */
interface Entry extends Omit<SavedGame, "text" | "seat" | "origin"> {
  readonly record: string;
  readonly seat?: number;
  readonly origin?: string;
}

const savedOf = ({ record, seat, origin, ...rest }: Entry): SavedGame => ({
  ...rest,
  text: record,
  seat: seat ?? null,
  origin: origin ?? "",
});

const LONGEST = 200; // of a text that is no record
const isShort = (value: unknown): boolean => typeof value === "string" && value.length <= LONGEST;
const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** Every field of a game: whether it has to be there, what it may be, in words. */
const FIELDS: Readonly<Record<keyof Entry, readonly [boolean, (value: unknown) => boolean, string]>> = {
  at: [true, isWhole, "a time in milliseconds since 1970"],
  record: [true, (value) => typeof value === "string" && value !== "", "the text of a record"],
  seat: [false, isWhole, "the number of a seat, from 0"],
  origin: [false, isShort, `a text of at most ${LONGEST} characters`],
  cats: [false, (value) => Array.isArray(value) && value.every(isShort), "a list of texts"],
  local: [false, (value) => typeof value === "boolean", "true or false"],
};

/** Everything that is wrong with a game, but for its record. */
function problemsOf(game: unknown): readonly string[] {
  if (game === null || typeof game !== "object" || Array.isArray(game)) return ["it should be an object"];
  const unknown = Object.keys(game).filter((key) => !Object.hasOwn(FIELDS, key));
  const wrong = Object.entries(FIELDS).flatMap(([key, [needed, fits, right]]) => {
    const value = (game as Record<string, unknown>)[key];
    if (value === undefined) return needed ? [`"${key}" is missing: ${right}`] : [];
    return fits(value) ? [] : [`"${key}" should be ${right}, not ${shown(value)}`];
  });
  return [...unknown.map((key) => `${shown(key)} is not known here`), ...wrong];
}

/** A value in a message, if it is short. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "missing";
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

// ── Where ──────────────────────────────────────────────────────────────────────────────────────

const lineOf = (text: string, at: number): number => text.slice(0, Math.max(0, at)).split("\n").length;

/** The line of every game: where its record stands. Inside a record, quotes are escaped. */
function linesOf(text: string): readonly number[] {
  let [line, from] = [1, 0];
  return [...text.matchAll(/(?<!\\)"record"\s*:/g)].map(({ index }) => {
    for (let next = text.indexOf("\n", from); next >= 0 && next < index; next = text.indexOf("\n", from))
      [line, from] = [line + 1, next + 1];
    return line;
  });
}

/** The line of an error in JSON: engines say it in different ways, or not at all. */
function brokenLine(text: string, error: unknown): number {
  const said = String((error as Error).message);
  const line = /\bline (\d+)/.exec(said)?.[1];
  if (line) return Number(line);
  const place = /\bposition (\d+)/.exec(said)?.[1];
  if (place) return lineOf(text, Number(place));
  const lines = text.split("\n");
  const broken = lines.findIndex((one) => /^\s*\{./.test(one) && !isJson(one.replace(/,\s*$/, "")));
  return broken < 0 ? lines.length : broken + 1; // cut off, most likely
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
