/** The tables this browser has been at, the latest first: for going on, for replays, for checking. */

import { BrowserKeeper } from "../engine/table/keep";
import { gamePath, keptPath, playPath, tablePath } from "../lib/router";
import type { Links, SeatShown } from "../lib/wire";
import { linksOf } from "../net/http";
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
  /** The table's public id, as in records. */
  readonly table: string;
  /** What opens it, to play or to watch; not kept of tables whose id does. */
  readonly key?: string;
  readonly watch?: boolean;
  /** The table is in this browser, and nowhere else. */
  readonly local?: boolean;
  /** Somebody has tried to go on with it, and what is kept of it is damaged. */
  readonly damaged?: boolean;
  /** What opens its finished games, by number of the game. */
  readonly replays?: Readonly<Record<number, string>>;
  readonly players: number;
  /** Of people; bots are named when they are shown. */
  readonly names: readonly string[];
  readonly bots?: readonly number[];
  /** When the game last went on: looking at it again changes nothing. */
  readonly at: number;
  /** Where it stood then. */
  readonly point?: string;
  /** The own seat, and the seats that were to act. */
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
  /** It is a finished game, played on from a decision of its review, which is there. */
  readonly review?: string;
  /** By number of the game. */
  readonly notes: Readonly<Record<number, Noted>>;
}

const NAME = "tables";
const MOST = 40; // beside the games that go on in this browser

/** Where the people who share this browser at a table are kept, by the key of the table. */
export const sharedName = (key: string): string => `shared.${key}`;

/** What opens a table. */
const keyOf = ({ table, key = table }: Visited): string => key;

/** Where to go on at a table. */
export const visitedPath = (one: Visited): string =>
  one.local ? playPath(one.table) : tablePath(keyOf(one), one.watch);

/** Where a finished game is shown; without a key of its own, by the table's (`replayKey` finds the other). */
export const replayPath = (one: Visited, game: number): string =>
  one.local ? keptPath(`${one.table}.${game}`) : gamePath(one.replays?.[game] ?? keyOf(one), game);

export const visited = (): readonly Visited[] => keptJson<readonly Visited[]>(NAME, []);

/** The games that can be gone on with. */
export const unfinished = (): readonly Visited[] => visited().filter((one) => one.seated && goesOn(one));

const visitedTable = (table: string): Visited | null => visited().find((one) => one.table === table) ?? null;

/** How many games were played to their end. */
export const finishedGames = ({ game }: TableState): number =>
  game ? game.number - (game.winners.length ? 0 : 1) : 0;

/** How somebody came to a table, and who they are there. */
interface Visiting {
  readonly key?: string;
  readonly local?: boolean;
  readonly watch?: boolean;
  readonly shared?: boolean;
}

/** Remember a table as it is now. */
export function visit(state: TableState, visiting: Visiting = {}): void {
  const { key = state.table, watch = false, shared = false, local = false } = visiting;
  const { table, game, settings, seat, seats, turn, room } = state;
  const known = visitedTable(table);
  const finished = known?.review ? 0 : finishedGames(state);
  const point = `${game?.number ?? 0} ${turn.turn} ${room.stage}`;
  const at = known?.point === point ? known.at : state.at;
  const ends = { ...known?.ends, ...(finished && !known?.ends?.[finished] ? { [finished]: at } : {}) };
  const who = { names: seats.seats.map((one, n) => peopleName(one, game?.names[n])), bots: botsAt(state) };
  const now = {
    table,
    players: settings.players,
    ...who,
    at,
    point,
    stage: room.stage,
    seat,
    toAct: turn.to_act,
  };
  const links = { key, watch, ...(local ? { local } : {}), replays: known?.replays ?? {} };
  put({
    ...now,
    ...links,
    finished,
    ends,
    seated: shared || seat !== null,
    shared,
    ...(known?.review ? { review: known.review } : {}),
    notes: known?.notes ?? {},
  });
}

/** Note where the review is from which a table of this browser is played on. */
export const noteReview = (table: string, review: string): void =>
  put({ ...blank(table), local: true, review });

/** Where that review is; empty of any other table. */
export const reviewOf = (table: string): string => visitedTable(table)?.review ?? "";

/** Keep what opens the finished games of a table. */
export function keepReplays({ id, replays }: Links): void {
  const known = visitedTable(id);
  if (known && replays.length) put({ ...known, replays: { ...known.replays, ...byGame(replays) } });
}

const byGame = (replays: Links["replays"]): Record<number, string> =>
  Object.fromEntries(replays.map(({ game, key }) => [game, key]));

/**
 * The key of a finished game, by that of its table: the link of a replay that is passed on must not
 * open the table. Anyone who came by the replay's own key, or cannot ask now, keeps what they have.
 */
export async function replayKey(key: string, game: number): Promise<string> {
  if (!visited().some((one) => one.key === key)) return key;
  const links = await linksOf(key).catch(() => null);
  if (links) keepReplays(links);
  return links?.replays.find((one) => one.game === game)?.key ?? key;
}

const peopleName = (who: SeatShown, before = ""): string => (who.kind === "bot" ? "" : who.name || before);

const botsAt = ({ seats }: TableState): readonly number[] =>
  seats.seats.flatMap((who, seat) => (who.kind === "bot" ? [seat] : []));

// ── Notes ─────────────────────────────────────────────────────────────────────────────────────

/**
 * Note a promise and the own nonce before the nonce is sent, and give back what is to be sent.
 * What was noted first stays: the promise must not change, and anyone who gets up and sits down again
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
  const known = visitedTable(table);
  keepJson(
    NAME,
    visited().filter((one) => one.table !== table),
  );
  if (known) letGoOf(known);
}

const keeper = new BrowserKeeper();

/** A table is forgotten for good: what else was kept of it goes, too. */
function letGoOf(one: Visited): void {
  letGo(sharedName(keyOf(one)));
  if (one.local) void keeper.drop("tables", one.table);
}

/** The server knows a key no longer: what was finished there may still be on the shelf of replays. */
export function gone(key: string): void {
  const known = visited().find((one) => keyOf(one) === key);
  if (known?.finished) put({ ...known, stage: "closed" });
  else if (known) forget(known.table);
  letGo(sharedName(key));
}

/** A table of this browser cannot go on: what is kept of it is damaged. */
export function noteDamage(table: string): void {
  const known = visitedTable(table);
  if (known) put({ ...known, damaged: true });
}

/** Keep a table: in front, unless nothing has gone on there since. */
function put(one: Visited): void {
  const before = visited();
  const same = before.some((other) => other.table === one.table && other.point && other.point === one.point);
  const all = same
    ? before.map((other) => (other.table === one.table ? one : other))
    : [one, ...before.filter((other) => other.table !== one.table)];
  const dropped = new Set(all.filter((other) => !onlyHere(other)).slice(MOST));
  keepJson(
    NAME,
    all.filter((other) => !dropped.has(other)),
  );
  dropped.forEach(letGoOf);
}

/** A game that goes on in this browser and nowhere else: it stays until somebody forgets it. */
const onlyHere = (one: Visited): boolean => Boolean(one.local) && goesOn(one);

const goesOn = ({ stage }: Visited): boolean => stage !== "over" && stage !== "closed";

const blank = (table: string): Visited => ({
  ...{ table, players: 0, names: [], at: 0, stage: "lobby", finished: 0, seated: false },
  notes: {},
});
