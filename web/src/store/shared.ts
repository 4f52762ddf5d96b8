/** Several people at one device: each has a seat and a secret of their own, kept in this browser. */

import { openTable } from "../net/http";
import { freshNonce, freshToken } from "../net/token";
import type { Asked } from "../lib/wire";
import { note } from "./games";
import { keepJson, keptJson } from "./keep";
import { myToken } from "./me.svelte";
import type { FaceName, Players } from "./begin";

export interface Sharer {
  readonly seat: number;
  readonly name: string;
  readonly token: string;
  /** What is to be done when their line is up; empty once they sit. */
  readonly nonce: string;
}

export interface SharedWish {
  readonly players: Players;
  readonly face: FaceName;
  readonly names: readonly string[];
  readonly level: string;
}

const key = (table: string): string => `shared.${table}`;
const HOUR = 3_600_000;

/** Who shares this device at a table; null if nobody does. */
export const sharing = (table: string): readonly Sharer[] | null => keptJson<readonly Sharer[] | null>(key(table), null);

/** Open a table for people who share this device, and bots for the seats that are left. */
export async function playShared(wish: SharedWish): Promise<string> {
  const bots = Array.from({ length: wish.players - wish.names.length }, (_, n) => ({
    level: wish.level,
    seat: wish.names.length + n,
  }));
  const settings = { players: wish.players, face: wish.face, look_ms: HOUR, grace_ms: HOUR, chat: "off" as const };
  const { table, commitment } = await openTable(myToken(), { settings, bots });
  const people = wish.names.map((name, seat) => ({
    seat,
    name,
    token: seat === 0 ? myToken() : freshToken(),
    nonce: freshNonce(),
  }));
  note(table, 1, { commitment, nonce: people[0]!.nonce });
  keepJson(key(table), people);
  return table;
}

/** How somebody sits down. */
export const sitting = ({ name, seat, nonce }: Sharer): Asked => ({ type: "Sit", name, seat, nonce });

/** Whose turn it is to look, out of those who share the device: the one who looks now, if they may act. */
export function next(toAct: readonly number[], seats: readonly number[], now: number | null): number | null {
  const due = toAct.filter((seat) => seats.includes(seat));
  if (!due.length) return now;
  return now !== null && due.includes(now) ? now : due[0]!;
}
