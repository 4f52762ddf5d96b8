/** Games in this browser, against bots or for people who share it: opened here, played in the engine. */

import { engine, EngineMissing } from "../engine/client";
import type { LocalSeat, NewTable } from "../engine/table/saved";
import { SERVERLESS } from "../lib/address";
import { playPath, tablePath } from "../lib/router";
import { freshId } from "../net/token";
import { keepChoice, playBots, type GameChoice } from "./begin";
import { noteReview } from "./games";
import { freeName, me } from "./me.svelte";
import { playShared, type SharedChoice } from "./shared";

const waiting = new Map<string, NewTable>();

/** What is to be played at a table that was just opened. It is told once: a table is begun once. */
export function takeWanted(id: string): NewTable | null {
  const wanted = waiting.get(id) ?? null;
  waiting.delete(id);
  return wanted;
}

/** Note what is to be played at a table, until its page takes it. */
export const open = (id: string, wanted: NewTable): void => void waiting.set(id, wanted);

/** Open a finished game to be played on, which counts for nothing; return its id. `review`: where it came from. */
export function openAgain(wanted: NewTable, review: string): string {
  const id = localId();
  open(id, wanted);
  noteReview(id, review);
  return id;
}

/** Open a game against bots; return where it is played. Without the engine, the server has it. */
export async function beginAlone(choice: GameChoice): Promise<string> {
  keepChoice(choice);
  if (!(await hasEngine())) return tablePath(await playBots(choice));
  return opened(choice, { names: [me.name], cats: [me.cat] });
}

/** Open a game for people who share this device, and bots for the seats that are left. */
export async function beginShared(choice: SharedChoice): Promise<string> {
  if (!(await hasEngine())) return tablePath(await playShared(choice));
  return opened(choice, choice);
}

/** Whether games can be played in this page. Where no server could take over, the reason is thrown. */
async function hasEngine(): Promise<boolean> {
  try {
    await engine.ready();
    return true;
  } catch (error) {
    if (SERVERLESS && error instanceof EngineMissing) {
      throw Object.assign(error, { code: `engine.${error.lack}` });
    }
    return false;
  }
}

/** A path does not begin with every letter of a fresh id. */
const localId = (): string => `l${freshId()}`;

function opened(
  { players, level, face }: GameChoice,
  { names, cats, hints = false }: Pick<SharedChoice, "names" | "cats"> & Partial<Pick<SharedChoice, "hints">>,
): string {
  const people = names.map((name, n): LocalSeat => {
    return { kind: "person", name: freeName(name, [level]), cat: cats[n] ?? "" };
  });
  const bots = Array.from({ length: players - names.length }, (): LocalSeat => ({ kind: "bot", level }));
  const id = localId();
  open(id, { face, seats: [...people, ...bots], ...(hints ? { hints } : {}) });
  return playPath(id);
}
