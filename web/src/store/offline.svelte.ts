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
const SWITCH_MS = 3_000; // far more than a new worker usually needs to take over
const MOST_RELOADS = 3; // to get an old worker to end
const RELOADS = "catinthebox.update"; // how often this tab has done that

/** A newer build of the client. It is fetched in the background, and shown when somebody says so. */
export class Update {
  #ready = $state(false);
  #asked = false;
  #lookedAt = Date.now();
  #overdue: ReturnType<typeof setTimeout> | undefined;
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
    const waiting = this.#registration()?.waiting;
    this.#asked = true;
    if (!waiting) return this.#show(); // it is in charge already
    waiting.postMessage({ type: "activate" });
    clearTimeout(this.#overdue);
    this.#overdue = setTimeout(() => this.#reloadForSwitch(), SWITCH_MS);
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
      if (this.#asked) this.#show();
      else this.#ready = before !== null;
      before = container.controller;
    });
    this.#resume();
  }

  /** Somebody looks at the page again: ask, now and then, whether there is something newer. */
  look(now = Date.now()): void {
    const registration = this.#registration();
    if (!registration || now - this.#lookedAt < HOUR_MS) return;
    this.#lookedAt = now;
    void registration.update().catch(() => undefined); // no network: the next time, then
  }

  /** The new worker is in charge: what is loaded now is the newer build. */
  #show(): void {
    clearTimeout(this.#overdue);
    setReloads(0);
    this.#reload();
  }

  /**
   * The old worker stays. A message or a request that reaches it while it ends makes Chromium start it again and wait
   * until nothing was asked of it for half a minute; telling the new worker again changes nothing. Loading a page does:
   * then Chromium ends the old worker once more. That worker may still answer for the page, so the page goes on here.
   */
  #reloadForSwitch(): void {
    setReloads(reloads() + 1);
    this.#reload();
  }

  /** Go on with what was asked for before the page was loaded for it. After a few times, the offer is made again. */
  #resume(): void {
    const times = reloads();
    if (times > 0 && (times < MOST_RELOADS || !this.#registration()?.waiting)) this.take();
    else setReloads(0);
  }
}

/** How often this tab was loaded again to get an old worker to end. */
function reloads(): number {
  try {
    return Number(sessionStorage.getItem(RELOADS));
  } catch {
    return 0;
  }
}

function setReloads(times: number): void {
  try {
    if (times) sessionStorage.setItem(RELOADS, String(times));
    else sessionStorage.removeItem(RELOADS);
  } catch {
    // Where nothing may be kept, the page is loaded once and makes the offer again.
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
    const { active, waiting } = await serviceWorker.ready;
    if (!waiting) active?.postMessage({ type: "tidy" }); // a newer worker does it when it takes over
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
