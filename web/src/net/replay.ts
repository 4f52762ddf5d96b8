/**
 * Games again, move by move. The rules in this page play a record and show every position; where they
 * cannot run, the server does. What was fetched once is kept in this browser, and readable without a network.
 */

import { engine, EngineMissing } from "../engine/client";
import { asText } from "../engine/records/from_json";
import type { Problem } from "../engine/records/lines";
import type { Reading, RecordSummary } from "../engine/records/read";
import type { Replayed as ReplayMessage } from "../lib/wire";
import { ask, recordText, Refusal } from "./http";

/** The JSON twin of a record (docs/records.md), as far as it is read here. */
export interface GameRecord {
  readonly players: number;
  readonly names: readonly string[];
  readonly edition?: string;
  readonly face: string;
  readonly starter: number;
  readonly table?: string;
  readonly commitment?: string;
  readonly nonces?: readonly string[];
  readonly secret?: string;
  readonly rounds: readonly { readonly deal: readonly string[]; readonly aside?: string }[];
  readonly result?: { readonly totals: readonly number[]; readonly winners: readonly number[] };
}

/** A whole game: its record, and every position of it. */
export interface Replayed extends ReplayMessage {
  readonly record: GameRecord & ReplayMessage["record"];
}

/** A text that is no record, or a wrong one: where, and what would be right. */
export class BadRecord extends Refusal {
  constructor(readonly problem: Problem) {
    super(problem.code, problem.message);
  }
}

// ── From a text ────────────────────────────────────────────────────────────────────────────────

/** Play a record again, in either of its forms. */
export async function replayText(record: string): Promise<Replayed> {
  return (await here(record, (text) => engine.ask("replayRecord", { text }))) ?? (await there(record));
}

/** Read a record for a list: who played, how it ended. */
export async function readText(record: string): Promise<RecordSummary> {
  const found = await here(record, (text) => engine.ask("readRecord", { text }));
  if (found) return found;
  const { names, nonces = [], face, result } = (await there(record)).record;
  const { totals = [], winners = [] } = result ?? {};
  return { names, nonces, face, totals, winners, over: result !== undefined, rounds: null, text: record };
}

/** Ask the rules in this page; null if they cannot run here. */
async function here<T>(record: string, asked: (text: string) => Promise<Reading<T>>): Promise<T | null> {
  try {
    const read = await asked(textOf(record));
    if (!read.ok) throw new BadRecord(read.problem);
    return read.found;
  } catch (error) {
    if (error instanceof EngineMissing) return null;
    throw error;
  }
}

function textOf(record: string): string {
  try {
    return asText(record);
  } catch {
    throw new BadRecord({ line: 1, column: 1, code: "record.syntax", clause: "", message: "not JSON" });
  }
}

const there = async (record: string): Promise<Replayed> =>
  (await ask("/replay", { body: { record } })) as Replayed;

// ── From a server ──────────────────────────────────────────────────────────────────────────────

const SHELF = "catinthebox-replays";
const pathOf = (key: string, game: number): string =>
  `/api/v1/tables/${encodeURIComponent(key)}/games/${game}/`;

/** A finished game by its key; the kept one, if the server cannot be reached. */
export async function replayGame(key: string, game: number): Promise<Replayed> {
  const able = await engine.ready().then(
    () => true,
    () => false,
  );
  if (able) return replayText(await recordOf(key, game));
  return JSON.parse(await shelved(`${pathOf(key, game)}replay.json`, () => told(key, game))) as Replayed;
}

/** The record of a finished game by its key; the kept one, if the server cannot be reached. */
export const recordOf = (key: string, game: number): Promise<string> =>
  shelved(`${pathOf(key, game)}record.cat`, () => recordText(key, game));

/** A game as the server plays it again. */
const told = async (key: string, game: number): Promise<string> =>
  JSON.stringify(await ask(`${pathOf(key, game)}replay.json`));

/** Fetch something and keep it; the kept one, if the server cannot be reached. */
async function shelved(where: string, fetched: () => Promise<string>): Promise<string> {
  try {
    const found = await fetched();
    void keep(where, found);
    return found;
  } catch (error) {
    const kept = error instanceof Refusal && error.code === "net.offline" ? await taken(where) : null;
    if (kept !== null) return kept;
    throw error;
  }
}

async function keep(where: string, found: string): Promise<void> {
  if (!("caches" in globalThis)) return; // not on plain http
  await (await caches.open(SHELF)).put(where, new Response(found));
}

async function taken(where: string): Promise<string | null> {
  if (!("caches" in globalThis)) return null;
  const found = await (await caches.open(SHELF)).match(where);
  return found ? found.text() : null;
}
