/** Several people at one device: each has a seat and a secret of their own, kept in this browser. */

import { openTable } from "../net/http";
import { freshToken } from "../net/token";
import type { ClientCommand, Room } from "../lib/wire";
import type { Scene } from "../lib/scene";
import { sit, type GameChoice } from "./begin";
import { sharedName } from "./games";
import { keepJson, keptJson } from "./keep";
import { freeName, myToken } from "./me.svelte";

export interface Sharer {
  readonly seat: number;
  readonly name: string;
  readonly token: string;
  /** Not kept of tables of the past. */
  readonly cat?: string;
}

export interface SharedChoice extends GameChoice {
  readonly names: readonly string[];
  /** What their cats are drawn from. */
  readonly cats: readonly string[];
  /** All of them agree that each may ask for hints. */
  readonly hints: boolean;
}

const HOUR = 3_600_000;

/** Who shares this device at a table, by its key; null if nobody does. */
export const sharing = (key: string): readonly Sharer[] | null =>
  keptJson<readonly Sharer[] | null>(sharedName(key), null);

/** Open a table for people who share this device, and bots for the seats that are left. */
export async function playShared(choice: SharedChoice): Promise<string> {
  const bots = Array.from({ length: choice.players - choice.names.length }, (_, n) => ({
    level: choice.level,
    seat: choice.names.length + n,
  }));
  const { players, face, level: cover } = choice;
  const settings = { players, face, cover, look_ms: HOUR, grace_ms: HOUR, chat: "off" as const };
  const { table: key } = await openTable(myToken(), { settings, bots });
  const people = choice.names.map((name, seat) => ({
    seat,
    name: freeName(name, [choice.level]), // to a table, bots are called by their level
    token: seat === 0 ? myToken() : freshToken(),
    cat: choice.cats[seat] ?? "",
  }));
  keepJson(sharedName(key), people);
  return key;
}

/** How somebody sits down; people who share a device share its part of the chance. */
export const sitting = (
  { name, seat, cat = "" }: Sharer,
  table: string,
  { commitment }: Room,
): ClientCommand => ({
  ...sit(table, commitment, name, seat),
  cat,
});

/** Who agrees by themselves when one of them wants to take back: they sit together, and have talked. */
export function agreeing({ undo }: Room, seats: readonly number[]): readonly number[] {
  if (!undo || !seats.includes(undo.seat)) return [];
  return seats.filter((seat) => seat !== undo.seat && !undo.agreed.includes(seat));
}

/** The table as people look at it together: nobody's cards are open (R33). */
export const together = (scene: Scene): Scene => ({ ...scene, hand: [], discard: null });
