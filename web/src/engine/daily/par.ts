/** Par of a day: what the strongest player scores in the person's seat, against the same bots with the same chance. */

import { PAR_LEVEL, type Par } from "../../lib/daily";
import { PLAYERS } from "../../lib/days";
import type { Engine } from "../module";
import { notationOf } from "../notation";
import { findNetwork, type FindNetwork } from "../networks";
import { Bots } from "../table/bots";
import { sightOf } from "../table/sight";
import { LocalTable, opened } from "../table/table";
import { dailySeats } from "./derive";

/** Without its network: the strongest that decides alike on every machine. */
const STAND_IN = "sharp";

/** One for each module: its room for thoughts is used again. */
const searching = new WeakMap<Engine, Bots>();

/** Play the game of a day; a signal ends it between two decisions. */
export async function parOfDay(
  engine: Engine,
  date: string,
  signal: AbortSignal,
  find: FindNetwork = findNetwork,
): Promise<Par> {
  const by = (await find(PLAYERS)) ? PAR_LEVEL : STAND_IN;
  signal.throwIfAborted();
  const bots = searching.get(engine) ?? new Bots(engine, undefined, find);
  searching.set(engine, bots);
  const { seat, levels } = dailySeats(date);
  const seats = levels.map((level) => ({ kind: "bot", level: level ?? by }) as const);
  const daily = { date, attempt: 1, began: 0 };
  const table = new LocalTable(engine, opened("par", { face: "white", seats, daily }, 0), () => 0);
  const rounds: number[] = [];
  for (table.do({ type: "Start" }, 0); rounds.length < PLAYERS;) {
    if (table.stage !== "play") table.do({ type: "Ready" }, 0);
    rounds.push(await pointsOf(table, bots, seat, signal));
  }
  return { date, rounds, by };
}

/** Play a round to its end; the points of a seat. */
async function pointsOf(table: LocalTable, bots: Bots, seat: number, signal: AbortSignal): Promise<number> {
  for (let due = table.botsDue[0]; due; due = table.botsDue[0]) {
    const action = await bots.choose(sightOf(table, due.seat), due.level, signal);
    table.do({ type: "Act", action: notationOf(action) }, due.seat);
  }
  return table.round!.scores![seat]!;
}
