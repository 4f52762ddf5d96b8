/**
 * Opens a database of this browser. Stores that are missing, because another version or a script has made the
 * database, are added: its content stays.
 */

const PATIENCE_MS = 8_000;

/** The browser did not answer at all; asking again would be no better until the page is loaded anew. */
export class DatabaseSilent extends Error {
  override readonly name = "DatabaseSilent";
}

/** Open a database that has at least these stores, in whatever version it is. */
export async function openDatabase(name: string, stores: readonly string[]): Promise<IDBDatabase> {
  const database = await requested(name, stores);
  if (stores.every((store) => database.objectStoreNames.contains(store))) return database;
  const { version } = database;
  database.close();
  return requested(name, stores, version + 1);
}

function requested(name: string, stores: readonly string[], version?: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version); // without a version: as it is
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new DatabaseSilent("the database does not answer"));
    }, PATIENCE_MS);
    const settled = (settle: () => void) => (): void => (clearTimeout(timer), settle());
    request.onupgradeneeded = () => {
      const known = request.result.objectStoreNames;
      for (const store of stores) if (!known.contains(store)) request.result.createObjectStore(store);
    };
    request.onsuccess = settled(() => (isLate ? request.result.close() : resolve(request.result)));
    request.onerror = settled(() => reject(request.error ?? new Error("not opened")));
    request.onblocked = settled(() => reject(new Error("another tab holds an older database open")));
  });
}
