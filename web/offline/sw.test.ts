// The service worker, run in a small world of its own: caches, pages, a network that can fail.
import { createHash } from "node:crypto";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildOf, serviceWorker, type Build } from "./plugin";

const HOME = "https://host.example/cats/";
const ENTRY = "assets/index-1.js";
const PAGE = `<script src="./${ENTRY}"></script>`;
const FILES: Readonly<Record<string, string>> = {
  "index.html": PAGE,
  "learn/index.html": PAGE.replace("./", "../"),
  [ENTRY]: "start()",
  "assets/rules-2.wasm": "\0asm",
  "icon.svg": "<svg/>",
  "license.txt": "free",
  "assets/2-players-3.net": "catinthebox network 1",
};

/** A folder with files, as a build would leave it, and the build that is found there. */
function built(files = FILES, folders = true): Build {
  const dir = mkdtempSync(join(tmpdir(), "offline-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(dir, name, ".."), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  const build = buildOf(dir, { entry: ENTRY, folders });
  rmSync(dir, { recursive: true });
  return build;
}

type Handler = (event: Record<string, unknown>) => void;
type Shelf = Map<string, Response>;

/** As much of a browser as a worker sees. */
class Browser {
  readonly shelves = new Map<string, Shelf>();
  readonly asked: string[] = [];
  pages: { url: string }[] = [{ url: HOME }];
  /** What the network answers, by address; nothing: it fails. */
  network: (path: string) => string | null = (path) =>
    FILES[path === "" || path.endsWith("/") ? `${path}index.html` : path] ?? null;
  skipped = false;

  caches = {
    open: async (name: string) => {
      const shelf: Shelf = this.shelves.get(name) ?? new Map<string, Response>();
      this.shelves.set(name, shelf);
      return {
        match: async (url: string) => shelf.get(url)?.clone(),
        put: async (url: string, answer: Response) => void shelf.set(url, answer),
      };
    },
    match: async (url: string) =>
      [...this.shelves.values()]
        .find((shelf) => shelf.has(url))
        ?.get(url)
        ?.clone(),
    keys: async () => [...this.shelves.keys()],
    delete: async (name: string) => this.shelves.delete(name),
  };

  fetch = async (wanted: string | { url: string }, { integrity = "" } = {}): Promise<Response> => {
    const url = typeof wanted === "string" ? wanted : wanted.url;
    this.asked.push(url.replace(HOME, ""));
    const text = this.network(url.replace(HOME, ""));
    if (text === null) throw new TypeError("Failed to fetch");
    if (integrity && integrity !== hash(text)) throw new TypeError("integrity");
    return new Response(text);
  };

  /** Start the worker of a build. */
  start(build: Build): Worker {
    const handlers = new Map<string, Handler>();
    const self = {
      addEventListener: (type: string, handler: Handler) => handlers.set(type, handler),
      skipWaiting: async () => void (this.skipped = true),
      clients: { claim: async () => undefined, matchAll: async () => this.pages },
    };
    const run = new Function("self", "location", "caches", "fetch", serviceWorker(build));
    run(self, new URL("sw.js", HOME), this.caches, this.fetch);
    return new Worker(handlers);
  }
}

class Worker {
  constructor(readonly handlers: Map<string, Handler>) {}

  async send(type: string, event: Record<string, unknown> = {}): Promise<void> {
    const waits: Promise<unknown>[] = [];
    this.handlers.get(type)?.({ ...event, waitUntil: (work: Promise<unknown>) => waits.push(work) });
    await Promise.all(waits);
  }

  /** The answer to a request; null if the worker leaves it to the browser. */
  async get(path: string, { method = "GET", mode = "navigate" } = {}): Promise<Response | null> {
    const request = { method, mode, url: new URL(path, HOME).href };
    let answer: Promise<Response> | null = null;
    this.handlers.get("fetch")?.({ request, respondWith: (given: Promise<Response>) => (answer = given) });
    return answer;
  }
}

const hash = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;
const textOf = async (answer: Promise<Response | null>): Promise<string> =>
  (await (await answer)?.text()) ?? "-";
const other = (version: string): Build => ({ ...built(), version });

it("lists every file that a page may load, and no other", () => {
  const { files, version } = built();
  expect(files).toEqual({
    "": "",
    "learn/": "",
    [ENTRY]: hash("start()"),
    "assets/rules-2.wasm": hash("\0asm"),
    "icon.svg": hash("<svg/>"),
  });
  expect(built().version).toBe(version);
  expect(built({ ...FILES, "icon.svg": "<svg />" }).version).not.toBe(version);
  expect(built({ ...FILES, "index.html": `${PAGE}!` }).version).not.toBe(version);
});

it("keeps everything, and then needs no network", async () => {
  const browser = new Browser();
  const worker = browser.start(built());
  await worker.send("install");
  expect(browser.asked.sort()).toEqual(Object.keys(built().files).sort());
  browser.network = () => null;
  expect(await textOf(worker.get(""))).toBe(PAGE);
  expect(await textOf(worker.get("learn/"))).toContain("../assets");
  expect(await textOf(worker.get("learn/?Ab3"))).toContain("../assets");
  expect(await textOf(worker.get(ENTRY, { mode: "cors" }))).toBe("start()");
  expect(await textOf(worker.get("assets/rules-2.wasm", { mode: "cors" }))).toBe("\0asm");
});

it("adds the slash that a host would add", async () => {
  const browser = new Browser();
  const worker = browser.start(built());
  await worker.send("install");
  const answer = await worker.get("learn?x");
  expect([answer?.status, answer?.headers.get("Location")]).toEqual([302, `${HOME}learn/?x`]);
  expect((await worker.get("learn"))?.headers.get("Location")).toBe(`${HOME}learn/`);
});

it("takes the name that some hosts write for a folder", async () => {
  const browser = new Browser();
  const worker = browser.start(built());
  await worker.send("install");
  browser.network = () => null;
  expect(await textOf(worker.get("index.html"))).toBe(PAGE);
  expect(await textOf(worker.get("learn/index.html?Ab3"))).toContain("../assets");
});

it("has a page for a kind of path, where it was built, and one for all others", async () => {
  const browser = new Browser();
  const own = { "learn/index.html": `${PAGE}1`, "t/KEY/index.html": `${PAGE}2` };
  const worker = browser.start(built({ ...FILES, ...own }, false));
  browser.network = (path) =>
    ({ ...FILES, ...own })[path === "" || path.endsWith("/") ? `${path}index.html` : path] ?? null;
  await worker.send("install");
  for (const path of ["learn", "learn/"]) expect(await textOf(worker.get(path))).toBe(`${PAGE}1`);
  for (const path of ["t/Ab3", "t/Ab3/"]) expect(await textOf(worker.get(path))).toBe(`${PAGE}2`);
  for (const path of ["", "t", "t/", "g/Ab3.2", "index.html"])
    expect(await textOf(worker.get(path))).toBe(PAGE);
});

it.each([
  "api/v1/tables",
  "api/v1/tables/Ab3/games/1/record.cat",
  "healthz",
  "metrics",
  "icon.svg",
  "https://elsewhere.example/",
])("leaves %s to the network", async (path) => {
  const worker = new Browser().start(built());
  expect(await worker.get(path)).toBeNull();
  expect(await worker.get(path, { method: "POST" })).toBeNull();
  if (path !== "icon.svg") expect(await worker.get(path, { mode: "cors" })).toBeNull();
});

it.each([
  ["icon.svg", "integrity"],
  ["", "another build"],
])("refuses a %j that is not of its build, and goes on from there later", async (wrong, reason) => {
  const browser = new Browser();
  const worker = browser.start(built());
  const real = browser.network;
  browser.network = (path) => (path === wrong ? "<html>Welcome to our hotel" : real(path));
  await expect(worker.send("install")).rejects.toThrow(reason);
  browser.network = real;
  await worker.send("install");
  expect(browser.asked.filter((path) => path === ENTRY)).toHaveLength(1);
  expect(await textOf(worker.get(""))).toBe(PAGE);
});

it("takes unchanged assets from the build before", async () => {
  const browser = new Browser();
  await browser.start(built()).send("install");
  browser.asked.length = 0;
  await browser.start(other("next")).send("install");
  expect(browser.asked.sort()).toEqual(["", "icon.svg", "learn/"]);
});

it("deletes older builds, but not under the feet of a page, and never a newer one", async () => {
  const browser = new Browser();
  await browser.caches.open("catinthebox-shell-1");
  await browser.caches.open("catinthebox-replays");
  await browser.caches.open("catinthebox-files /dogs/ 1");
  const workers = ["1", "2", "3"].map((version) => browser.start(other(version)));
  for (const worker of workers) await worker.send("install");
  const kept = (): string[] =>
    [...browser.shelves.keys()].flatMap((name) => /^catinthebox-files \/cats\/ (.*)/.exec(name)?.[1] ?? []);

  browser.pages = [{ url: HOME }, { url: `${HOME}learn/` }];
  await workers[2]!.send("activate");
  expect(kept()).toEqual(["2", "3"]);
  await browser.start(other("4")).send("install"); // it waits
  browser.pages = [{ url: HOME }, { url: "https://host.example/dogs/" }];
  await workers[2]!.send("message", { data: { type: "tidy" } });
  expect(kept()).toEqual(["3", "4"]);
  expect([...browser.shelves.keys()]).toContain("catinthebox-replays");
  expect([...browser.shelves.keys()]).toContain("catinthebox-files /dogs/ 1");
  expect([...browser.shelves.keys()]).not.toContain("catinthebox-shell-1");
});

it("takes over when it is told to, and not before", async () => {
  const browser = new Browser();
  const worker = browser.start(built());
  await worker.send("install");
  expect(browser.skipped).toBe(false);
  await worker.send("message", { data: { type: "activate" } });
  expect(browser.skipped).toBe(true);
});
