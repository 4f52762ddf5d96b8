/** A shelf in this browser's database: values by key. What goes wrong is told, never swallowed. */

import { openDatabase } from "../lib/database";

/** Why nothing can be kept: no room is left, or the browser lets pages keep nothing. */
export type ShelfTrouble = "full" | "forbidden";

export class ShelfError extends Error {
  override readonly name = "ShelfError";

  constructor(
    readonly trouble: ShelfTrouble,
    cause: unknown,
  ) {
    super(`the browser keeps nothing (${trouble})`, { cause });
  }
}

/** As much of a database as is needed; tests bring their own. */
export interface Shelf {
  all(): Promise<ReadonlyMap<string, unknown>>;
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  /** Put several values: all of them, or none. */
  putAll(values: ReadonlyMap<string, unknown>): Promise<void>;
  drop(key: string): Promise<void>;
  clear(): Promise<void>;
}

const STORE = "values";

export class BrowserShelf implements Shelf {
  #database: Promise<IDBDatabase> | null = null;

  constructor(readonly name: string) {}

  async all(): Promise<ReadonlyMap<string, unknown>> {
    const [keys, values] = await this.#ask(
      "readonly",
      (store) => [store.getAllKeys(), store.getAll()] as const,
    );
    return new Map(keys.map((key, n) => [String(key), values[n] as unknown]));
  }

  async get(key: string): Promise<unknown> {
    const [value] = await this.#ask("readonly", (store) => [store.get(key)] as const);
    return value as unknown;
  }

  async put(key: string, value: unknown): Promise<void> {
    await this.#ask("readwrite", (store) => [store.put(value, key)]);
  }

  async putAll(values: ReadonlyMap<string, unknown>): Promise<void> {
    await this.#ask("readwrite", (store) => [...values].map(([key, value]) => store.put(value, key)));
  }

  async drop(key: string): Promise<void> {
    await this.#ask("readwrite", (store) => [store.delete(key)]);
  }

  async clear(): Promise<void> {
    await this.#ask("readwrite", (store) => [store.clear()]);
  }

  /** Make some requests in one transaction; they are answered when it is done. */
  async #ask<const R extends readonly IDBRequest[]>(
    mode: IDBTransactionMode,
    ask: (store: IDBObjectStore) => R,
  ): Promise<{ [N in keyof R]: R[N] extends IDBRequest<infer T> ? T : never }> {
    try {
      const transaction = (await this.#open()).transaction(STORE, mode);
      const requests = ask(transaction.objectStore(STORE));
      await done(transaction);
      return requests.map((request) => request.result as unknown) as never;
    } catch (error) {
      this.#database = null;
      throw new ShelfError(troubleOf(error), error);
    }
  }

  #open(): Promise<IDBDatabase> {
    this.#database ??= openDatabase(this.name, [STORE]).then((database) => {
      database.onclose = database.onversionchange = () => {
        database.close();
        this.#database = null;
      };
      return database;
    });
    return this.#database;
  }
}

/** Browsers without room say so by this name; everything else is a lock on the door. */
const troubleOf = (error: unknown): ShelfTrouble =>
  (error as { name?: string } | null)?.name === "QuotaExceededError" ? "full" : "forbidden";

function done(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error("aborted"));
  });
}
