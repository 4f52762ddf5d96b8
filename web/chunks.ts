// Which modules share a file. Left alone, the bundler makes a file for every set of pages that share something: the
// first page came in 40 files, most of them no larger than the head of an HTTP response.
import { fileURLToPath } from "node:url";

/** What the bundler tells a function that names files. */
interface Graph {
  getModuleInfo(
    id: string,
  ): { readonly importedIds: readonly string[]; readonly code?: string | null } | null;
}

/** Files that several pages share are at least this large, in bytes of source; those of a board, four times as large. */
const SMALL = 5_000;
const MESSAGES = /[\\/]paraglide[\\/]messages/;
/** A text has a module of its own, and is used by its name: `m.home_play()`. */
const TEXT = /[\\/]paraglide[\\/]messages[\\/](\w+)\.js$/;
const USED = /\bm\.(\w+)/g;

/** Whether a module is a part of another one, and loaded with it. */
function partOf(ends: readonly string[]): (id: string, graph: Graph) => boolean {
  let parts: ReadonlySet<string> | null = null;
  return (id, graph) => (parts ??= collected(ends, graph)).has(id);
}

function collected(ends: readonly string[], graph: Graph): ReadonlySet<string> {
  const found = new Set<string>();
  const collect = (id: string): void => {
    if (found.has(id) || MESSAGES.test(id)) return; // through the list of all messages, everything has all of them
    found.add(id);
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) collect(next);
  };
  for (const end of ends) collect(idOf(end, graph));
  return found;
}

/** Whether a module is a text that these modules, or parts of them, use. */
function textOf(ends: readonly string[]): (id: string, graph: Graph) => boolean {
  let names: ReadonlySet<string> | null = null;
  return (id, graph) => {
    const [, name] = TEXT.exec(id) ?? [];
    if (!name) return false;
    names ??= new Set(
      [...collected(ends, graph)].flatMap((one) => textsIn(graph.getModuleInfo(one)?.code ?? "")),
    );
    return names.has(name);
  };
}

const textsIn = (code: string): string[] => [...code.matchAll(USED)].map((one) => one[1]!);

/** The bundler writes paths with slashes everywhere. */
function idOf(path: string, graph: Graph): string {
  const id = fileURLToPath(new URL(path, import.meta.url)).replaceAll("\\", "/");
  if (!graph.getModuleInfo(id)) throw new Error(`chunks.ts: ${path} is no module of the client`);
  return id;
}

const isOfAll = partOf(["index.html", "src/main.ts"]);
const HOME = ["src/pages/home/Home.svelte"];
const isOfHome = partOf(HOME);
const isTextOfHome = textOf(HOME);
const isOfChoices = partOf([
  "src/ceremony/sound/SoundChoice.svelte",
  "src/pages/parts/Speed.svelte",
  "src/store/attention.ts",
]);
const isOfBoard = partOf([
  "src/table/Table.svelte",
  "src/store/insights.svelte.ts",
  "src/store/linger.ts",
  "src/store/memory.ts",
  "src/ceremony/playback.ts",
  "src/pages/parts/Toasts.svelte",
]);
const isOfGame = partOf(["src/pages/table/TablePage.svelte", "src/pages/table/Game.svelte"]);

/** The texts of several pages, what every page has, the parts of the first page that others have, too, choices, a board, a game. */
export const groups = [
  { name: "words", test: MESSAGES, minShareCount: 4, priority: 6 },
  { name: (id: string, graph: Graph) => (isOfAll(id, graph) ? "base" : null), priority: 4 },
  {
    name: (id: string, graph: Graph) => (isTextOfHome(id, graph) ? "shared" : null),
    minShareCount: 2,
    priority: 5,
  },
  {
    name: (id: string, graph: Graph) => (isOfHome(id, graph) ? "shared" : null),
    minShareCount: 2,
    priority: 3,
  },
  {
    name: (id: string, graph: Graph) => (isOfChoices(id, graph) ? "choices" : null),
    minShareCount: 2,
    priority: 2,
  },
  {
    name: (id: string, graph: Graph) => (isOfBoard(id, graph) ? "board" : null),
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 4 * SMALL,
    priority: 2,
  },
  {
    name: (id: string, graph: Graph) => (isOfGame(id, graph) ? "game" : null),
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: SMALL,
    priority: 1,
  },
];

/** The bundler adds the names of all pages that share a file. */
export const shortName = (name: string): string => name.split("~")[0]!;
