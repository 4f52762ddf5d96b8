/** The few things that are asked over HTTP: opening a table, lists, records. */

import { SERVERLESS } from "../lib/address";
import type {
  Addresses,
  DayTable,
  Invitation,
  Links,
  Listed,
  NewDayEntry,
  Opened,
  OpenTable,
  Refused,
  Tables,
} from "../lib/wire";

const API = "/api/v1";

/** A request that was refused, did not arrive (`net.offline`), or has nobody to go to (`net.serverless`). */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 0) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** The open tables. */
export const openTables = async (): Promise<readonly Listed[]> => ((await ask("/tables")) as Tables).tables;

const ONLY_HERE = ["localhost", "127.0.0.1", "[::1]"];

/** The origin for links that are given to others: nobody else's `localhost` is this machine. */
export async function publicOrigin(page: Location = location): Promise<string> {
  if (!ONLY_HERE.includes(page.hostname)) return page.origin;
  const found = (await ask("/addresses").catch(() => null)) as Addresses | null;
  return found?.addresses[0]?.replace(/\/$/, "") ?? page.origin;
}

/** Open a table. */
export const openTable = async (token: string, wanted: OpenTable): Promise<Opened> =>
  (await ask("/tables", { token, body: wanted })) as Opened;

/** Look whether somebody could come to a table: null if so, else why not. */
export const findTable = (token: string, key: string): Promise<Refusal | null> =>
  ask(`/tables/${encodeURIComponent(key)}`, { token }).then(
    () => null,
    (error: Refusal) => error,
  );

/** The key to play at the table with a short code. */
export const keyOfCode = async (code: string): Promise<string> =>
  ((await ask(`/codes/${encodeURIComponent(code)}`)) as Invitation).table;

/** The links that the holder of a key may pass on. */
export const linksOf = async (key: string): Promise<Links> =>
  (await ask(`/tables/${encodeURIComponent(key)}/links`)) as Links;

/** The table of a day. */
export const readDay = async (token: string, date: string): Promise<DayTable> =>
  (await ask(`/daily/${date}`, { token })) as DayTable;

/** Put a game on the table of its day. */
export const enterDay = async (token: string, date: string, body: NewDayEntry): Promise<DayTable> =>
  (await ask(`/daily/${date}`, { token, body })) as DayTable;

/** Where the record of a finished game is, for people (`cat`) or programs (`json`). */
export const recordPath = (key: string, game: number, kind: "cat" | "json"): string =>
  `${API}/tables/${encodeURIComponent(key)}/games/${game}/record.${kind}`;

/** The record of a finished game, as text. */
export async function recordText(key: string, game: number): Promise<string> {
  const answer = await fetched(recordPath(key, game, "cat"), {});
  if (answer.ok) return answer.text();
  const { code = "net.failed", message = "" } = (await answer.json().catch(() => ({}))) as Partial<Refused>;
  throw new Refusal(code, message, answer.status);
}

/** The address of the WebSocket of a table. */
export function socketUrl(key: string, page: Location = location): string {
  const scheme = page.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${page.host}${API}/tables/${encodeURIComponent(key)}/socket`;
}

interface Wanted {
  readonly token?: string;
  readonly body?: unknown;
}

/** Ask the server; the answer is JSON, and so is a refusal. */
export async function ask(path: string, { token, body }: Wanted = {}): Promise<unknown> {
  const headers: Record<string, string> = {};
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const sent = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await fetched(path.startsWith("/api") ? path : API + path, sent);
  const content: unknown = await answer.json().catch(() => null);
  if (answer.ok && content !== null) return content;
  const { code = "net.failed", message = "" } = (content ?? {}) as Partial<Refused>;
  throw new Refusal(code, message, answer.status);
}

async function fetched(url: string, sent: RequestInit): Promise<Response> {
  if (SERVERLESS) throw new Refusal("net.serverless", "");
  try {
    return await fetch(url, sent);
  } catch {
    throw new Refusal("net.offline", "");
  }
}
