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

/** The engine cannot work here, or not now; everything that goes through the server still does. */
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
const STARTS = 5; // in a row, without an answer: something is wrong
const AGAIN_MS = 10_000; // rules that could not be loaded are asked for again after so long

/** What a page waits for: a worker that has loaded the rules, or the reason why there is none. */
interface Loading {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: EngineMissing) => void;
  isLoaded: boolean;
}

export class EngineClient {
  readonly #open: () => WorkerLike;
  readonly #lack: () => Lack | null;
  readonly #asked = new Map<number, Asked>();
  readonly #lost = new Set<() => void>();
  #loading = loading();
  #worker: WorkerLike | null = null;
  #missing: EngineMissing | null = null;
  #missingSince = 0;
  #last = 0;
  #starts = 0;
  #heardAt = 0;
  #pinged = false;
  /** The worker has said something: its script has arrived, however slow the network is. */
  #spoken = false;
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

  /** Start the worker. The promise is kept once the rules are loaded; it is broken by `EngineMissing`. */
  ready(): Promise<void> {
    try {
      this.#ready();
    } catch (error) {
      return Promise.reject(error as Error);
    }
    return this.#loading.promise;
  }

  /** End the worker, with everything that it has loaded; open questions fail. The next question starts another one. */
  close(): void {
    const open = [...this.#asked.values()];
    this.#asked.clear();
    this.#drop();
    clearInterval(this.#look);
    this.#look = undefined;
    [this.#starts, this.#loading] = [0, loading()];
    for (const asked of open) asked.reject(new EngineFailed("the engine was closed"));
    this.#tellLost();
  }

  // ── One worker ──────────────────────────────────────────────────────────────────────────────

  #ready(): WorkerLike {
    this.#forgive();
    if (this.#missing) throw this.#missing;
    if (this.#worker) return this.#worker;
    const lack = this.#lack();
    if (lack) throw (this.#missing = new EngineMissing(lack));
    this.#starts += 1;
    this.#heard();
    this.#spoken = false;
    const worker = this.#open();
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.#died(event.message ?? "");
    };
    this.#look ??= setInterval(() => this.#lookAfter(), LOOK_MS);
    return (this.#worker = worker);
  }

  /** What could not be loaded may be there later; what a browser lacks, it lacks for good. */
  #forgive(): void {
    if (this.#missing?.lack !== "load" || Date.now() - this.#missingSince < AGAIN_MS) return;
    this.#missing = null;
    this.#starts = 0;
    this.#loading = loading();
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
    this.#spoken = true;
    if (message.type === "Ready") {
      this.#loading.isLoaded = true;
      this.#loading.resolve();
    }
    if (message.type === "Broken") this.#fail(new EngineMissing(message.lack, message.message));
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
    const lived = this.#spoken;
    for (const asked of [...this.#asked.values()]) this.#askAgain(asked, why, lived);
    this.#tellLost();
    if (!this.#loading.isLoaded) this.#startAgain();
  }

  /** A worker that never said anything did not get as far as its questions. */
  #askAgain(asked: Asked, why: string, lived: boolean): void {
    if (lived) asked.deaths += 1;
    if (asked.deaths < DEATHS) this.#send(asked);
    else {
      this.#asked.delete(asked.id);
      asked.reject(new EngineFailed(why || "the engine stopped while it worked on this"));
    }
  }

  /** Somebody may wait for the rules, without a question: they come, or it is said why not. */
  #startAgain(): void {
    try {
      this.#ready();
    } catch (error) {
      this.#fail(error instanceof EngineMissing ? error : new EngineMissing("load", String(error)));
    }
  }

  #drop(): void {
    const worker = this.#worker;
    this.#worker = null;
    if (!worker) return;
    worker.onmessage = worker.onerror = null;
    worker.terminate();
  }

  /** There is no engine in this page, at least for a while. */
  #fail(error: EngineMissing): void {
    this.#missing = error;
    this.#missingSince = Date.now();
    this.#loading.reject(error);
    this.#drop();
    clearInterval(this.#look);
    this.#look = undefined;
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
    if (!this.#worker || !this.#spoken || !(this.#asked.size || this.#lost.size)) return;
    if (!this.#pinged) {
      this.#heard();
      this.#pinged = true;
      this.#worker.postMessage({ type: "Ping" });
    } else if (Date.now() - this.#heardAt > SILENT_MS) this.#died("the engine did not answer");
  }
}

function loading(): Loading {
  let resolve!: Loading["resolve"];
  let reject!: Loading["reject"];
  const promise = new Promise<void>((kept, broken) => ([resolve, reject] = [kept, broken]));
  promise.catch(() => undefined); // perhaps nobody waits for it
  return { promise, resolve, reject, isLoaded: false };
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
