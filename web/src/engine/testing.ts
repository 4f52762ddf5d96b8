import { readFileSync } from "node:fs";
import { join } from "node:path";
import { start, type Engine } from "./module";
import { Network } from "./network";

/** The engine, for tests; also for those with the globals of a browser, whose `URL` knows no files. */
export const startEngine = (): Promise<Engine> =>
  start(readFileSync(join(import.meta.dirname, "generated/rules.wasm")));

/** The file of a network that ships. */
export const networkFile = (players: number): ArrayBuffer =>
  Uint8Array.from(readFileSync(join(import.meta.dirname, `generated/${players}-players.net`))).buffer;

/** A network that ships. */
export const startNetwork = (players: number): Promise<Network> =>
  Promise.resolve(new Network(networkFile(players)));
