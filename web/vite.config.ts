import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

/** `--mode gallery` builds the developers' gallery of scenes instead of the client. */
export default defineConfig(({ mode }) => ({
  plugins: [
    paraglideVitePlugin({
      project: "./project.inlang",
      outdir: "./src/paraglide",
      strategy: ["localStorage", "preferredLanguage", "baseLocale"],
      localStorageKey: "catinthebox.language",
      emitTsDeclarations: false,
    }),
    svelte(),
  ],
  // The worker of the rules (src/engine) is a module, like everything else.
  worker: { format: "es" },
  build: {
    outDir: mode === "gallery" ? "shots/out/site" : "../src/catinthebox/server/web",
    emptyOutDir: true,
    // The server sends `script-src 'self'`: nothing may end up inside the page itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    // light-dark() has to reach the browser as it is: cards are light paper in a dark room.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    rollupOptions: { input: mode === "gallery" ? "gallery.html" : "index.html" },
  },
}));
