/** With and without a network: all files of the client are kept in the browser, and newer ones wait their turn. */

import { KEEPER, trusted } from "../lib/trusted";

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

const SOON_MS = 3_000; // at the latest, once the first page is there
const HOUR_MS = 3_600_000; // how often a page that stays open asks for a newer client
const AGAIN_MS = 1_000; // how often a waiting worker is asked to take over: a message to one that is just starting may be lost

/** A newer build of the client. It is fetched in the background, and shown when somebody says so. */
export class Update {
  #ready = $state(false);
  #asked = false;
  #again: ReturnType<typeof setTimeout> | undefined;
  #lookedAt = Date.now();
  readonly #registration: () => ServiceWorkerRegistration | null;
  readonly #reload: () => void;

  constructor(registration: () => ServiceWorkerRegistration | null, reload = () => location.reload()) {
    this.#registration = registration;
    this.#reload = reload;
  }

  /** Whether loading the page again would show a newer client. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Show it now. The page is loaded again as soon as the new worker is in charge. */
  take(): void {
    if (this.#asked) return;
    this.#asked = true;
    this.#ask();
  }

  /**
   * Ask the worker that waits to take over, again and again: a busy browser may lose the message, or may not
   * have stopped the worker before, and a yet newer build may have taken the place of the one that was asked.
   */
  #ask(): void {
    const waiting = this.#registration()?.waiting;
    if (!waiting) return this.#reload(); // it is in charge already, perhaps because another page asked
    waiting.postMessage({ type: "activate" });
    this.#again = setTimeout(() => this.#ask(), AGAIN_MS);
  }

  /** Not now: the next time that all pages are closed, it comes by itself. */
  dismiss(): void {
    this.#ready = false;
  }

  /** Hear of newer builds. The first one is none. */
  watch(container: ServiceWorkerContainer, registration: ServiceWorkerRegistration): void {
    let before = container.controller;
    this.#ready = Boolean(registration.waiting && before);
    const follow = (found: ServiceWorker | null): void =>
      found?.addEventListener("statechange", () => {
        if (found.state === "installed" && container.controller) this.#ready = true;
      });
    follow(registration.installing); // found before this page listened
    registration.addEventListener("updatefound", () => follow(registration.installing));
    container.addEventListener("controllerchange", () => {
      clearTimeout(this.#again);
      if (this.#asked) this.#reload();
      else this.#ready = before !== null;
      before = container.controller;
    });
  }

  /** Somebody looks at the page again: ask, now and then, whether there is something newer. */
  look(now = Date.now()): void {
    const registration = this.#registration();
    if (!registration || now - this.#lookedAt < HOUR_MS) return;
    this.#lookedAt = now;
    void registration.update().catch(() => undefined); // no network: the next time, then
  }
}

let registered: ServiceWorkerRegistration | null = null;
export const update = new Update(() => registered);

/** Let a worker keep all files of the client. Without https there is none, and everything else works. */
export async function keepFiles(): Promise<void> {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  try {
    await afterFirstPage();
    registered = await serviceWorker.register(trusted(KEEPER), { updateViaCache: "none" });
    update.watch(serviceWorker, registered);
    document.addEventListener("visibilitychange", () => document.hidden || update.look());
    (await serviceWorker.ready).active?.postMessage({ type: "tidy" });
  } catch {
    // A browser that forbids it.
  }
}

/** Nothing is fetched ahead while something is still needed to show the first page. */
async function afterFirstPage(): Promise<void> {
  if (document.readyState !== "complete") {
    await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
  }
  await new Promise<unknown>((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(resolve, { timeout: SOON_MS });
    else setTimeout(resolve, SOON_MS);
  });
}
