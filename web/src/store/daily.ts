/** Daily deals in this browser: beginning one, and what is kept of one's own days. */

import { engine } from "../engine/client";
import type { DailySeats } from "../engine/daily/derive";
import { BrowserKeeper, type Keeper } from "../engine/table/keep";
import type { LocalSeat } from "../engine/table/saved";
import { PAR_LEVEL, type DailyTry, type Par } from "../lib/daily";
import { dailyId } from "../lib/days";
import { playPath } from "../lib/router";
import { visited } from "./games";
import { open } from "./local";
import { freeName, me } from "./me.svelte";

/** One's own days. */
export interface Days {
  /** By day, the first try first. */
  readonly tries: ReadonlyMap<string, readonly DailyTry[]>;
  readonly pars: ReadonlyMap<string, Par>;
}

export const NO_DAYS: Days = { tries: new Map(), pars: new Map() };

const keeper = new BrowserKeeper();
const parKey = (date: string): string => `par ${date}`;

/** Everything that this browser keeps of daily deals. */
export async function myDays(from: Pick<Keeper, "all"> = keeper): Promise<Days> {
  const tries = new Map<string, DailyTry[]>();
  const pars = new Map<string, Par>();
  for (const [key, value] of await from.all("daily")) {
    const { date } = value as DailyTry | Par;
    if (key === parKey(date)) pars.set(date, value as Par);
    else tries.set(date, [...(tries.get(date) ?? []), value as DailyTry]);
  }
  for (const some of tries.values()) some.sort((a, b) => a.attempt - b.attempt);
  return { tries, pars };
}

/** The game of a day that can be gone on with; undefined if there is none. */
export const openTry = (tries: readonly DailyTry[]): DailyTry | undefined =>
  tries.findLast(({ id, isOver }) => !isOver && visited().some((one) => one.table === id));

/** The game that stands for a day: the first that was played to its end. */
export const shownTry = (tries: readonly DailyTry[]): DailyTry | undefined =>
  tries.find(({ isOver }) => isOver);

/** Who sits where on a day. */
export const seatsOf = (date: string): Promise<DailySeats> => engine.ask("dailySeats", { date });

/** Begin the deal of a day, the first try or another; return where it is played. */
export async function beginDaily(
  date: string,
  tries: readonly DailyTry[],
  now = Date.now(),
): Promise<string> {
  const { levels } = await seatsOf(date);
  const name = freeName(
    me.name,
    levels.filter((level) => level !== null),
  ); // to a table, bots are called by their level
  const seats = levels.map((level): LocalSeat =>
    level === null ? { kind: "person", name, cat: me.cat } : { kind: "bot", level },
  );
  const attempt = Math.max(0, ...tries.map((one) => one.attempt)) + 1;
  const id = dailyId(date, attempt);
  open(id, { face: "white", seats, daily: { date, attempt, began: now } });
  return playPath(id);
}

/** Whether par is known as well as it can be. */
export const isFinal = (par: Par | undefined): boolean => par?.by === PAR_LEVEL;

/** Work out par, and keep it. */
export async function findPar(date: string, signal: AbortSignal): Promise<Par> {
  const par = await engine.ask("dailyPar", { date }, { signal });
  await keeper.put([{ shelf: "daily", key: parKey(date), value: par }]);
  return par;
}
