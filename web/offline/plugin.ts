/**
 * Writes what a client needs to work without a network, after everything else is built: the service worker
 * with the list of all files. The pages are there by then (`pages.ts`).
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { Plugin } from "vite";
import { FOLDERS } from "../src/lib/router.ts";

/** What the service worker knows about a build (`sw.js` says what each means). */
export interface Build {
  readonly version: string;
  readonly entry: string;
  readonly files: Readonly<Record<string, string>>;
  readonly pages: readonly string[];
  readonly folders: boolean;
}

const SCRIPT = new URL("sw.js", import.meta.url);
const PAGE = "index.html";
/**
 * Files that no page loads: texts for people, and pictures for other systems' shelves. And networks: they are large,
 * and the engine keeps those that were used (`src/engine/networks.ts`).
 */
const UNUSED = /\.txt$|^icon-180\.png$|\.net$/;

/** `folders`: for a host that has nothing but files. */
export function offline({ folders }: { folders: boolean }): Plugin {
  return {
    name: "catinthebox-offline",
    apply: "build",
    enforce: "post",
    writeBundle: {
      order: "post",
      sequential: true,
      handler({ dir = "" }, bundle) {
        const entry =
          Object.values(bundle).find((one) => one.type === "chunk" && one.isEntry && one.name === "index")
            ?.fileName ?? "";
        writeFileSync(join(dir, "sw.js"), serviceWorker(buildOf(dir, { entry, folders })));
      },
    },
  };
}

/** The build that is in a folder. Its version is a hash of everything in it, and of the worker itself. */
export function buildOf(dir: string, { entry, folders }: Pick<Build, "entry" | "folders">): Build {
  const names = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) =>
      join(one.parentPath, one.name)
        .slice(dir.length + 1)
        .split(sep)
        .join("/"),
    )
    .filter((name) => !/(^|\/)\./.test(name) && name !== "sw.js" && !UNUSED.test(name))
    .sort();
  const digests = names.map((name) => [name, digest(readFileSync(join(dir, name)))] as const);
  const version = digest(JSON.stringify(digests), readFileSync(SCRIPT));
  const files = Object.fromEntries(
    digests.map(([name, hash]) => (isPage(name) ? [folderOf(name), ""] : [name, hash])),
  );
  return {
    version: version.slice("sha256-".length, "sha256-".length + 12),
    entry,
    files,
    pages: FOLDERS,
    folders,
  };
}

/** The text of the worker for a build. */
export const serviceWorker = (build: Build): string =>
  `const BUILD = ${JSON.stringify(build, null, 1)};\n\n${readFileSync(SCRIPT, "utf8")}`;

const isPage = (name: string): boolean => name === PAGE || name.endsWith(`/${PAGE}`);

const folderOf = (name: string): string => name.slice(0, -PAGE.length);

/** A hash as browsers write it (Subresource Integrity). */
function digest(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return `sha256-${hash.digest("base64")}`;
}
