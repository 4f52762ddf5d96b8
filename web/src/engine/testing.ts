/** For tests in Node: the real module. */

import { readFileSync } from "node:fs";
import { start, type Engine } from "./module";

export const startEngine = (): Promise<Engine> =>
  start(readFileSync(new URL("./generated/rules.wasm", import.meta.url)));
