/** How finished games come to "My games": from a server when their end is seen, and from local tables. */

import type { FinishedGame } from "../engine/table/saved";
import { recordText } from "../net/http";
import { m } from "../paraglide/messages.js";
import { myGames, onlyPerson, type MyGames, type NewGame } from "./records";
import { ShelfError, type ShelfTrouble } from "./shelf";
import { refusalWords } from "./refusals";
import type { TableState } from "./state";

/** Keep a game of a server whose end is shown; the answer is why it could not be kept. */
export async function keepFinished(
  { game, table, seat, seats, at }: TableState,
  key: string,
  games: MyGames = myGames,
  textOf = recordText,
): Promise<ShelfTrouble | null> {
  if (!game?.winners.length) return null;
  const origin = `${table}.${game.number}`;
  const { names, totals, winners } = game;
  try {
    if (await games.find(origin)) return null;
    const text = await textOf(key, game.number);
    const cats = seats.seats.map((who) => who.cat);
    await games.add({ text, at, names, totals, winners, seat, origin, cats });
  } catch (error) {
    if (error instanceof ShelfError) return error.trouble;
    // The record did not arrive: it comes when the end is seen again.
  }
  return null;
}

/** Why a game cannot be kept, in words. */
export const keepWords = (trouble: ShelfTrouble): string =>
  trouble === "full" ? m.games_full() : m.games_forbidden();

/** What has gone wrong with kept games, in words. */
export const troubleWords = (error: unknown): string =>
  error instanceof ShelfError ? keepWords(error.trouble) : refusalWords(error);

/** A finished game as a local table leaves it, under the key `ID.NUMBER`. */
export interface LeftGame extends FinishedGame {
  readonly at: number;
  readonly cats?: readonly string[];
}

/** Where local tables leave their games. */
export interface Left {
  all(shelf: "finished"): Promise<ReadonlyMap<string, unknown>>;
  drop(shelf: "finished", key: string): Promise<void>;
}

/** Writes the record of a game: its text and its result; null if the game cannot have happened. */
export type Recorded = (
  game: FinishedGame,
) => Promise<Pick<NewGame, "text" | "totals" | "winners" | "counted"> | null>;

/**
 * Fetch the games that local tables have left; one that cannot be written comes as it is, to be saved.
 * One that fails stays where it is, the others come, and then its error is thrown.
 */
export async function collect(left: Left, recorded: Recorded, games: MyGames = myGames): Promise<void> {
  const errors: unknown[] = [];
  for (const [key, one] of await left.all("finished"))
    await collectOne(key, one, left, recorded, games).catch((error: unknown) => errors.push(error));
  if (errors.length) throw errors[0];
}

async function collectOne(
  key: string,
  one: unknown,
  left: Left,
  recorded: Recorded,
  games: MyGames,
): Promise<void> {
  const made = (await recorded(one as FinishedGame)) ?? { text: textOf(one), totals: [], winners: [] };
  await games.add({ ...made, ...knownOf(one), origin: key, local: true });
  await left.drop("finished", key);
}

/** What a list shows of a game, whatever is left of it. */
function knownOf(one: unknown): Pick<NewGame, "at" | "names" | "seat" | "cats"> {
  const { at, names, cats } = (one ?? {}) as Partial<LeftGame>;
  const known = Array.isArray(names) ? (names as readonly string[]) : [];
  return {
    at: Number.isFinite(at) ? at! : 0,
    names: known,
    seat: onlyPerson(known),
    ...(Array.isArray(cats) ? { cats } : {}),
  };
}

/** A damaged game as a text, to be saved. */
const textOf = (one: unknown): string => JSON.stringify(one, null, 1) ?? String(one);
