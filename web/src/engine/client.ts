/**
 * The page's half of the engine: it asks, and gives up when it is told to. A worker that has died, or
 * that says nothing any more, is replaced by another; questions that were open are asked again.
 */

import { trusted } from "../lib/trusted";
import type { AnswerOf, FromWorker, Kind, RequestOf, ToWorker } from "./requests";
import address from "./worker?worker&url";

/** As much of a worker as is needed; tests bring their own. */
export interface WorkerLike {
  onmessage: ((event: { readonly data: FromWorker }) => void) | null;
  onerror: ((event: { readonly message?: string; preventDefault?(): void }) => void) | null;
  postMessage(message: ToWorker, transfer?: Transferable[]): void;
  terminate(): void;
}

/** Why there is no engine: the browser lacks something, or the rules could not be loaded. */
export type Lack = "workers" | "wasm" | "load";

/** The engine cannot work here; everything that goes through the server still does. */
export class EngineMissing extends Error {
  constructor(
    readonly lack: Lack,
    detail = "",
  ) {
    super(`the rules cannot run in this page (${lack})${detail && `: ${detail}`}`);
    this.name = "EngineMissing";
  }
}

/** A question that could not be answered. */
export class EngineFailed extends Error {
  override readonly name = "EngineFailed";
}

interface Asked {
  readonly id: number;
  readonly kind: string;
  readonly request: unknown;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
  /** Workers that died while they had this question. */
  deaths: number;
}

const LOOK_MS = 5_000; // how often a worker that owes an answer is looked after
const SILENT_MS = 15_000; // work goes in slices, so a worker that is quiet for so long is gone
const DEATHS = 2; // a question that has outlived so many workers is what kills them
const STARTS = 5; // in a row, without an answer: something is wrong for good

export class EngineClient {
  readonly #open: () => WorkerLike;
  readonly #lack: () => Lack | null;
  readonly #asked = new Map<number, Asked>();
  readonly #lost = new Set<() => void>();
  #loaded!: { readonly resolve: () => void; readonly reject: (error: Error) => void };
  readonly #loading = new Promise<void>((resolve, reject) => (this.#loaded = { resolve, reject }));
  #worker: WorkerLike | null = null;
  #missing: EngineMissing | null = null;
  #last = 0;
  #starts = 0;
  #heardAt = 0;
  #pinged = false;
  #look: ReturnType<typeof setInterval> | undefined;

  constructor(open: () => WorkerLike = openWorker, lack: () => Lack | null = lackHere) {
    this.#open = open;
    this.#lack = lack;
  }

  /** Ask something. An aborted question is forgotten here, and stopped in the worker. */
  ask<K extends Kind>(
    kind: K,
    request: RequestOf<K>,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<AnswerOf<K>> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const id = (this.#last += 1);
      const settled = (): void => signal?.removeEventListener("abort", stop);
      const stop = (): void => {
        this.#asked.delete(id);
        this.#worker?.postMessage({ type: "Cancel", id });
        reject(signal?.reason);
      };
      const asked: Asked = {
        id,
        kind,
        request,
        deaths: 0,
        resolve: (answer) => (settled(), resolve(answer)),
        reject: (error) => (settled(), reject(error)),
      };
      signal?.addEventListener("abort", stop);
      this.#asked.set(id, asked);
      this.#send(asked);
    });
  }

  /** Open a port to a table in the worker. `onlost` is told when that worker is gone: connect again. */
  connect(port: MessagePort, onlost: () => void): () => void {
    this.#ready().postMessage({ type: "Connect", port }, [port]);
    this.#lost.add(onlost);
    return () => this.#lost.delete(onlost);
  }

  /** Start the worker, so that the first question is answered at once. Throws if there can be none. */
  warm(): void {
    this.#ready();
  }

  /** Start the worker. The promise is kept once the rules are loaded; it is broken by `EngineMissing`. */
  ready(): Promise<void> {
    try {
      this.#ready();
    } catch (error) {
      return Promise.reject(error as Error);
    }
    return this.#loading;
  }

  // ── One worker ──────────────────────────────────────────────────────────────────────────────

  #ready(): WorkerLike {
    if (this.#missing) throw this.#missing;
    if (this.#worker) return this.#worker;
    const lack = this.#lack();
    if (lack) throw (this.#missing = new EngineMissing(lack));
    this.#starts += 1;
    this.#heard();
    const worker = this.#open();
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.#died(event.message ?? "");
    };
    this.#look ??= setInterval(() => this.#lookAfter(), LOOK_MS);
    return (this.#worker = worker);
  }

  #send(asked: Asked): void {
    try {
      this.#ready().postMessage({ type: "Ask", id: asked.id, kind: asked.kind, request: asked.request });
    } catch (error) {
      this.#asked.delete(asked.id);
      asked.reject(error);
    }
  }

  #receive(message: FromWorker): void {
    this.#heard();
    if (message.type === "Ready") this.#loaded.resolve();
    if (message.type === "Broken") this.#fail(new EngineMissing("load", message.message));
    if (message.type !== "Answer" && message.type !== "Failed") return;
    this.#starts = 0;
    const asked = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    if (message.type === "Answer") asked?.resolve(message.answer as never);
    else asked?.reject(new EngineFailed(message.message));
  }

  #heard(): void {
    this.#heardAt = Date.now();
    this.#pinged = false;
  }

  /** Another worker takes over; a question that goes on killing them is given up. */
  #died(why: string): void {
    this.#drop();
    if (this.#starts >= STARTS) {
      this.#fail(new EngineMissing("load", why));
      return;
    }
    for (const asked of [...this.#asked.values()]) {
      asked.deaths += 1;
      if (asked.deaths < DEATHS) this.#send(asked);
      else {
        this.#asked.delete(asked.id);
        asked.reject(new EngineFailed(why || "the engine stopped while it worked on this"));
      }
    }
    this.#tellLost();
  }

  #drop(): void {
    const worker = this.#worker;
    this.#worker = null;
    if (!worker) return;
    worker.onmessage = worker.onerror = null;
    worker.terminate();
  }

  /** There will be no engine in this page. */
  #fail(error: EngineMissing): void {
    this.#missing = error;
    this.#loading.catch(() => undefined); // perhaps nobody waits for it
    this.#loaded.reject(error);
    this.#drop();
    clearInterval(this.#look);
    for (const asked of this.#asked.values()) asked.reject(error);
    this.#asked.clear();
    this.#tellLost();
  }

  #tellLost(): void {
    const lost = [...this.#lost];
    this.#lost.clear();
    for (const tell of lost) tell();
  }

  /** Questions and tables wait: is anybody there? A page that slept hears the answer first. */
  #lookAfter(): void {
    if (!this.#worker || !(this.#asked.size || this.#lost.size)) return;
    if (!this.#pinged) {
      this.#heard();
      this.#pinged = true;
      this.#worker.postMessage({ type: "Ping" });
    } else if (Date.now() - this.#heardAt > SILENT_MS) this.#died("the engine did not answer");
  }
}

function openWorker(): WorkerLike {
  return new Worker(trusted(address), { type: "module", name: "engine" }) as unknown as WorkerLike;
}

function lackHere(): Lack | null {
  if (typeof Worker === "undefined") return "workers";
  return typeof WebAssembly === "undefined" ? "wasm" : null;
}

/** The one engine of this page; its worker starts with the first question. */
export const engine = new EngineClient();
