/** Networks are fetched once, when they are wanted, and kept; a bot does not wait for ever. */

import { afterEach, expect, test, vi } from "vitest";
import { Network } from "./network";
import { keptFile, networksFrom } from "./networks";
import { networkFile } from "./testing";

const FILES = { 3: { url: "/assets/3-players-abc.net", integrity: "sha256-x" } };

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a network is loaded once, however many bots ask", async () => {
  const fetched = vi.fn(async () => networkFile(3));
  const find = networksFrom(FILES, fetched);
  const [one, two] = await Promise.all([find(3), find(3)]);
  expect(one).toBeInstanceOf(Network);
  expect([one === two, one?.players, fetched.mock.calls]).toEqual([true, 3, [[FILES[3]]]]);
});

test("one that cannot be had is asked for again, but not at every move", async () => {
  vi.useFakeTimers();
  const fetched = vi.fn(async () => networkFile(3));
  fetched.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  const find = networksFrom(FILES, fetched);
  expect([await find(3), await find(3), fetched.mock.calls.length]).toEqual([null, null, 1]);
  vi.advanceTimersByTime(31_000);
  expect([(await find(3))?.players, fetched.mock.calls.length]).toEqual([3, 2]);
});

test("bots wait for a slow one once, and have it when it is there", async () => {
  vi.useFakeTimers();
  let arrive!: (content: ArrayBuffer) => void;
  const find = networksFrom(FILES, () => new Promise((resolve) => (arrive = resolve)));
  const first = find(3);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([await first, await find(3)]).toEqual([null, null]);
  arrive(networkFile(3));
  await vi.advanceTimersByTimeAsync(0);
  expect((await find(3))?.players).toBe(3);
});

test("a file of other rules, or no network at all, is refused", () => {
  const bytes = new Uint8Array(networkFile(3));
  expect(() => new Network(bytes.slice(0, -1).buffer)).toThrow("not a network: ");
  expect(() => new Network(new TextEncoder().encode("<html>\n\n").buffer)).toThrow("it should begin with");
});

/** As much of the Cache API as is used. */
class FakeCache {
  readonly files = new Map<string, Response>();
  match = async (url: string): Promise<Response | undefined> => this.files.get(url)?.clone();
  put = async (url: string, answer: Response): Promise<void> => void this.files.set(url, answer);
  keys = async (): Promise<{ url: string }[]> => [...this.files.keys()].map((url) => ({ url }));
  delete = async (url: string): Promise<boolean> => this.files.delete(url);
}

const HOME = "https://host.example/cats/assets/";

function browser(cache: FakeCache | null): ReturnType<typeof vi.fn> {
  const fetched = vi.fn(async () => new Response("weights"));
  vi.stubGlobal("location", new URL("worker-1.js", HOME));
  vi.stubGlobal("fetch", fetched);
  vi.stubGlobal("caches", cache ? { open: async () => cache } : { open: () => Promise.reject(new Error()) });
  return fetched;
}

const textOf = (content: ArrayBuffer): string => new TextDecoder().decode(content);

test("a file is kept for later, in place of the one before it", async () => {
  const cache = new FakeCache();
  const fetched = browser(cache);
  cache.files.set(`${HOME}3-players-old.net`, new Response(""));
  cache.files.set(`${HOME}4-players-old.net`, new Response(""));
  const file = { url: `${HOME}3-players-new.net`, integrity: "sha256-x" };
  expect([textOf(await keptFile(file)), textOf(await keptFile(file))]).toEqual(["weights", "weights"]);
  expect(fetched.mock.calls).toEqual([[file.url, { integrity: "sha256-x" }]]);
  expect([...cache.files.keys()].sort()).toEqual([file.url, `${HOME}4-players-old.net`]);
});

test("where nothing can be kept, it is fetched; and what is missing is no network", async () => {
  const fetched = browser(null);
  const file = { url: "3-players-new.net", integrity: "sha256-x" };
  expect(textOf(await keptFile(file))).toBe("weights");
  fetched.mockResolvedValueOnce(new Response("", { status: 404 }));
  await expect(keptFile(file)).rejects.toThrow("404");
});
