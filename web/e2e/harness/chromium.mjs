// A Chromium: the one that is named, one on the path, or the one fetched into e2e/chromium.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const FETCHED = join(import.meta.dirname, "../chromium");
// Only these: the fetched one's own defaults contain --single-process, which dies with a second context.
const ARGS = ["--no-sandbox", "--disable-dev-shm-usage"];

/** One that somebody installed; nothing if there is none. */
export function installedChromium() {
  if (process.env.CATINTHEBOX_CHROMIUM) return process.env.CATINTHEBOX_CHROMIUM;
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) =>
    existsSync(path),
  );
}

async function fetchedChromium() {
  if (!existsSync(join(FETCHED, "node_modules"))) throw new Error("no Chromium: see web/e2e/README.md");
  const script = createRequire(join(FETCHED, "package.json")).resolve("@sparticuz/chromium");
  const { default: packed } = await import(pathToFileURL(script));
  return packed.executablePath();
}

/** Start it. */
export async function openChromium() {
  const executablePath = installedChromium() ?? (await fetchedChromium());
  return chromium.launch({ executablePath, args: ARGS });
}
