/** The browser's keeper, with a database that fails now and then. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BrowserKeeper, WrittenElsewhere, type Entry } from "./keep";

type Event = "onsuccess" | "onerror" | "oncomplete" | "onabort" | "onupgradeneeded";
type Emitter = Partial<Record<Event, () => void>> & Record<string, unknown>;

/** As much of IndexedDB as the keeper uses: transactions that are done as a whole, or fail. */
class FakeDatabase {
  readonly shelves: Record<string, Map<string, unknown>> = {
    tables: new Map(),
    finished: new Map(),
    daily: new Map(),
  };
  /** How many of the next transactions fail. */
  failures = 0;
  opened = 0;
  version = 1;
  isSilent = false;

  open(_name: string, version = this.version): Emitter {
    this.opened += 1;
    const request: Emitter = {
      result: {
        version,
        objectStoreNames: { contains: (shelf: string) => shelf in this.shelves },
        createObjectStore: (shelf: string) => (this.shelves[shelf] = new Map()),
        transaction: () => this.transaction(),
        close: () => undefined,
      },
    };
    queueMicrotask(() => {
      if (this.isSilent) return;
      if (version > this.version) request.onupgradeneeded?.();
      this.version = version;
      request.onsuccess?.();
    });
    return request;
  }

  transaction(): Emitter {
    const work: (() => void)[] = [];
    const later = (result: () => unknown): Emitter => {
      const request: Emitter = {};
      work.push(() => {
        request.result = result();
        request.onsuccess?.();
      });
      return request;
    };
    const objectStore = (shelf: string): unknown => ({
      transaction: { abort: () => (transaction.isAborted = true) },
      put: (value: unknown, key: string) => later(() => this.shelves[shelf]!.set(key, value)),
      get: (key: string) => later(() => this.shelves[shelf]!.get(key)),
      getAll: () => later(() => [...this.shelves[shelf]!.values()]),
      getAllKeys: () => later(() => [...this.shelves[shelf]!.keys()]),
      delete: (key: string) => later(() => this.shelves[shelf]!.delete(key)),
    });
    const transaction: Emitter = { objectStore, error: new Error("no room") };
    queueMicrotask(() => this.#end(transaction, work));
    return transaction;
  }

  #end(transaction: Emitter, work: readonly (() => void)[]): void {
    if (this.failures > 0) {
      this.failures -= 1;
      transaction.onabort?.();
      return;
    }
    for (const one of work) one(); // a request may make more of them
    if (transaction.isAborted) transaction.onabort?.();
    else transaction.oncomplete?.();
  }
}

let database: FakeDatabase;
beforeEach(() => {
  database = new FakeDatabase();
  vi.stubGlobal("indexedDB", database);
});
afterEach(() => vi.unstubAllGlobals());

const table = (value: unknown): Entry => ({ shelf: "tables", key: "t", value });
const finished: Entry = { shelf: "finished", key: "t.1", value: "record" };

test("what could not be written is newer than what the database has", async () => {
  const keeper = new BrowserKeeper();
  expect(await keeper.put([table("old")])).toBe(true);
  database.failures = Infinity;
  expect(await keeper.put([table("new")])).toBe(false);
  database.failures = 0;
  expect(await keeper.get("tables", "t")).toBe("new");
  expect(await keeper.put([table("newest")])).toBe(true);
  expect(database.shelves.tables!.get("t")).toBe("newest");
});

test("a table that another keeper has dropped stays dropped", async () => {
  const [worker, page] = [new BrowserKeeper(), new BrowserKeeper()];
  await worker.put([table("kept")]);
  await page.drop("tables", "t");
  expect(await worker.get("tables", "t")).toBeUndefined();
});

