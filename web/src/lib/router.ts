/** Paths and pages. A path that means nothing leads to a page that says so. */

export type Route =
  | { readonly page: "home" }
  | { readonly page: "table"; readonly key: string; readonly watch: boolean }
  | { readonly page: "play"; readonly id: string }
  | { readonly page: "replay"; readonly key: string; readonly game: number }
  | { readonly page: "games" }
  | { readonly page: "kept"; readonly key: string }
  /** The review of a finished game; null: one is still to be chosen. */
  | { readonly page: "review"; readonly key: string | null }
  /** A day of the daily deal, perhaps none that there is; null is today. */
  | { readonly page: "daily"; readonly date: string | null }
  | { readonly page: "learn" }
  | { readonly page: "rules" }
  | { readonly page: "settings" }
  | { readonly page: "nowhere" };

/** What a link proves: that its holder may play, watch, or see one finished game. */
const KEY = "[A-Za-z0-9-][A-Za-z0-9_-]{0,63}";
const TABLE = new RegExp(`^/([tw])/(${KEY})/?$`);
/** A game in this browser, by its id: nobody else can open it. */
const LOCAL = new RegExp(`^/play/(${KEY})/?$`);
/** A game is a key and a number; the first game goes without. */
const GAME = new RegExp(`^/g/(${KEY})(?:\\.([1-9][0-9]{0,3}))?/?$`);
/** A game that this browser keeps: by the hash of its record, or by its table and number. */
const KEPT = new RegExp(`^/games/(${KEY}(?:\\.[1-9][0-9]{0,3})?)/?$`);
/** The review of a game of this browser or of a server, under the same names. */
const REVIEW = new RegExp(`^/review(?:/(${KEY}(?:\\.[1-9][0-9]{0,3})?))?/?$`);
const DAILY = /^\/daily(?:\/([0-9-]{1,20}))?\/?$/;
const PLAIN = ["learn", "rules", "settings", "games"] as const;
/** The first parts of all paths; the service worker and a site without a server know them (offline/plugin.ts). */
export const FOLDERS = ["t", "w", "g", "play", "daily", "review", ...PLAIN] as const;

export function routeOf(path: string): Route {
  if (path === "/" || path === "") return { page: "home" };
  if (path === "/g" || path === "/g/") return { page: "games" };
  const table = TABLE.exec(path);
  if (table?.[2]) return { page: "table", key: table[2], watch: table[1] === "w" };
  const local = LOCAL.exec(path);
  if (local?.[1]) return { page: "play", id: local[1] };
  const game = GAME.exec(path);
  if (game?.[1]) return { page: "replay", key: game[1], game: Number(game[2] ?? 1) };
  const kept = KEPT.exec(path);
  if (kept?.[1]) return { page: "kept", key: kept[1] };
  const review = REVIEW.exec(path);
  if (review) return { page: "review", key: review[1] ?? null };
  const daily = DAILY.exec(path);
  if (daily) return { page: "daily", date: daily[1] ?? null };
  const page = PLAIN.find((name) => path === `/${name}` || path === `/${name}/`);
  return { page: page ?? "nowhere" };
}

/** Where people play, by the key to play; with the key to watch, where they watch. */
export const tablePath = (key: string, watch = false): string => `/${watch ? "w" : "t"}/${key}`;

/** The daily deal of a day. */
export const dailyPath = (date: string): string => `/daily/${date}`;

/** Where a game in this browser is played. */
export const playPath = (id: string): string => `/play/${id}`;

export const gamePath = (key: string, game: number): string =>
  game === 1 ? `/g/${key}` : `/g/${key}.${game}`;

/** Where a finished game is reviewed: by its key in this browser, or by that on a server and its number. */
export const reviewPath = (key: string, game = 1): string =>
  game === 1 ? `/review/${key}` : `/review/${key}.${game}`;

/** Where a game that this browser keeps is shown again. */
export const keptPath = (key: string): string => `/games/${key}`;

/** The path of a link to a table, a game or its review, without anything after it; of another link, the first page. */
export function pathOfLink(path: string): string {
  const { page } = routeOf(path);
  return ["table", "replay", "review"].includes(page) ? path : "/";
}

/** The table that somebody means: by a link to play or to watch, here or elsewhere, or by a key alone. */
export function meantTable(text: string): { readonly key: string; readonly watch: boolean } | null {
  const words = text.trim();
  const [, kind = "t", key = words] = /\/([tw])\/([^/?#\s]+)/.exec(words) ?? [];
  return new RegExp(`^${KEY}$`).test(key) ? { key, watch: kind === "w" } : null;
}
