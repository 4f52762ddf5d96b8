// A Chromium: the one that is named, one on the path, or the one fetched into e2e/chromium.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";
import { unpackedChromium } from "./unpack.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
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

/** Where it is. */
export const chromiumPath = async () => installedChromium() ?? (await unpackedChromium());

/** Start it. */
export const openChromium = async () => chromium.launch({ executablePath: await chromiumPath(), args: ARGS });

/** Come to one that somebody else has started, by its port; to close it is to leave it. */
export const overPort = (port) => chromium.connectOverCDP(`http://127.0.0.1:${port}`);
