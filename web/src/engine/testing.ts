import { readFileSync } from "node:fs";
import { join } from "node:path";
import { start, type Engine } from "./module";

/** The engine, for tests; also for those with the globals of a browser, whose `URL` knows no files. */
export const startEngine = (): Promise<Engine> =>
  start(readFileSync(join(import.meta.dirname, "generated/rules.wasm")));
