/**
 * Games again, move by move. The client knows no rules, so the server plays a record and shows every
 * position. What was fetched once is kept in this browser, and readable without a network.
 */

import type { Replayed as ReplayMessage } from "../lib/wire";
import { ask, Refusal } from "./http";

/** The JSON twin of a record (docs/records.md), as far as it is read here. */
export interface GameRecord {
  readonly players: number;
  readonly names: readonly string[];
  readonly face: string;
  readonly starter: number;
  readonly table?: string;
  readonly commitment?: string;
  readonly nonces?: readonly string[];
  readonly secret?: string;
  readonly rounds: readonly { readonly deal: readonly string[]; readonly aside?: string }[];
}

/** A whole game, as the server tells it. */
export interface Replayed extends ReplayMessage {
  readonly record: GameRecord & ReplayMessage["record"];
}

const SHELF = "catinthebox-replays";
const path = (key: string, game: number): string =>
  `/api/v1/tables/${encodeURIComponent(key)}/games/${game}/replay.json`;

/** A finished game by its key; the kept one, if the server cannot be reached. */
export async function replayGame(key: string, game: number): Promise<Replayed> {
  const where = path(key, game);
  try {
    const found = (await ask(where)) as Replayed;
    void shelve(where, found);
    return found;
  } catch (error) {
    const kept = error instanceof Refusal && error.code === "net.offline" ? await taken(where) : null;
    if (kept) return kept;
    throw error;
  }
}

/** A record out of a file. */
export const replayText = async (record: string): Promise<Replayed> =>
  (await ask("/replay", { body: { record } })) as Replayed;

async function shelve(where: string, found: Replayed): Promise<void> {
  if (!("caches" in globalThis)) return; // not on plain http
  const shelf = await caches.open(SHELF);
  await shelf.put(where, new Response(JSON.stringify(found), { headers: { "Content-Type": "application/json" } }));
}

async function taken(where: string): Promise<Replayed | null> {
  if (!("caches" in globalThis)) return null;
  const found = await (await caches.open(SHELF)).match(where);
  return found ? ((await found.json()) as Replayed) : null;
}
