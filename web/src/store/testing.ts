/** For tests: a shelf in memory that behaves like the browser's. */

import { ShelfError, type Shelf, type ShelfTrouble } from "./shelf";

export class MemoryShelf implements Shelf {
  readonly values = new Map<string, unknown>();
  /** Why nothing can be kept, or read, from now on. */
  trouble: ShelfTrouble | null = null;

  #may(): void {
    if (this.trouble) throw new ShelfError(this.trouble, null);
  }

  async all(): Promise<ReadonlyMap<string, unknown>> {
    return (this.#may(), new Map(this.values));
  }

  async get(key: string): Promise<unknown> {
    return (this.#may(), this.values.get(key));
  }

  async put(key: string, value: unknown): Promise<void> {
    await this.putAll(new Map([[key, value]]));
  }

  async putAll(values: ReadonlyMap<string, unknown>): Promise<void> {
    this.#may();
    for (const [key, value] of values) this.values.set(key, structuredClone(value));
  }

  async drop(key: string): Promise<void> {
    this.#may();
    this.values.delete(key);
  }

  async clear(): Promise<void> {
    this.#may();
    this.values.clear();
  }
}
