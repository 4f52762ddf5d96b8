/** Many positions at once: the same outputs as one at a time in 64-bit floats, up to the order of sums. */

import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { BATCH } from "./batch";
import { CAREFUL, FACES, INPUTS, LANES, OVER, PHASE, RATINGS, SIZE, TURN, WEIGHTS } from "./generated/rules";
import type { Engine } from "./module";
import { netAction, Network, smallNumbers } from "./network";
import { networkFile, startEngine } from "./testing";

const TABLES = [2, 3, 4, 5];
const TOLERANCE = 1e-4; // a tenth of what counts as nearly equal

interface Moment {
  readonly view: readonly bigint[];
  readonly seat: number;
  readonly inputs: Float64Array;
}

let engine: Engine;
beforeAll(async () => void (engine = await startEngine()));
afterEach(() => vi.unstubAllGlobals());

/** What the seats to act see in a round of careful players. */
function* moments(players: number, seed: number): Generator<Moment> {
  const [s, view, inputs] = [engine.row(SIZE), engine.row(SIZE), engine.row(INPUTS)];
  const weights = engine.row(WEIGHTS[players]!.length, WEIGHTS[players]);
  const model = [weights, engine.row(LANES, FACES.white.touch), engine.row(RATINGS)] as const;
  let g = engine.shuffled_deal(s, players, 0, engine.seeded(seed, players));
  while (Number(engine.view(s)[PHASE]) !== OVER) {
    const seat = Number(engine.view(s)[TURN]);
    engine.observe(s, seat, view);
    engine.write_inputs(view, seat, model[1], inputs);
    yield {
      view: [...engine.view(view)],
      seat,
      inputs: Float64Array.from(smallNumbers(engine, inputs)),
    };
    g = engine.act_once(s, CAREFUL, ...model, g);
  }
}

test.each(TABLES)("batches of %i players' positions are computed as single ones", (players) => {
  const network = new Network(networkFile(players));
  const batch = network.batch!;
  const some = [...moments(players, 1)].slice(-BATCH);
  for (const count of [1, 3, some.length]) {
    some.slice(0, count).forEach(({ inputs }, n) => batch.inputs.set(inputs, INPUTS * n));
    const found = batch.outputs(count);
    expect(found.length).toBe(count * batch.width);
    some.slice(0, count).forEach(({ inputs }, n) => {
      const exact = network.outputs(inputs);
      const row = found.slice(n * batch.width);
      expect(Math.max(...exact.map((value, at) => Math.abs(value - row[at]!)))).toBeLessThan(TOLERANCE);
    });
  }
});

test.each(TABLES)("without vector instructions %i players' networks choose the same", (players) => {
  const fast = new Network(networkFile(players));
  const touch = engine.row(LANES, FACES.white.touch);
  const some = [...moments(players, 2)];
  const chosen = some.map(({ view, seat }) => netAction(engine, fast, { view, seat, touch }));
  expect(fast.batch).not.toBeNull();
  vi.stubGlobal("WebAssembly", { ...WebAssembly, validate: () => false });
  const slow = new Network(networkFile(players));
  expect(some.map(({ view, seat }) => netAction(engine, slow, { view, seat, touch }))).toEqual(chosen);
  expect(slow.batch).toBeNull();
});

test("where there is no memory for it, there is no batch, and it is asked for once", () => {
  const grow = vi.fn(() => expect.fail("no memory"));
  class Instance {
    readonly exports = { memory: { buffer: new ArrayBuffer(0), grow } };
  }
  vi.stubGlobal("WebAssembly", { validate: () => true, Module: class {}, Instance });
  const network = new Network(networkFile(3));
  expect(network.batch).toBeNull();
  expect(network.batch).toBeNull();
  expect(grow).toHaveBeenCalledTimes(1);
});
