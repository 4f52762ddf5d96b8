/** A hint is there soon, without a network if that takes too long, and never becomes worse than it was. */

import { beforeAll, expect, test } from "vitest";
import type { Analysis } from "../../coach/analysis";
import recorded from "../coach/recorded.json";
import type { Engine } from "../module";
import type { FindNetwork } from "../networks";
import { startEngine, startNetwork } from "../testing";
import { touchRow, type FaceName } from "./faces";
import { Hints, type Step } from "./hints";
import type { Sight } from "./sight";

let engine: Engine;
beforeAll(async () => void (engine = await startEngine()));

function sightOf(row: (typeof recorded)[number]): Sight {
  const { seat, players, seen } = row;
  const touch = touchRow(engine, row.face as FaceName);
  const view = row.view.map(BigInt);
  return { seat, players, seen, touch, view, proved: BigInt(row.proved), totals: [], last: false };
}

const forever = { everyMs: 0, patienceMs: Infinity };

async function told(
  steps: readonly Step[],
  network: FindNetwork = startNetwork,
): Promise<(Analysis & { last: boolean })[]> {
  const found: (Analysis & { last: boolean })[] = [];
  const hints = new Hints(engine, { steps, seed: () => 3n, network });
  await hints.advise(sightOf(recorded[1]!), new AbortController().signal, (one, last) => {
    found.push({ ...one, last });
  });
  return found;
}

test("each is of more worlds than the one before, and the last one says so", async () => {
  const found = await told([
    { worlds: 40, ...forever },
    { worlds: 120, ...forever },
  ]);
  const worlds = found.map((one) => one.worlds);
  expect(worlds.slice(0, -1)).toEqual([...new Set(worlds.slice(0, -1))].sort((a, b) => a - b));
  expect(worlds.at(-1)).toBe(120);
  expect(found.map(({ last }) => last)).toEqual(found.map((_, n) => n === found.length - 1));
});

test("a network that does not come in time is not waited for", async () => {
  const never = new Promise<null>(() => undefined);
  const [found] = await told([{ worlds: 4, everyMs: 0, patienceMs: 0 }], () => never);
  expect(found!.actions.map(({ chance }) => chance)).toEqual(found!.actions.map(() => null));
});

test("one that is told to stop tells nothing any more", async () => {
  const control = new AbortController();
  const hints = new Hints(engine, { steps: [{ worlds: 3000, ...forever }], network: startNetwork });
  let times = 0;
  const advised = hints.advise(sightOf(recorded[1]!), control.signal, () => {
    times += 1;
    control.abort();
  });
  await expect(advised).rejects.toThrow("aborted");
  expect(times).toBe(1);
});
