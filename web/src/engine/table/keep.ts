/**
 * Where local games are kept: a database of this browser. Where that is forbidden or full, games last
 * as long as the worker, and the caller is told.
 */

const DATABASE = "catinthebox";
const VERSION = 1;
/** Tables that go on, by id; games that were played to their end, by `ID.NUMBER`. */
export type Shelf = "tables" | "finished";
const SHELVES: readonly Shelf[] = ["tables", "finished"];

/** As much of a keeper as a table needs; tests bring their own. */
export interface Keeper {
  /** Keep something; false if it lasts only as long as this worker. */
  put(shelf: Shelf, key: string, value: unknown): Promise<boolean>;
  get(shelf: Shelf, key: string): Promise<unknown>;
  drop(shelf: Shelf, key: string): Promise<void>;
  all(shelf: Shelf): Promise<readonly unknown[]>;
}

export class BrowserKeeper implements Keeper {
  readonly #memory = new Map<string, unknown>();
  #database: Promise<IDBDatabase> | null = null;

  async put(shelf: Shelf, key: string, value: unknown): Promise<boolean> {
    this.#memory.set(`${shelf} ${key}`, value);
    try {
      await this.#in(shelf, "readwrite", (store) => store.put(value, key));
      return true;
    } catch {
      return false; // no room, or a private window
    }
  }

  async get(shelf: Shelf, key: string): Promise<unknown> {
    const found = await this.#in(shelf, "readonly", (store) => store.get(key)).catch(() => undefined);
    return found ?? this.#memory.get(`${shelf} ${key}`);
  }

  async drop(shelf: Shelf, key: string): Promise<void> {
    this.#memory.delete(`${shelf} ${key}`);
    await this.#in(shelf, "readwrite", (store) => store.delete(key)).catch(() => undefined);
  }

  async all(shelf: Shelf): Promise<readonly unknown[]> {
    return this.#in(shelf, "readonly", (store) => store.getAll()).catch(() => []);
  }

  /** Make one request; it is done when its transaction is. */
  async #in<T>(
    shelf: Shelf,
    mode: IDBTransactionMode,
    ask: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    const database = await this.#open();
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(shelf, mode, { durability: "relaxed" });
      const request = ask(transaction.objectStore(shelf));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error ?? request.error);
    });
  }

  #open(): Promise<IDBDatabase> {
    this.#database ??= opened().then((database) => {
      database.onclose = () => (this.#database = null); // the browser has thrown it away
      database.onversionchange = () => (database.close(), (this.#database = null));
      return database;
    });
    this.#database.catch(() => (this.#database = null)); // perhaps it is allowed next time
    return this.#database;
  }
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
      const known = request.result.objectStoreNames;
      for (const shelf of SHELVES) if (!known.contains(shelf)) request.result.createObjectStore(shelf);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another tab holds an older database open"));
  });
}
