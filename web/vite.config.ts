import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { groups, shortName } from "./chunks.ts";
import { offline } from "./offline/plugin.ts";
import { pages } from "./pages.ts";

const files = {
  codeSplitting: { groups },
  chunkFileNames: ({ name }: { name: string }) => `assets/${shortName(name)}-[hash].js`,
  assetFileNames: ({ names: [name = ""] }: { names: string[] }) =>
    name.endsWith(".css")
      ? `assets/${shortName(name.slice(0, -4))}-[hash].css`
      : "assets/[name]-[hash][extname]",
};

/**
 * `--mode gallery` builds the developers' gallery of scenes instead of the client; `--mode site`, the client
 * for a host that has nothing but files, in any folder (`make site`).
 */
export default defineConfig(({ mode }) => ({
  base: mode === "site" ? "./" : "/",
  plugins: [
    paraglideVitePlugin({
      project: "./project.inlang",
      outdir: "./src/paraglide",
      strategy: ["localStorage", "preferredLanguage", "baseLocale"],
      localStorageKey: "catinthebox.language",
      emitTsDeclarations: false,
    }),
    svelte(),
    mode === "gallery" ? null : pages({ folders: mode === "site" }),
    mode === "gallery" ? null : offline({ folders: mode === "site" }),
  ],
  // The worker of the rules (src/engine) is a module, like everything else.
  worker: { format: "es" },
  build: {
    outDir: { gallery: "shots/out/site", site: "../site" }[mode] ?? "../src/catinthebox/server/web",
    emptyOutDir: true,
    // The server sends `script-src 'self'`: nothing may end up inside the page itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    // light-dark() has to reach the browser as it is: cards are light paper in a dark room.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    rollupOptions: {
      input: mode === "gallery" ? "gallery.html" : { index: "index.html", start: "src/start.ts" },
      output: mode === "gallery" ? {} : files,
      checks: { bundlerTimings: false }, // how long plugins take is nothing to act on for people who build
    },
  },
}));
