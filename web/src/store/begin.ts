/** Opening tables. What is to be done there first waits here until the connection is open. */

import { facesFor, type FaceName, type Players } from "../lib/counts";
import type { ClientCommand, Sit as SitCommand, WantedSettings } from "../lib/wire";
import { openTable } from "../net/http";
import { freshNonce } from "../net/token";
import { note } from "./games";
import { keepJson, keptJson } from "./keep";
import { freeName, me, myToken } from "./me.svelte";
import type { TableState } from "./state";

export { facesFor, type FaceName, type Players };

export interface GameChoice {
  readonly players: Players;
  readonly level: string;
  readonly face: FaceName;
}

const MINUTE = 60_000;
/** Nobody waits for somebody who plays alone. */
const ALONE = { look_ms: 60 * MINUTE, grace_ms: 60 * MINUTE } as const;

/** The face somebody wants, or the usual one where that is not printed. */
export const fitting = (wanted: FaceName, players: Players): FaceName =>
  facesFor(players).includes(wanted) ? wanted : facesFor(players)[0]!;

/** The last choice, or by default a gentle level. The storage key keeps its old name. */
export function lastChoice(): GameChoice {
  return keptJson<GameChoice>("wish", { players: 3, level: "gentle", face: "white" });
}

/** Remember a choice for the next time. */
export const keepChoice = (choice: GameChoice): void => keepJson("wish", choice);

const waiting = new Map<string, readonly ClientCommand[]>();

/** Take what is to be done first at a table, by its key; it is given once. */
export function firstCommands(key: string): readonly ClientCommand[] {
  const commands = waiting.get(key) ?? [];
  waiting.delete(key);
  return commands;
}

/**
 * Open a table against bots. The promise behind its deals is noted before the own nonce is sent:
 * so the table is opened first, and the seat taken with the next breath (docs/fairness.md).
 */
export async function playBots(choice: GameChoice): Promise<string> {
  keepChoice(choice);
  const bots = Array.from({ length: choice.players - 1 }, (_, n) => ({ level: choice.level, seat: n + 1 }));
  const settings: WantedSettings = {
    players: choice.players,
    face: choice.face,
    cover: choice.level,
    ...ALONE,
  };
  const { table: key, commitment, links } = await openTable(myToken(), { settings, bots });
  const name = freeName(me.name, [choice.level]); // to a table, bots are called by their level
  waiting.set(key, [sit(links.id, commitment, name, 0), { type: "Start" }]);
  return key;
}

/** Open a table for people; anyone who opens it takes the first seat. It gives the key to play. */
export async function openForPeople(settings: WantedSettings): Promise<string> {
  const { table: key, commitment, links } = await openTable(myToken(), { settings });
  waiting.set(key, [sit(links.id, commitment, me.name, 0)]);
  return key;
}

/** Sit down, after a note of what was promised before. */
export function sit(table: string, commitment: string, name: string, seat: number, game = 1): SitCommand {
  return { type: "Sit", name, seat, nonce: part(table, commitment, game), cat: me.cat };
}

/**
 * How somebody at a table gets another name or cat there: by getting up and sitting down again. Among others,
 * a host would hand the table over by that, so then both stay: nothing is to be done.
 */
export function renaming(state: TableState, name: string): readonly ClientCommand[] {
  const { seat, seats, table, room } = state;
  if (seat === null || room.stage !== "lobby" || hostAmongOthers(state)) return [];
  const others = seats.seats.flatMap((who, n) => (n === seat ? [] : [who.name]));
  const free = freeName(name, others);
  const now = seats.seats[seat];
  if (free === now?.name && me.cat === now.cat) return [];
  return [{ type: "Leave" }, sit(table, room.commitment, free, seat)];
}

/** A host whom other people would take the table over from. */
export const hostAmongOthers = ({ seat, seats }: TableState): boolean =>
  seat !== null && seat === seats.host && seats.seats.some((who, n) => n !== seat && who.kind === "person");

/** Ask for another game with the same people; its promise was shown with the end of the last one. */
export function rematch({ table, room, game }: TableState): ClientCommand {
  return { type: "Rematch", nonce: part(table, room.commitment, (game?.number ?? 0) + 1) };
}

/** This browser's part of the chance in a game: one nonce, however often somebody sits down. */
const part = (table: string, commitment: string, game: number): string =>
  note(table, game, { commitment, nonce: freshNonce() }).nonce;
