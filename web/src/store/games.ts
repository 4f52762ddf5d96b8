/** The tables this browser has been at, the latest first: for going on, for replays, for checking. */

import type { SeatShown } from "../lib/wire";
import { keepJson, keptJson, letGo } from "./keep";
import type { TableState } from "./state";

/** What was seen of a game before its first card: for checking the deals afterwards. */
interface Noted {
  /** The promise, as it was shown first: before any nonce was sent. */
  readonly commitment: string;
  /** The own part of the chance. */
  readonly nonce: string;
  /** The table has taken it; a record without it is not the record of that game. */
  readonly taken?: boolean;
}

export interface Visited {
  readonly table: string;
  readonly players: number;
  /** Of people; bots are named when they are shown. */
  readonly names: readonly string[];
  readonly bots?: readonly number[];
  /** When the game last went on: looking at it again changes nothing. */
  readonly at: number;
  /** Where it stood then. */
  readonly point?: string;
  /** The own seat, and whoever was to act. */
  readonly seat?: number | null;
  readonly toAct?: readonly number[];
  readonly stage: "lobby" | "play" | "between" | "over" | "closed";
  /** Games that were played to their end. */
  readonly finished: number;
  /** When they ended, by number of the game. */
  readonly ends?: Readonly<Record<number, number>>;
  readonly seated: boolean;
  /** Several people share this browser at the table. */
  readonly shared?: boolean;
  /** By number of the game. */
  readonly notes: Readonly<Record<number, Noted>>;
}

const NAME = "tables";
const MOST = 40;

/** Where the people who share this browser at a table are kept. */
export const sharedName = (table: string): string => `shared.${table}`;

export const visited = (): readonly Visited[] => keptJson<readonly Visited[]>(NAME, []);

const visitedTable = (table: string): Visited | null => visited().find((one) => one.table === table) ?? null;

/** Remember a table as it is now. */
export function visit(state: TableState, { shared = false } = {}): void {
  const { table, game, settings, seat, seats, turn, room } = state;
  const known = visitedTable(table);
  const finished = game ? game.number - (game.winners.length ? 0 : 1) : 0;
  const point = `${game?.number ?? 0} ${turn.turn} ${room.stage}`;
  const at = known?.point === point ? known.at : state.at;
  const ends = { ...known?.ends, ...(finished && !known?.ends?.[finished] ? { [finished]: at } : {}) };
  const who = { names: seats.seats.map((one, n) => peopleName(one, game?.names[n])), bots: botsAt(state) };
  const now = { table, players: settings.players, ...who, at, point, stage: room.stage, seat, toAct: turn.to_act };
  put({ ...now, finished, ends, seated: shared || seat !== null, shared, notes: known?.notes ?? {} });
}

const peopleName = (who: SeatShown, before = ""): string => (who.kind === "bot" ? "" : who.name || before);

const botsAt = ({ seats }: TableState): readonly number[] =>
  seats.seats.flatMap((who, seat) => (who.kind === "bot" ? [seat] : []));

// ── Notes ─────────────────────────────────────────────────────────────────────────────────────

/**
 * Note a promise and the own nonce before the nonce is sent, and give back what is to be sent.
 * What was noted first stays: the promise must not change, and whoever gets up and sits down again
 * brings the same nonce, since the secret was fixed before it was sent for the first time.
 */
export function note(table: string, game: number, fresh: Noted): Noted {
  const known = visitedTable(table) ?? blank(table);
  const noted = known.notes[game] ?? fresh;
  put({ ...known, notes: { ...known.notes, [game]: noted } });
  return noted;
}

/** The table has taken a nonce: it is the one of the next game there. */
export function noteTaken(table: string, nonce: string): void {
  const known = visitedTable(table);
  const game = Math.max(...Object.keys(known?.notes ?? {}).map(Number));
  const noted = known?.notes[game];
  if (known && noted) put({ ...known, notes: { ...known.notes, [game]: { ...noted, nonce, taken: true } } });
}

/** What was noted of a game; of a file that does not say which game it is, the promise tells. */
export function noted(table: string, game: number | null, commitment = ""): Noted | null {
  const notes = visitedTable(table)?.notes ?? {};
  if (game !== null) return notes[game] ?? null;
  return Object.values(notes).find((one) => one.commitment === commitment) ?? null;
}

// ── Forgetting ────────────────────────────────────────────────────────────────────────────────

/** Forget a table, and the keys to its seats. */
export function forget(table: string): void {
  keepJson(NAME, visited().filter((one) => one.table !== table));
  letGo(sharedName(table));
}

/** The server knows a table no longer: what was finished there may still be on the shelf of replays. */
export function gone(table: string): void {
  const known = visitedTable(table);
  if (known?.finished) put({ ...known, stage: "closed" });
  else forget(table);
  letGo(sharedName(table));
}

/** Keep a table: in front, unless nothing has gone on there since. */
function put(one: Visited): void {
  const before = visited();
  const same = before.some((other) => other.table === one.table && other.point && other.point === one.point);
  const all = same
    ? before.map((other) => (other.table === one.table ? one : other))
    : [one, ...before.filter((other) => other.table !== one.table)];
  keepJson(NAME, all.slice(0, MOST));
  for (const { table } of all.slice(MOST)) letGo(sharedName(table));
}

const blank = (table: string): Visited => ({
  ...{ table, players: 0, names: [], at: 0, stage: "lobby", finished: 0, seated: false },
  notes: {},
});
