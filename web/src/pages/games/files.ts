/** Records as files: their names, saving them, and finding several in one. */

import { backupText, type SavedGame } from "./backup";

const BEGINNING = /^catinthebox[ \t]/gm;

/** The name of a file with one game: who played, as far as a file system likes it. */
export function fileName(names: readonly string[]): string {
  const words = names.map((name) => name.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, ""));
  return `${["catinthebox", ...words.filter(Boolean)].join("-").slice(0, 80)}.cat`;
}

/** A record in a file, and the line of the file where it begins. */
export interface Found {
  readonly text: string;
  readonly line: number;
}

/** The records of a file: they stand one after another, each from its first line on. */
export function recordsIn(text: string): readonly Found[] {
  const starts = [...text.matchAll(BEGINNING)].map(({ index }) => index);
  if (starts.length < 2) return [{ text, line: 1 }];
  const ends = [...starts.slice(1), text.length];
  return starts.map((start, n) => {
    const from = n === 0 ? 0 : start; // comments may stand before the first
    const record = text.slice(from, ends[n]);
    return { text: record.replace(/\n+$/, "\n"), line: text.slice(0, from).split("\n").length };
  });
}

/** Whether a text is meant as a record: one in text form says so in a line, one in JSON begins as an object. */
export const isMeant = (text: string): boolean =>
  text.search(BEGINNING) >= 0 || text.trimStart().startsWith("{");

/** Save all games as one file, named after the day. */
export function saveAll(games: readonly SavedGame[], now = new Date()): void {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((n) => `${n}`.padStart(2, "0"));
  saveFile(`catinthebox-games-${day.join("-")}.json`, backupText(games), "application/json");
}

/** Let the browser save a text. */
export function saveFile(name: string, text: string, type = "text/plain"): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // the browser reads it after the click
}
