/**
 * Where local games are kept: a database of this browser. Where that is forbidden or full, games last
 * as long as the worker, and the caller is told.
 */

import { DatabaseSilent, openDatabase } from "../../lib/database";

const DATABASE = "catinthebox";
/**
 * Tables that go on, by id; games that were played to their end, by `ID.NUMBER`; what the calendar of daily deals has,
 * by the id of the table, and par by `par DATE`.
 */
export type Shelf = "tables" | "finished" | "daily";
const SHELVES: readonly Shelf[] = ["tables", "finished", "daily"];

/** Something to keep. */
export interface Entry {
  readonly shelf: Shelf;
  readonly key: string;
  readonly value: unknown;
}

/** As much of a keeper as a table needs; tests bring their own. */
export interface Keeper {
  /**
   * Keep all of these, or none; false if they last only as long as this worker. Throws `WrittenElsewhere` if
   * somebody else has written the first of them meanwhile.
   */
  put(entries: readonly Entry[]): Promise<boolean>;
  /** What was kept; undefined if there is nothing. Throws if that cannot be found out. */
  get(shelf: Shelf, key: string): Promise<unknown>;
  drop(shelf: Shelf, key: string): Promise<void>;
  /** Everything on a shelf, by key. */
  all(shelf: Shelf): Promise<ReadonlyMap<string, unknown>>;
}

/** Another tab has written a table since this keeper has read or written it. */
export class WrittenElsewhere extends Error {
  override readonly name = "WrittenElsewhere";
}

/** Tables have a version; whatever else is kept does not change. */
const versionOf = (value: unknown): unknown => (value as { version?: unknown } | undefined)?.version;

const nameOf = (shelf: Shelf, key: string): string => `${shelf} ${key}`;

export class BrowserKeeper implements Keeper {
  /** Tables that are newer than what the database has of them. */
  readonly #newer = new Map<string, unknown>();
  /** What could not be read: the database may have it, so nothing is written over it. */
  readonly #unread = new Set<string>();
  /** The versions that the database has, as far as this keeper knows. */
  readonly #versions = new Map<string, unknown>();
  #database: Promise<IDBDatabase> | null = null;

  async put(entries: readonly Entry[]): Promise<boolean> {
    const isKept = await this.#write(entries).catch((error: unknown) => {
      if (error instanceof WrittenElsewhere) throw error;
      return false; // no room, or a private window
    });
    for (const { shelf, key, value } of entries) {
      if (isKept) this.#newer.delete(nameOf(shelf, key));
      else if (shelf === "tables") this.#newer.set(nameOf(shelf, key), value);
    }
    return isKept;
  }

  async get(shelf: Shelf, key: string): Promise<unknown> {
    const name = nameOf(shelf, key);
    if (this.#newer.has(name)) return this.#newer.get(name);
    this.#unread.add(name);
    const found = await this.#in(
      [shelf],
      "readonly",
      (store) => store(shelf).get(key) as IDBRequest<unknown>,
    );
    this.#unread.delete(name);
    this.#versions.set(name, versionOf(found));
    return found;
  }

  async drop(shelf: Shelf, key: string): Promise<void> {
    this.#newer.delete(nameOf(shelf, key));
    await this.#in([shelf], "readwrite", (store) => store(shelf).delete(key)).catch(() => undefined);
  }

  async all(shelf: Shelf): Promise<ReadonlyMap<string, unknown>> {
    let keys: IDBRequest<IDBValidKey[]> | null = null;
    const found = this.#in([shelf], "readonly", (store) => {
      keys = store(shelf).getAllKeys();
      return store(shelf).getAll() as IDBRequest<unknown[]>;
    });
    const values = await found.catch(() => []);
    return new Map(values.map((value, n) => [String(keys!.result[n]), value]));
  }

  async #write(entries: readonly Entry[]): Promise<boolean> {
    if (entries.some(({ shelf, key }) => this.#unread.has(nameOf(shelf, key)))) return false;
    let isOther = false;
    const writing = this.#in(SHELVES, "readwrite", (store) =>
      this.#checked(entries[0]!, store, (other) => {
        isOther = other;
        if (!other) for (const { shelf, key, value } of entries) store(shelf).put(value, key);
      }),
    );
    await writing.catch((error: unknown) => {
      throw isOther ? new WrittenElsewhere() : error;
    });
    for (const { shelf, key, value } of entries) this.#versions.set(nameOf(shelf, key), versionOf(value));
    return true;
  }

  /** Go on if the database has what this keeper knows, or nothing; otherwise say so and give up. */
  #checked({ shelf, key }: Entry, store: Store, go: (isOther: boolean) => void): IDBRequest<unknown> {
    const found = store(shelf).get(key) as IDBRequest<unknown>;
    found.onsuccess = () => {
      const known = this.#versions.get(nameOf(shelf, key));
      const isOther = found.result !== undefined && versionOf(found.result) !== known;
      go(isOther);
      if (isOther) store(shelf).transaction.abort();
    };
    return found;
  }

  // ── The database ───────────────────────────────────────────────────────────────────────────

  /** Make a request; a connection that has gone bad, as on a phone that slept, is replaced once. */
  async #in<T>(shelves: readonly Shelf[], mode: IDBTransactionMode, ask: Ask<T>): Promise<T> {
    try {
      return await transacted(await this.#open(), shelves, mode, ask);
    } catch (error) {
      if (error instanceof DatabaseSilent) throw error;
      await this.#close();
      return transacted(await this.#open(), shelves, mode, ask);
    }
  }

  #open(): Promise<IDBDatabase> {
    this.#database ??= openDatabase(DATABASE, SHELVES).then((database) => {
      database.onclose = () => (this.#database = null); // the browser has thrown it away
      database.onversionchange = () => (database.close(), (this.#database = null));
      return database;
    });
    this.#database.catch((error: unknown) => {
      if (!(error instanceof DatabaseSilent)) this.#database = null; // perhaps it is allowed next time
    });
    return this.#database;
  }

  async #close(): Promise<void> {
    const database = this.#database;
    this.#database = null;
    await database?.then((open) => open.close()).catch(() => undefined);
  }
}

type Store = (shelf: Shelf) => IDBObjectStore;
/** Requests of one transaction, and the one whose answer counts. */
type Ask<T> = (store: Store) => IDBRequest<T>;

/** Make requests; they are done when their transaction is. */
function transacted<T>(
  database: IDBDatabase,
  shelves: readonly Shelf[],
  mode: IDBTransactionMode,
  ask: Ask<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction([...shelves], mode, { durability: "relaxed" });
    const request = ask((shelf) => transaction.objectStore(shelf));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = transaction.onerror = () =>
      reject(transaction.error ?? request.error ?? new Error("the transaction was aborted"));
  });
}
