/**
 * The networks that ship, fetched when a bot needs one. Each has two megabytes, and most people never play with
 * all of them: so they are no part of the list that the service worker keeps. What was used once is kept here, in a
 * cache of its own, for games without a network connection.
 */

import { NETWORKS } from "./generated/networks";
import { Network } from "./network";

const CACHE = "catinthebox-networks";
const PATIENCE_MS = 10_000; // a bot waits so long for its network, once; the download goes on
const AGAIN_MS = 30_000; // between two attempts

/** Return the network for a number of players; null if it is not there yet. */
export type FindNetwork = (players: number) => Promise<Network | null>;

interface File {
  readonly url: string;
  readonly integrity: string;
}

interface Attempt {
  readonly found: Promise<Network | null>;
  /** Nobody waits for it any longer; it may still arrive. */
  readonly late: Promise<null>;
  readonly began: number;
  hasFailed: boolean;
}

/** Networks by the number of players, each loaded once. */
export function networksFrom(files: Readonly<Record<number, File>>, fetchFile = keptFile): FindNetwork {
  const attempts = new Map<number, Attempt>();
  return (players) => {
    let attempt = attempts.get(players);
    if (!attempt || (attempt.hasFailed && Date.now() - attempt.began > AGAIN_MS)) {
      attempts.set(players, (attempt = begun(() => fetchFile(files[players]!))));
    }
    return Promise.race([attempt.found, attempt.late]);
  };
}

function begun(fetchFile: () => Promise<ArrayBuffer>): Attempt {
  const attempt = { began: Date.now(), late: patience(), hasFailed: false };
  const found = fetchFile().then(
    (content) => new Network(content),
    () => ((attempt.hasFailed = true), null),
  );
  return Object.assign(attempt, { found });
}

const patience = (): Promise<null> => new Promise((resolve) => setTimeout(() => resolve(null), PATIENCE_MS));

/** A file from the cache or from the network; one with another hash is refused by the browser. */
export async function keptFile({ url, integrity }: File): Promise<ArrayBuffer> {
  const address = new URL(url, location.href).href;
  const cache = await openCache();
  const kept = await cache?.match(address);
  if (kept) return kept.arrayBuffer();
  const answer = await fetch(address, { integrity });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  if (cache) await keep(cache, address, answer.clone()).catch(() => undefined); // no room: it is fetched again
  return answer.arrayBuffer();
}

/** A page without https has no caches, and a private window may not have any. */
async function openCache(): Promise<Cache | null> {
  return typeof caches === "undefined" ? null : caches.open(CACHE).catch(() => null);
}

/** Keep a file, in place of an older one for as many players: names differ in their hash only. */
async function keep(cache: Cache, address: string, answer: Response): Promise<void> {
  for (const { url } of await cache.keys()) if (nameOf(url) === nameOf(address)) await cache.delete(url);
  await cache.put(address, answer);
}

const nameOf = (address: string): string => address.replace(/-players-[^/]*$/, "");

/** The networks of this client. */
export const findNetwork: FindNetwork = networksFrom(NETWORKS);
