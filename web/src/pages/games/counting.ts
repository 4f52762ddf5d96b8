/** Counts games that were kept before there were statistics, once, and finds those that are damaged. */

import { engine } from "../../engine/client";
import { BadRecord, readText } from "../../net/replay";
import { m } from "../../paraglide/messages.js";
import { countedOf, type KeptGame, type MyGames } from "../../store/records";

export interface Counting {
  readonly signal: AbortSignal;
  /** Hears how many are done, of how many. */
  readonly oncount?: (done: number, all: number) => void;
  readonly read?: typeof readText;
  readonly ready?: () => Promise<unknown>;
}

/**
 * Read the games that were never counted, or are not what they were, and keep the counts. The answer is
 * what is wrong with those that cannot be read, by their keys; nothing while nobody can tell.
 * Only the rules in this page are asked: a look at the list sends no records to a server.
 */
export async function countGames(
  all: readonly KeptGame[],
  games: MyGames,
  { signal, oncount, read = readText, ready = () => engine.ready() }: Counting,
): Promise<ReadonlyMap<string, string>> {
  const damage = new Map<string, string>();
  const open = all.filter((game) => !game.counted || games.keyOf(game.text) !== game.key);
  if (!open.length || !(await able(ready))) return damage;
  for (const [n, { key, text }] of open.entries()) {
    if (signal.aborted) break;
    oncount?.(n, open.length);
    try {
      const { counted } = countedOf(await read(text));
      if (counted && !signal.aborted) await games.note(key, counted);
    } catch (error) {
      if (error instanceof BadRecord)
        damage.set(key, m.games_damage({ line: error.problem.line, message: error.message }));
    }
  }
  return damage;
}

const able = (ready: () => Promise<unknown>): Promise<boolean> =>
  ready().then(
    () => true,
    () => false,
  );
