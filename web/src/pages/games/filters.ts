/** Which of the games are shown: several conditions at once, remembered in the address. */

import { LEVELS } from "../../store/names";
import { placeOf, type KeptGame } from "../../store/records";

/** Against bots alone, or with other people. */
export type Against = "bots" | "people";

/** Values of one kind are alternatives, kinds are conditions together; an empty list asks for nothing. */
export interface Filter {
  readonly against: readonly Against[];
  readonly players: readonly number[];
  readonly levels: readonly string[];
  readonly won: boolean;
  readonly paradox: boolean;
}

export const EVERYTHING: Filter = { against: [], players: [], levels: [], won: false, paradox: false };

const AGAINST: readonly Against[] = ["bots", "people"];

// ── What a game is ─────────────────────────────────────────────────────────────────────────────

/** The levels of the bots in a game, the gentlest first, each once. */
export const levelsOf = ({ names }: KeptGame): readonly string[] =>
  LEVELS.filter((level) => names.includes(level));

/** Whom it was played against: bots alone, unless there was more than one person. */
export const againstOf = ({ names }: KeptGame): Against =>
  names.filter((name) => !LEVELS.includes(name)).length > 1 ? "people" : "bots";

/** How many paradoxes the own seat caused. */
export const paradoxesOf = ({ seat, counted }: KeptGame): number =>
  (counted?.rounds ?? []).filter(({ paradox }) => paradox !== null && paradox === seat).length;

/** Whether a game meets all conditions. */
export function matches(filter: Filter, game: KeptGame): boolean {
  const { against, players, levels, won, paradox } = filter;
  return (
    (!against.length || against.includes(againstOf(game))) &&
    (!players.length || players.includes(game.names.length)) &&
    (!levels.length || levels.some((level) => game.names.includes(level))) &&
    (!won || placeOf(game) === 1) &&
    (!paradox || paradoxesOf(game) > 0)
  );
}

/** How many conditions there are. */
export const conditions = ({ against, players, levels, won, paradox }: Filter): number =>
  against.length + players.length + levels.length + Number(won) + Number(paradox);

/** A list with a value more, or without it. */
export const toggled = <T>(list: readonly T[], value: T): readonly T[] =>
  list.includes(value) ? list.filter((one) => one !== value) : [...list, value];

/** The values worth asking for: those of the games, and those that are asked for already. */
export function optionsOf(games: readonly KeptGame[], filter: Filter): Pick<Filter, "players" | "levels"> {
  const counts = new Set([...games.map(({ names }) => names.length), ...filter.players]);
  const levels = new Set([...games.flatMap(levelsOf), ...filter.levels]);
  return {
    players: [...counts].filter(Boolean).sort((a, b) => a - b),
    levels: LEVELS.filter((level) => levels.has(level)),
  };
}

// ── In the address ─────────────────────────────────────────────────────────────────────────────

/** A filter as it stands behind the `#` of the address; empty for everything. */
export function hashOf({ against, players, levels, won, paradox }: Filter): string {
  const words = [
    against.length && `against=${[...against].sort().join(",")}`,
    players.length && `players=${[...players].sort().join(",")}`,
    levels.length && `level=${LEVELS.filter((level) => levels.includes(level)).join(",")}`,
    won && "won",
    paradox && "paradox",
  ].filter(Boolean);
  return words.join("&");
}

/** And back; whatever means nothing is left out. */
export function filterOf(hash: string): Filter {
  const found = new URLSearchParams(hash.replace(/^#/, ""));
  const listOf = (name: string): readonly string[] => [...new Set((found.get(name) ?? "").split(","))];
  return {
    against: AGAINST.filter((one) => listOf("against").includes(one)),
    players: listOf("players")
      .filter((one) => /^[2-9]$/.test(one))
      .map(Number)
      .sort(),
    levels: LEVELS.filter((level) => listOf("level").includes(level)),
    won: found.has("won"),
    paradox: found.has("paradox"),
  };
}