test("a table and its finished game are kept together, or not at all", async () => {
  const keeper = new BrowserKeeper();
  database.failures = Infinity;
  expect(await keeper.put([table("over"), finished])).toBe(false);
  expect(database.shelves).toEqual({ tables: new Map(), finished: new Map(), daily: new Map() });
  database.failures = 0;
  const transaction = vi.spyOn(database, "transaction");
  expect(await keeper.put([table("over"), finished])).toBe(true);
  expect(transaction).toHaveBeenCalledOnce();
  expect(database.shelves).toEqual({
    tables: new Map([["t", "over"]]),
    finished: new Map([["t.1", "record"]]),
    daily: new Map(),
  });
});

test("a shelf tells everything with its key, and nothing if it cannot be read", async () => {
  const keeper = new BrowserKeeper();
  await keeper.put([table("over"), finished, { shelf: "finished", key: "t.2", value: null }]);
  expect(await keeper.all("finished")).toEqual(
    new Map([
      ["t.1", "record"],
      ["t.2", null],
    ]),
  );
  database.failures = 2;
  expect(await keeper.all("finished")).toEqual(new Map());
});

test("a connection that has gone bad is replaced", async () => {
  const keeper = new BrowserKeeper();
  await keeper.put([table("kept")]);
  database.failures = 1;
  expect(await keeper.get("tables", "t")).toBe("kept");
  expect(database.opened).toBe(2);
});

test("what cannot be read is not unknown, and nothing is written over it", async () => {
  const keeper = new BrowserKeeper();
  await keeper.put([table("kept")]);
  database.failures = 2;
  await expect(keeper.get("tables", "t")).rejects.toThrow("no room");
  expect(await keeper.put([table("another game")])).toBe(false);
  expect(database.shelves.tables!.get("t")).toBe("kept");
  expect(await keeper.get("tables", "t")).toBe("another game"); // for as long as this worker lives
});

test("what could be read at last may be written again", async () => {
  const keeper = new BrowserKeeper();
  await keeper.put([table("kept")]);
  database.failures = 2;
  await expect(keeper.get("tables", "t")).rejects.toThrow("no room");
  expect(await keeper.get("tables", "t")).toBe("kept");
  expect(await keeper.put([table("later")])).toBe(true);
});

const at = (version: number, by: string): Entry => table({ version, by });

test("of two tabs without locks, the second to write hears of it, and writes nothing", async () => {
  const [one, two] = [new BrowserKeeper(), new BrowserKeeper()];
  await one.put([at(1, "one")]);
  await two.get("tables", "t");
  expect(await two.put([at(2, "two")])).toBe(true);
  await expect(one.put([at(2, "one"), finished])).rejects.toThrow(WrittenElsewhere);
  expect(database.shelves.tables!.get("t")).toEqual({ version: 2, by: "two" });
  expect(database.shelves.finished!.size).toBe(0);
  expect(await two.put([at(3, "two")])).toBe(true);
});

test("a tab that could not write for a while is not taken for another one", async () => {
  const keeper = new BrowserKeeper();
  await keeper.put([at(1, "me")]);
  database.failures = 2;
  expect(await keeper.put([at(2, "me")])).toBe(false);
  expect(await keeper.get("tables", "t")).toEqual({ version: 2, by: "me" });
  expect(await keeper.put([at(3, "me")])).toBe(true);
});

test("a database that lacks a store is repaired, and keeps what it has", async () => {
  database.shelves.finished!.set("t.1", "record");
  delete database.shelves.tables;
  const keeper = new BrowserKeeper();
  expect(await keeper.get("tables", "t")).toBeUndefined();
  expect(await keeper.put([table("kept")])).toBe(true);
  expect(database.version).toBe(2);
  expect(database.shelves.finished!.get("t.1")).toBe("record");
});

test("a database that never answers is given up, and not asked before every move", async () => {
  vi.useFakeTimers();
  database.isSilent = true;
  const keeper = new BrowserKeeper();
  const reading = expect(keeper.get("tables", "t")).rejects.toThrow("does not answer");
  await vi.runAllTimersAsync();
  await reading;
  expect(await keeper.put([table("new")])).toBe(false);
  expect(database.opened).toBe(1);
  vi.useRealTimers();
});
