/**
 * A page for every kind of address. They all have the same script; each asks at once for the files that its address needs,
 * which that script would find out about one after the other. Where cards are played, or were, it has the outlines of a
 * board, which need no script: `src/style/first.css` draws them, `src/start.ts` waits for them, and `src/lib/first.ts` takes
 * them away.
 */

import { readFileSync } from "node:fs";
import type { Plugin, Rolldown } from "vite";

interface Page {
  /** The component that shows it. */
  readonly component: string;
  /** It has the outlines of a board: of a game, or of one that is shown again. */
  readonly board?: "game" | "replay";
  /** It is nothing without the worker and its rules. */
  readonly engine?: true;
}

/** By where they are. `KEY` stands for any key; a host that has nothing but files has a page for the folder only. */
export const PAGES: Readonly<Record<string, Page>> = {
  "learn/": { component: "src/pages/learn/Learn.svelte" },
  "rules/": { component: "src/pages/rules/RulesPage.svelte" },
  "settings/": { component: "src/pages/settings/SettingsPage.svelte" },
  "daily/": { component: "src/pages/daily/DailyPage.svelte" },
  "daily/KEY/": { component: "src/pages/daily/DailyPage.svelte" },
  "games/": { component: "src/pages/games/GamesPage.svelte" },
  "games/KEY/": { component: "src/pages/games/KeptPage.svelte", board: "replay" },
  "review/": { component: "src/pages/review/ReviewPage.svelte" },
  "review/KEY/": { component: "src/pages/review/ReviewPage.svelte", engine: true },
  "g/KEY/": { component: "src/pages/replay/ReplayPage.svelte", board: "replay" },
  "t/KEY/": { component: "src/pages/table/TablePage.svelte", board: "game" },
  "w/KEY/": { component: "src/pages/table/TablePage.svelte", board: "game" },
  "play/KEY/": { component: "src/pages/table/LocalPage.svelte", board: "game", engine: true },
};

const INDEX = "index.html";
const MAIN = "src/main.ts";
const START = "src/start.ts";
const APP = '<div id="app"></div>';
const NAME = "Cat in the Box"; // in every language
const SPRITE = new URL("src/art/sprite.svg", import.meta.url);
const LOGO = /<symbol id="logo" viewBox="([^"]*)">(.*?)<\/symbol>/s;
const SCRIPT = /<script type="module"[^>]* src="([^"]*)"><\/script>/;
const ENGINE = /(^|\/)(worker-[^/]*\.js|rules-[^/]*\.wasm)$/;

/** `folders`: for a host that has nothing but files. */
export function pages({ folders }: { folders: boolean }): Plugin {
  return {
    name: "catinthebox-pages",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const first = bundle[INDEX];
        if (first?.type !== "asset") throw new Error(`there is no ${INDEX}`);
        const plain = String(first.source);
        const main = filesOf(MAIN, bundle);
        const [start = ""] = filesOf(START, bundle);
        first.source = withLinks(plain, main, { base: folders ? "./" : "/" });
        for (const [name, page] of Object.entries(PAGES)) {
          const place = folders ? name.replace("KEY/", "") : name;
          if (place !== name && place in PAGES) continue;
          const files = [...main, ...filesOf(page.component, bundle)];
          if (page.engine) files.push(...Object.keys(bundle).filter((file) => ENGINE.test(file)));
          const deeper = folders ? plain.replaceAll(/((?:href|src)=")\.\//g, "$1../") : plain;
          const base = folders ? "../" : "/";
          const text = withLinks(deeper, files, { base, later: Boolean(page.board) });
          this.emitFile({
            type: "asset",
            fileName: place + INDEX,
            source: withBoard(text, page, base + start),
          });
        }
      },
    },
  };
}

/** The scripts and styles that a module is made of. */
function filesOf(module: string, bundle: Rolldown.OutputBundle): readonly string[] {
  const found = new Set<string>();
  const collect = (chunk: Rolldown.OutputChunk): void => {
    if (found.has(chunk.fileName)) return;
    found.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
    for (const name of chunk.imports) {
      const next = bundle[name];
      if (next?.type === "chunk") collect(next);
    }
  };
  const own = Object.values(bundle).find(
    (one) =>
      one.type === "chunk" && one.moduleIds.some((id) => id.replaceAll("\\", "/").endsWith(`/${module}`)),
  );
  if (own?.type !== "chunk") throw new Error(`pages.ts: ${module} is in no file`);
  collect(own);
  return [...found];
}

/** `later`: what the page has without them comes first. */
function withLinks(
  text: string,
  files: readonly string[],
  { base, later = false }: { base: string; later?: boolean },
): string {
  const links = [...new Set(files)]
    .filter((file) => !text.includes(`${base}${file}"`))
    .map(
      (file) =>
        `  <link ${kindOf(file)}${later ? ' fetchpriority="low"' : ""} crossorigin href="${base}${file}">`,
    );
  return text.replace("</head>", () => `${links.join("\n  ")}\n  </head>`);
}

/** As the bundler and the worker ask for a file later, so that it does not come twice. */
function kindOf(file: string): string {
  if (file.endsWith(".js")) return 'rel="modulepreload"';
  return `rel="preload" as="${file.endsWith(".css") ? "style" : "fetch"}"`;
}

/**
 * The logo and the name of the game lie on the board: paper alone would not say what is on its way. The script that waits for
 * them finds the client's own by its link.
 */
function withBoard(text: string, { board }: Page, start: string): string {
  if (!board) return text;
  const [, box, logo] = LOGO.exec(readFileSync(SPRITE, "utf8")) ?? [];
  if (!logo || !text.includes(APP) || !SCRIPT.test(text))
    throw new Error(`pages.ts: no logo, ${APP} or script`);
  const drawing = `<i></i><p><svg viewBox="${box}">${logo}</svg>${NAME}</p>`;
  const outlines = `<div id="first" class="${board}" aria-hidden="true">${drawing}</div>`;
  return text
    .replaceAll('rel="modulepreload" crossorigin', 'rel="modulepreload" fetchpriority="low" crossorigin')
    .replace(SCRIPT, (script, address: string) =>
      [
        script.replace(address, start),
        `<link id="main" rel="modulepreload" fetchpriority="low" crossorigin href="${address}">`,
      ].join("\n    "),
    )
    .replace(APP, () => `${outlines}\n    ${APP}`);
}
