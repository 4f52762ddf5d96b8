/**
 * Where a browser forbids `localStorage`, even reading its name throws, also in code that is not ours: the
 * texts look there for the language, and the page stayed blank. A stand-in lasts as long as the page.
 * Import this before anything else.
 */

/** Put a stand-in where there is no storage that can be read. */
export function provideStorage(scope: { readonly localStorage: Storage } = globalThis): void {
  try {
    void scope.localStorage.length;
  } catch {
    Object.defineProperty(scope, "localStorage", { value: standIn(), configurable: true });
  }
}

function standIn(): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (n) => [...values.keys()][n] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    clear: () => values.clear(),
  };
}

if (typeof window !== "undefined") provideStorage();
