import { globSync, readFileSync } from "node:fs";
import { defineConfig, mergeConfig } from "vitest/config";
import vite from "./vite.config.ts";

// Files that replace modules (`vi.mock`) get a process each. All others share processes, with modules of their own
// (fresh.ts), which takes half the time.
const ALL = ["src/**/*.test.ts", "offline/**/*.test.ts", "*.test.ts"];
// Tests that draw components need the Svelte of browsers.
const COMPONENTS = ["src/**/*.component.test.ts"];
const ALONE = globSync(ALL).filter((file) => readFileSync(file, "utf8").includes("vi.mock("));
// A machine that does other things, too, takes a while; a test that hangs is still told.
const PATIENCE_MS = 120_000;
const SHARED = { isolate: false, setupFiles: ["patience.ts", "fresh.ts"] };

export default defineConfig((env) =>
  mergeConfig(vite(env), {
    test: {
      testTimeout: PATIENCE_MS,
      hookTimeout: PATIENCE_MS,
      projects: [
        { extends: true, test: { name: "alone", include: ALONE, setupFiles: ["patience.ts"] } },
        {
          extends: true,
          test: { name: "shared", include: ALL, exclude: [...ALONE, ...COMPONENTS], ...SHARED },
        },
        {
          extends: true,
          resolve: { conditions: ["browser"] },
          test: { name: "components", include: COMPONENTS, environment: "happy-dom", ...SHARED },
        },
      ],
    },
  }),
);
