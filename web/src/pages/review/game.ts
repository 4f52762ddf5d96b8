/** A finished game that is reviewed: where it comes from, and what is known of it here. */

import { recordOf, replayText } from "../../net/replay";
import { replayKey } from "../../store/games";
import { me } from "../../store/me.svelte";
import { catsOf, myGames, onlyPerson, type KeptGame } from "../../store/records";
import { collectLocal } from "../games/collecting";
import { filmOf, type Film } from "../replay/film";

export interface Reviewed {
  /** Its name in the address. */
  readonly key: string;
  readonly film: Film;
  /** The `.cat` record. */
  readonly text: string;
  /** The own seat; null if it is not known. */
  readonly own: number | null;
  /** Where a server has it; null if only this browser does. */
  readonly source: { readonly key: string; readonly game: number } | null;
}

/** The key of a finished game on a server, and its number; the first game goes without. */
const GAME = /^(.+?)(?:\.([1-9][0-9]{0,3}))?$/;

/** Find a game: among those of this browser, or on the server. What goes wrong is thrown. */
export async function findGame(key: string): Promise<Reviewed> {
  const kept = await keptGame(key);
  if (kept) return keptOne(key, kept);
  const [, name = key, number = "1"] = GAME.exec(key) ?? [];
  const source = { key: await replayKey(name, Number(number)), game: Number(number) };
  const text = await recordOf(source.key, source.game);
  const found = await replayText(text);
  const here = await keptGame(`${found.record.table ?? ""}.${source.game}`);
  const film = filmOf(found, here ? catsOf(here, me.cat) : []);
  return { key, film, text, own: here?.seat ?? onlyPerson(found.record.names), source };
}

/** A game of this browser; one that has just ended may not be among the others yet. */
async function keptGame(key: string): Promise<KeptGame | null> {
  const find = (): Promise<KeptGame | null> => myGames.find(key).catch(() => null);
  return (await find()) ?? (await collectLocal().then(find, () => null));
}

async function keptOne(key: string, kept: KeptGame): Promise<Reviewed> {
  const film = filmOf(await replayText(kept.text), catsOf(kept, me.cat));
  const own = kept.seat ?? onlyPerson(film.record.names);
  return { key, film, text: kept.text, own, source: null };
}
