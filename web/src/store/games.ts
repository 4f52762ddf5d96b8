/** The tables this browser has been at, the latest first: for going on, for replays, for checking. */

import { keepJson, keptJson } from "./keep";

/** What was seen of a game before its first card: for checking the deals afterwards. */
export interface Noted {
  /** The promise, as it was shown before the nonce was sent. */
  readonly commitment: string;
  /** The own part of the chance; empty for somebody who only watched. */
  readonly nonce: string;
}

export interface Visited {
  readonly table: string;
  readonly players: number;
  readonly names: readonly string[];
  readonly at: number;
  readonly stage: "lobby" | "play" | "between" | "over" | "closed";
  /** Games that were begun at the table. */
  readonly games: number;
  readonly seated: boolean;
  /** Several people share this browser at the table. */
  readonly shared?: boolean;
  /** By number of the game. */
  readonly notes: Readonly<Record<number, Noted>>;
}

const NAME = "tables";
const MOST = 40;

export const visited = (): readonly Visited[] => keptJson<readonly Visited[]>(NAME, []);

export const visitedTable = (table: string): Visited | null =>
  visited().find((one) => one.table === table) ?? null;

/** Remember a table as it is now. */
export function visit(now: Omit<Visited, "notes">): void {
  const notes = visitedTable(now.table)?.notes ?? {};
  put({ ...now, notes });
}

/** Note a promise and the own nonce, once, before the nonce is sent. */
export function note(table: string, game: number, noted: Noted): void {
  const known = visitedTable(table) ?? blank(table);
  if (known.notes[game]?.nonce) return;
  put({ ...known, notes: { ...known.notes, [game]: noted } });
}

export const noted = (table: string, game: number): Noted | null =>
  visitedTable(table)?.notes[game] ?? null;

/** Forget a table. */
export const forget = (table: string): void =>
  keepJson(NAME, visited().filter((one) => one.table !== table));

function put(one: Visited): void {
  const others = visited().filter((other) => other.table !== one.table);
  keepJson(NAME, [one, ...others].slice(0, MOST));
}

const blank = (table: string): Visited => ({
  ...{ table, players: 0, names: [], at: 0, stage: "lobby", games: 0, seated: false },
  notes: {},
});
