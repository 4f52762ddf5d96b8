import { globSync, readFileSync } from "node:fs";
import { defineConfig, mergeConfig } from "vitest/config";
import vite from "./vite.config.ts";

// Files that replace modules (`vi.mock`) get a process each. All others share processes, with modules of their own
// (fresh.ts), which takes half the time.
const ALL = ["src/**/*.test.ts", "offline/**/*.test.ts", "*.test.ts"];
// Tests that draw components need the Svelte of browsers.
const COMPONENTS = ["src/**/*.component.test.ts"];
const ALONE = globSync(ALL).filter((file) => readFileSync(file, "utf8").includes("vi.mock("));
const SHARED = { isolate: false, setupFiles: ["fresh.ts"] };

export default defineConfig((env) =>
  mergeConfig(vite(env), {
    test: {
      projects: [
        { extends: true, test: { name: "alone", include: ALONE } },
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
