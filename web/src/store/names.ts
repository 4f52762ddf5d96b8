/** What seats are called. Bots go by the name of a particle; the server knows only their level. */

import type { Settings, TableShown } from "../lib/wire";
import { m } from "../paraglide/messages.js";
import type { TableState } from "./state";

const PARTICLES = [m.page_bot_0, m.page_bot_1, m.page_bot_2, m.page_bot_3, m.page_bot_4];

/** The name of the bot in a seat. */
export const botName = (seat: number): string => PARTICLES[seat]?.() ?? "";

/** The names of all seats: of the game in play, or of those who sit there. */
export function namesAt(state: Pick<TableState, "seats" | "game">): readonly string[] {
  const names = state.game?.names ?? [];
  return state.seats.seats.map((who, seat) =>
    who.kind === "bot" ? botName(seat) : who.name || (names[seat] ?? ""),
  );
}

/** The table with its bots named. */
export function named(table: TableShown): TableShown {
  return { ...table, game: { ...table.game, names: namesAt(table) } };
}

type Words = readonly [name: () => string, text: () => string];

const WORDS: Readonly<Record<string, Words>> = {
  gentle: [m.page_level_gentle, m.page_level_gentle_text],
  steady: [m.page_level_steady, m.page_level_steady_text],
  sharp: [m.page_level_sharp, m.page_level_sharp_text],
  fierce: [m.page_level_fierce, m.page_level_fierce_text],
  uncanny: [m.page_level_uncanny, m.page_level_uncanny_text],
};

/** The levels of bots, the gentlest first. */
export const LEVELS: readonly string[] = Object.keys(WORDS);

/** The level that bots have at a table unless somebody says otherwise: a bot that covers a seat has it, too. */
export const levelAt = ({ cover }: Settings): string => (LEVELS.includes(cover) ? cover : "steady");

/** A level of bots in the reader's language; one we have no words for goes by its own name. */
export const levelName = (level: string): string => WORDS[level]?.[0]() ?? level;

/** What to expect of a level. */
export const levelText = (level: string): string => WORDS[level]?.[1]() ?? "";
