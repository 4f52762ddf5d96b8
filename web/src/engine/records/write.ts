/** Writes games as `.cat` records (docs/records.md). */

import type { Engine } from "../module";
import { Game, type GameLog } from "./game";
import { recordLines, type PlainLine } from "./serialize";

const SPACED = ["round", "result"]; // a blank line stands before these

/** Return the text of a record; the game is played again, so that every claim in it is true. */
export const writeRecord = (engine: Engine, log: GameLog): string =>
  engine.within(() => textOf(Game.of(engine, log)));

/** Return the record of a game that has been played. */
export const textOf = (game: Game): string => recordLines(game).map(printedLine).join("");

function printedLine([kind, words]: PlainLine): string {
  const line = `${kind} ${words.join(kind === "names" ? " | " : " ")}\n`;
  return SPACED.includes(kind) ? `\n${line}` : line;
}
