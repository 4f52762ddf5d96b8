/** Paths and pages. A path that means nothing leads to a page that says so. */

export type Route =
  | { readonly page: "home" }
  | { readonly page: "table"; readonly id: string }
  | { readonly page: "replay"; readonly table: string; readonly game: number }
  | { readonly page: "replays" }
  | { readonly page: "learn" }
  | { readonly page: "rules" }
  | { readonly page: "settings" }
  | { readonly page: "nowhere" };

const ID = "[A-Za-z0-9-][A-Za-z0-9_-]{0,63}";
const TABLE = new RegExp(`^/t/(${ID})/?$`);
/** A game is a table and a number; the first game goes without. */
const GAME = new RegExp(`^/g/(${ID})(?:\\.([1-9][0-9]{0,3}))?/?$`);
const PLAIN = ["learn", "rules", "settings"] as const;

export function routeOf(path: string): Route {
  if (path === "/" || path === "") return { page: "home" };
  if (path === "/g" || path === "/g/") return { page: "replays" };
  const table = TABLE.exec(path)?.[1];
  if (table) return { page: "table", id: table };
  const game = GAME.exec(path);
  if (game?.[1]) return { page: "replay", table: game[1], game: Number(game[2] ?? 1) };
  const page = PLAIN.find((name) => path === `/${name}` || path === `/${name}/`);
  return { page: page ?? "nowhere" };
}

export const tablePath = (id: string): string => `/t/${id}`;

export const gamePath = (table: string, game: number): string =>
  game === 1 ? `/g/${table}` : `/g/${table}.${game}`;

/** The table that somebody means: by its link, by a link to it elsewhere, or by its name alone. */
export function meantTable(text: string): string | null {
  const words = text.trim();
  const path = /\/t\/([^/?#\s]+)/.exec(words)?.[1] ?? words;
  return new RegExp(`^${ID}$`).test(path) ? path : null;
}
