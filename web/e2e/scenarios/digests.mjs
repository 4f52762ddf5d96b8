// The module that the page loads plays as published: digests over 100,000 rounds each, computed in the browser.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { FACES, FOLLOW, SIZE, UNIFORM } from "../../src/engine/generated/rules.ts";
import { check, same } from "../harness/check.mjs";
import { SMALL } from "../harness/world.mjs";

const PUBLISHED = join(import.meta.dirname, "../../../vectors/playouts.sha256");
const POLICIES = { uniform: UNIFORM, follow: FOLLOW };
const NUMBERS = { seed: 2020, rounds: 100_000, atOnce: 20_000, size: SIZE };

export default async function digests(world) {
  const page = await world.visitor("/", SMALL);
  const files = await page.evaluate(async () => (await fetch("sw.js")).text());
  const address = /assets\/rules-[^"]+\.wasm/.exec(files)?.[0];
  check(address, "the list of files names the module");
  const lines = (await readFile(PUBLISHED, "utf8")).trim().split("\n");
  check(lines.length === 12, "a digest for each table and policy");
  for (const [published, name] of lines.map((line) => line.split(" "))) {
    const [players, face, policy] = name.split("-");
    const table = {
      players: Number(players),
      policy: POLICIES[policy],
      touch: FACES[face].touch.map(String),
    };
    same(
      await page.evaluate(digestOf, { ...NUMBERS, ...table, address }),
      published,
      `${name}, in the browser`,
    );
  }
}

/** In the page: play all rounds, some at once, and hash their last states, then their scores. */
async function digestOf({ address, players, policy, touch, seed, rounds, atOnce, size }) {
  const [PAGE, NUMBER] = [65536, 8];
  const bytes = await (await fetch(address)).arrayBuffer();
  const { memory, heap, playout_rows } = (await WebAssembly.instantiate(bytes)).instance.exports;
  const states = heap.value + NUMBER * touch.length;
  const scores = states + NUMBER * size * atOnce;
  memory.grow(Math.ceil((scores + NUMBER * players * atOnce) / PAGE));
  new BigInt64Array(memory.buffer, heap.value).set(touch.map(BigInt));
  const hashed = new Uint8Array(NUMBER * (size + players) * rounds);
  for (let first = 0; first < rounds; first += atOnce) {
    const numbers = [seed, first, players, policy].map(BigInt);
    playout_rows(states, NUMBER * size, atOnce, scores, NUMBER * players, ...numbers, heap.value);
    hashed.set(new Uint8Array(memory.buffer, states, NUMBER * size * atOnce), NUMBER * size * first);
    const behind = NUMBER * (size * rounds + players * first);
    hashed.set(new Uint8Array(memory.buffer, scores, NUMBER * players * atOnce), behind);
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", hashed));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
