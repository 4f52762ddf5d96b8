// The Chromium that npm fetched, unpacked; `node e2e/harness/unpack.mjs` does it ahead of time.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const FETCHED = join(import.meta.dirname, "../chromium");
const UNPACKED = join(FETCHED, "node_modules/.unpacked"); // npm removes it with the version it belongs to

/** Where it is. Several processes may ask at once, and none of them ever finds half of it. */
export async function unpackedChromium() {
  if (!existsSync(join(FETCHED, "node_modules"))) throw new Error("no Chromium: see web/e2e/README.md");
  if (!existsSync(UNPACKED)) await unpack();
  return join(UNPACKED, "chromium");
}

/** The package unpacks into the folder for temporary files only, so its process gets one of its own. */
async function unpack() {
  const script = pathToFileURL(createRequire(join(FETCHED, "package.json")).resolve("@sparticuz/chromium"));
  const work = `import("${script}").then((it) => it.default.executablePath())`;
  const draft = mkdtempSync(`${UNPACKED}-`);
  try {
    await promisify(execFile)(process.execPath, ["-e", work], { env: { ...process.env, TMPDIR: draft } });
    renameSync(draft, UNPACKED);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(UNPACKED)) throw error; // else another process was faster
  }
}

if (process.argv[1] === import.meta.filename) await unpackedChromium();
