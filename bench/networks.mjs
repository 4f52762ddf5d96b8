// Decisions by networks as the page's worker makes them, for bench/networks.py: reads positions, prints actions and times.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { start } from "../web/src/engine/generated/loader.ts";
import { FACES } from "../web/src/engine/generated/rules.ts";
import { netAction, Network } from "../web/src/engine/network.ts";

const GENERATED = join(import.meta.dirname, "../web/src/engine/generated");
const bytes = (name) => Uint8Array.from(readFileSync(join(GENERATED, name)));

const engine = await start(bytes("rules.wasm"));
const networks = new Map();
const touch = new Map();

function networkFor(players) {
  if (!networks.has(players))
    networks.set(players, new Network(bytes(`${players}-players.net`).buffer));
  return networks.get(players);
}

function touching(face) {
  if (!touch.has(face))
    touch.set(face, engine.row(FACES[face].touch.length, FACES[face].touch));
  return touch.get(face);
}

const [actions, ms] = [[], []];
for (const { players, seat, face, view } of JSON.parse(
  readFileSync(process.argv[2], "utf8"),
)) {
  const [network, sight] = [
    networkFor(players),
    { view: view.map(BigInt), seat, touch: touching(face) },
  ];
  const begin = performance.now();
  actions.push(netAction(engine, network, sight));
  ms.push(performance.now() - begin);
}
console.log(JSON.stringify({ actions, ms }));
