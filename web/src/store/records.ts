/**
 * "My games": the records of finished games that this browser keeps, as texts with what a list shows of
 * them. A record is kept under a hash of its text, so a game that comes twice is there once.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { CountedRound, RecordSummary } from "../engine/records/read";
import { LEVELS } from "./names";
import { accuracyShelf, reviewShelf } from "./review_shelves";
import { BrowserShelf, type Shelf } from "./shelf";

/** What a replay of a record has counted, so that statistics need not replay it again. */
export interface Counted {
  readonly face: string;
  readonly rounds: readonly CountedRound[];
}

/** A finished game. */
export interface KeptGame {
  readonly key: string;
  /** The `.cat` record. */
  readonly text: string;
  /** When it ended, or came here. */
  readonly at: number;
  /** By seat; of bots, their level. */
  readonly names: readonly string[];
  /** Points by seat; none if the game was not played to its end. */
  readonly totals: readonly number[];
  readonly winners: readonly number[];
  /** The own seat; null if it is not known, or several people shared the device. */
  readonly seat: number | null;
  /** Where it was played: `TABLE.NUMBER`; empty for a file. */
  readonly origin: string;
  /** By seat, what the cats were drawn from: records do not say it. None of older games, and of files. */
  readonly cats?: readonly string[];
  /** This device dealt the cards itself. */
  readonly local?: boolean;
  /** None of older games, until they are counted. */
  readonly counted?: Counted;
}

/** What is known of a game that is to be kept. */
export type NewGame = Omit<KeptGame, "key">;

const DATABASE = "catinthebox.games";

/** The key of a text. */
export function keyOfText(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)).slice(0, 12));
}

export class MyGames {
  constructor(
    readonly shelf: Shelf,
    /** What follows from a game, under the same key: it goes with the game, and can be made again. */
    readonly beside: readonly Shelf[] = [],
  ) {}

  /** All games, the latest first. An entry that is none is shown with the text that it has. */
  async all(): Promise<readonly KeptGame[]> {
    const found = await this.shelf.all();
    return [...found].map(([key, value]) => gameOf(key, value)).sort((a, b) => b.at - a.at);
  }

  /** A game by its key, or by where it was played. */
  async find(name: string): Promise<KeptGame | null> {
    const found = await this.shelf.get(name);
    if (found !== undefined) return gameOf(name, found);
    return (await this.all()).find(({ origin }) => origin && origin === name) ?? null;
  }

  /** The key under which a text is kept. */
  keyOf(text: string): string {
    return keyOfText(text);
  }

  /** Keep a game; false if it was there already. What is known of it from then stays. */
  async add(game: NewGame): Promise<boolean> {
    return (await this.addAll([game])) === 1;
  }

  /** Keep several games, all or none; the answer is how many of them were not there yet. */
  async addAll(games: readonly NewGame[]): Promise<number> {
    const fresh = new Map<string, KeptGame>();
    for (const game of games) {
      const key = keyOfText(game.text);
      if (!fresh.has(key) && (await this.shelf.get(key)) === undefined) fresh.set(key, { ...game, key });
    }
    if (fresh.size) await this.shelf.putAll(fresh);
    return fresh.size;
  }

  /** Put games back that were dropped, all or none, as they were. */
  restore(games: readonly KeptGame[]): Promise<void> {
    return this.shelf.putAll(new Map(games.map((game) => [game.key, game])));
  }

  /** Note what was counted of a game, unless it is gone by now. */
  async note(key: string, counted: Counted): Promise<void> {
    const found = await this.shelf.get(key);
    if (found !== undefined) await this.shelf.put(key, { ...gameOf(key, found), counted });
  }

  async drop(key: string): Promise<void> {
    await this.shelf.drop(key);
    await Promise.allSettled(this.beside.map((shelf) => shelf.drop(key)));
  }

  /** Drop all games. The answer is what there was: another tab may have brought some that nobody has seen here. */
  async clear(): Promise<readonly KeptGame[]> {
    const all = await this.all();
    await this.shelf.clear();
    await Promise.allSettled(this.beside.map((shelf) => shelf.clear()));
    return all;
  }
}

/** The games of this browser. */
export const myGames = new MyGames(new BrowserShelf(DATABASE), [reviewShelf, accuracyShelf]);

/** Read an entry; whatever is wrong with it, its text can be saved. */
function gameOf(key: string, value: unknown): KeptGame {
  const known = (value && typeof value === "object" ? value : {}) as Partial<Record<keyof KeptGame, unknown>>;
  return {
    key,
    text: typeof known.text === "string" ? known.text : (JSON.stringify(value) ?? ""),
    at: Number.isFinite(known.at) ? (known.at as number) : 0,
    names: listOf(known.names, "string") as readonly string[],
    totals: listOf(known.totals, "number") as readonly number[],
    winners: listOf(known.winners, "number") as readonly number[],
    seat: typeof known.seat === "number" ? known.seat : null,
    origin: typeof known.origin === "string" ? known.origin : "",
    ...(known.cats === undefined ? {} : { cats: listOf(known.cats, "string") as readonly string[] }),
    ...(known.local === true ? { local: true } : {}),
    ...(isCounted(known.counted) ? { counted: known.counted } : {}),
  };
}

const listOf = (value: unknown, kind: "number" | "string"): readonly unknown[] =>
  Array.isArray(value) && value.every((one) => typeof one === kind) ? value : [];

/** Whether an entry has counts that can be read: others are counted again. */
function isCounted(value: unknown): value is Counted {
  const { face, rounds } = (value ?? {}) as Partial<Record<keyof Counted, unknown>>;
  return typeof face === "string" && Array.isArray(rounds) && rounds.every(isRound);
}

function isRound(value: unknown): boolean {
  const { points, kept, paradox } = (value ?? {}) as Partial<Record<keyof CountedRound, unknown>>;
  const isBid = (one: unknown): boolean => one === null || typeof one === "boolean";
  if (!Array.isArray(points) || !points.length || !points.every(Number.isFinite)) return false;
  if (!Array.isArray(kept) || kept.length !== points.length || !kept.every(isBid)) return false;
  return paradox === null || (Number.isInteger(paradox) && points[paradox as number] !== undefined);
}

/** What is kept of a reading, beside the text. */
export const countedOf = ({ face, rounds }: Pick<RecordSummary, "face" | "rounds">): { counted?: Counted } =>
  rounds ? { counted: { face, rounds } } : {};

/** The place of the own seat; null if it is not known. A victory may be shared. */
export function placeOf({ seat, totals, winners }: KeptGame): number | null {
  if (seat === null || !winners.length) return null;
  if (winners.includes(seat)) return 1;
  return Math.max(2, 1 + totals.filter((points) => points > (totals[seat] ?? 0)).length);
}

/** What the cats of a game are drawn from; of an older one, the own cat as it is now. */
export function catsOf({ cats, seat, origin, names }: KeptGame, own: string): readonly string[] {
  if (cats?.length) return cats;
  return names.map((_, n) => (origin && n === seat ? own : ""));
}

/** The seat of the one person among bots; null if there are several, or none. */
export function onlyPerson(names: readonly string[]): number | null {
  const people = names.flatMap((name, seat) => (LEVELS.includes(name) ? [] : [seat]));
  return people.length === 1 ? people[0]! : null;
}
