/** With and without a network: the page stays readable, and says what is missing. */

import { trusted } from "../lib/trusted";

class Network {
  #here = $state(navigator.onLine);

  constructor() {
    addEventListener("online", () => (this.#here = true));
    addEventListener("offline", () => (this.#here = false));
  }

  get here(): boolean {
    return this.#here;
  }
}

export const network = new Network();

const WORKER = "/sw.js";
const WARM_MS = 8_000; // after that, the first page has everything it needs

/** Let a worker keep the shell of the client. Without https there is none, and no harm done. */
export async function keepShell(pages: readonly (() => Promise<unknown>)[]): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register(trusted(WORKER));
    const { active } = await navigator.serviceWorker.ready;
    if (!active) return;
    active.postMessage({ type: "keep", urls: loaded() });
    setTimeout(() => void warm(pages, active), WARM_MS);
  } catch {
    // A browser that forbids it; everything works without.
  }
}

/**
 * Pages that should be readable without a network are fetched once, when there is time. Then all of
 * the client is loaded, so what the worker has beyond that is of older ones, and can be tidied away.
 */
async function warm(pages: readonly (() => Promise<unknown>)[], worker: ServiceWorker): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  for (const page of pages) await page().catch(() => undefined);
  worker.postMessage({ type: "tidy", used: loaded() });
}

/** The files of this client that the page has loaded. */
const loaded = (): readonly string[] =>
  performance
    .getEntriesByType("resource")
    .map((entry) => entry.name)
    .filter((url) => url.startsWith(location.origin) && !url.includes("/api/"));
