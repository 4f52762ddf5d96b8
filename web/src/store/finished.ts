/** How finished games come to "My games": from a server when their end is seen, and from local tables. */

import type { FinishedGame } from "../engine/table/saved";
import { recordText } from "../net/http";
import { m } from "../paraglide/messages.js";
import { myGames, onlyPerson, type MyGames, type NewGame } from "./records";
import { ShelfError, type ShelfTrouble } from "./shelf";
import type { TableState } from "./state";

/** Keep a game of a server whose end is shown; the answer is why it could not be kept. */
export async function keepFinished(
  { game, table, seat, at }: TableState,
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
    await games.add({ text, at, names, totals, winners, seat, origin });
  } catch (error) {
    if (error instanceof ShelfError) return error.trouble;
    // The record did not arrive: it comes when the end is seen again.
  }
  return null;
}

/** Why a game cannot be kept, in words. */
export const keepWords = (trouble: ShelfTrouble): string =>
  trouble === "full" ? m.games_full() : m.games_forbidden();

/** A finished game as a local table leaves it. */
export interface LeftGame extends FinishedGame {
  readonly id: string;
  readonly game: number;
  readonly at: number;
}

/** Where local tables leave their games. */
export interface Left {
  all(shelf: "finished"): Promise<readonly unknown[]>;
  drop(shelf: "finished", key: string): Promise<void>;
}

/** Writes the record of a game: its text and its result; null if the game cannot have happened. */
export type Recorded = (game: FinishedGame) => Promise<Pick<NewGame, "text" | "totals" | "winners"> | null>;

/** Fetch the games that local tables have left; one that cannot be written comes as it is, to be saved. */
export async function collect(left: Left, recorded: Recorded, games: MyGames = myGames): Promise<void> {
  for (const one of (await left.all("finished")) as readonly LeftGame[]) {
    const { id, game, at, names } = one;
    const made = (await recorded(one)) ?? { text: JSON.stringify(one, null, 1), totals: [], winners: [] };
    const seat = Array.isArray(names) ? onlyPerson(names) : null;
    await games.add({ ...made, at, names, seat, origin: `${id}.${game}` });
    await left.drop("finished", `${id}.${game}`);
  }
}
