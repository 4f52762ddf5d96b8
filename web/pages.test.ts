// The pages of a build: what each asks for, and what is drawn before any script.
import { expect, it } from "vitest";
import { FOLDERS, routeOf } from "./src/lib/router";
import { PAGES, pages } from "./pages";

const PLAIN = (base: string): string =>
  `<html><head><link href="${base}icon.svg"><script type="module" crossorigin src="${base}assets/main-2.js"></script></head><body><div id="app"></div></body></html>`;

/** As much of a build as is looked at: every page has a script and a style of its own, and shares another. */
function built(folders: boolean): Record<string, string> {
  const chunk = (fileName: string, module: string, imports: readonly string[] = []): object => ({
    type: "chunk",
    fileName,
    imports,
    moduleIds: [`/somewhere/web/${module}`],
    viteMetadata: { importedCss: new Set([fileName.replace(".js", ".css")]) },
  });
  const own = [...new Set(Object.values(PAGES).map((page) => page.component))];
  const bundle: Record<string, object> = {
    "index.html": { type: "asset", source: PLAIN(folders ? "./" : "/") },
    "assets/main-2.js": chunk("assets/main-2.js", "src/main.ts"),
    "assets/shared-3.js": chunk("assets/shared-3.js", "src/shared.ts", ["assets/main-2.js"]),
    "assets/start-1.js": chunk("assets/start-1.js", "src/start.ts"),
    "assets/worker-4.js": { type: "asset" },
    "assets/rules-5.wasm": { type: "asset" },
  };
  for (const module of own) {
    const file = `assets/${module.replaceAll("/", "_")}.js`;
    bundle[file] = chunk(file, module, ["assets/shared-3.js"]);
  }
  const found: Record<string, string> = {};
  const context = {
    emitFile: ({ fileName, source }: { fileName: string; source: string }) => void (found[fileName] = source),
  };
  const { handler } = pages({ folders }).generateBundle as unknown as {
    handler: (this: typeof context, options: object, bundle: Record<string, object>) => void;
  };
  handler.call(context, {}, bundle);
  const first = bundle["index.html"] as { source: string };
  return { "index.html": first.source, ...found };
}

const linksOf = (text: string): string[] =>
  [...text.matchAll(/<link [^>]*href="([^"]*assets[^"]*)"/g)].map((one) => one[1]!);

it("has a page for every kind of path, as the router knows them", () => {
  const kinds = Object.keys(PAGES).map((name) => `/${name.replace("KEY", "2026")}`);
  expect(new Set(kinds.map((path) => path.split("/")[1]))).toEqual(new Set(FOLDERS));
  for (const path of kinds) expect(routeOf(path).page).not.toBe("nowhere");
});

it("asks for everything that a page is made of, each once", () => {
  for (const [name, text] of Object.entries(built(false))) {
    const links = linksOf(text);
    expect(new Set(links).size).toBe(links.length);
    expect(links).toContain("/assets/main-2.css");
    const own = PAGES[name.replace("index.html", "")];
    if (!own) continue;
    const file = `/assets/${own.component.replaceAll("/", "_")}`;
    expect(links).toEqual(expect.arrayContaining([`${file}.js`, `${file}.css`, "/assets/shared-3.js"]));
    expect(links.includes("/assets/worker-4.js")).toBe(Boolean(own.engine));
  }
});

it("draws outlines where a board will be, and begins the client once they are drawn", () => {
  for (const [name, text] of Object.entries(built(false))) {
    const { board } = PAGES[name.replace("index.html", "")] ?? {};
    expect(text.includes(`<div id="first" class="${board}"`)).toBe(Boolean(board));
    expect(/assets[^>]*>/.test(text) && text.includes('fetchpriority="low"')).toBe(Boolean(board));
    const [, script] = /<script [^>]*src="([^"]*)"/.exec(text) ?? [];
    expect(script).toBe(board ? "/assets/start-1.js" : "/assets/main-2.js");
    expect(/<link id="main" [^>]*href="\/assets\/main-2.js"/.test(text)).toBe(Boolean(board));
    expect(text).toContain('<div id="app"></div>');
    expect(text).not.toMatch(/<style|style=/); // the server's policy allows none
  }
});

it("has a page in every folder of a site, with addresses from there", () => {
  const site = built(true);
  expect(Object.keys(site).sort()).toEqual(
    ["index.html", ...FOLDERS.map((name) => `${name}/index.html`)].sort(),
  );
  for (const [name, text] of Object.entries(site)) {
    const base = name === "index.html" ? "./" : "../";
    for (const [, address] of text.matchAll(/(?:href|src)="([^"]*)"/g))
      expect(address!.startsWith(base)).toBe(true);
  }
});
