/** An analysis in the page is the one of Python, where that is recorded (make.py); it ends in time, and when it is told to. */

import { beforeAll, expect, test, vi } from "vitest";
import type { Analysis, Judged, Reason } from "../../coach/analysis";
import { touchRow, type FaceName } from "../table/faces";
import type { Engine } from "../module";
import { Network } from "../network";
import { networkFile, startEngine } from "../testing";
import type { Sight } from "../table/sight";
import { Analyst, METHODS, verdictOf } from "./analyse";
import { quantile } from "./ends";
import recorded from "./recorded.json";

vi.setConfig({ testTimeout: 60_000 }); // analyses are work, and a machine may be busy

const SEED = 7n;
const NUMBERS = [
  ...(["points", "within", "loss", "loss_within", "margin", "paradox", "any_paradox", "bid"] as const),
  ...(["tricks", "group", "wins", "dead", "chance"] as const),
];
const CHANCES = 3e-5; // 32-bit floats of a network, added in another order

let engine: Engine;
let analyst: Analyst;
const networks = new Map<number, Network>();
beforeAll(async () => {
  engine = await startEngine();
  analyst = new Analyst(engine);
  for (const players of [2, 3, 4, 5]) networks.set(players, new Network(networkFile(players)));
});

type Recorded = (typeof recorded)[number];

const sightOf = (row: Recorded): Sight => ({
  ...{ seat: row.seat, players: row.players, seen: row.seen, touch: touchRow(engine, row.face as FaceName) },
  ...{ view: row.view.map(BigInt), proved: BigInt(row.proved) },
  ...{ totals: Array<number>(row.players).fill(0), last: false },
});

function analyse(row: Recorded, method: keyof typeof METHODS, worlds: number): Promise<Analysis> {
  const limits = { seed: SEED, method: METHODS[method], worlds };
  return analyst.analyse(sightOf(row), networks.get(row.players)!, limits);
}

/** What Python found about an action, under the names of here. */
function expected(action: string, [verdict, gives, ...numbers]: readonly unknown[]): Judged {
  const named = Object.fromEntries(NUMBERS.map((name, at) => [name, numbers[at]]));
  return { action, verdict, gives, ...named } as unknown as Judged;
}

/** Reasons of Python, whose numbers are rounded. */
const reasons = (rows: readonly unknown[][]): unknown[] =>
  rows.map(([code, favours, numbers]) => {
    const near = Object.entries(numbers as Reason["numbers"]).map(([name, n]) => [
      name,
      expect.closeTo(n, 8),
    ]);
    return { code, favours, numbers: Object.fromEntries(near) as unknown };
  });

/** Whether all numbers agree; but for the network's own opinion, to the last digits. */
function agree(one: Judged, other: Judged): boolean {
  const near = NUMBERS.every((name) => {
    const least = name === "chance" ? CHANCES : 1e-8;
    return Math.abs(one[name]! - other[name]!) <= least;
  });
  return near && one.verdict === other.verdict && one.gives === other.gives;
}

test.each(recorded.map((row, n) => [n, row] as const))(
  "position %i is judged as in Python",
  async (_, row) => {
    for (const { method, worlds, actions, why } of row.found) {
      const found = await analyse(row, method as keyof typeof METHODS, worlds);
      expect(found.worlds).toBe(worlds);
      expect(new Set(found.actions.map(({ action }) => action))).toEqual(new Set(Object.keys(actions)));
      for (const one of found.actions) {
        const python = expected(one.action, (actions as Record<string, unknown[]>)[one.action]!);
        expect([method, one, agree(one, python)]).toEqual([method, one, true]);
        expect(found.why[one.action]).toEqual(reasons((why as Record<string, unknown[][]>)[one.action]!));
      }
    }
  },
);

// ── Limits ────────────────────────────────────────────────────────────────────────────────────

test("it stops when it is told to, and the next one is not disturbed", async () => {
  for (const method of [METHODS.careful, METHODS.network]) {
    const [row] = recorded;
    const control = new AbortController();
    const tell = { ms: 0, found: () => control.abort() };
    const limits = { seed: SEED, method, worlds: 3000, signal: control.signal, tell };
    const stopped = analyst.analyse(sightOf(row!), networks.get(row!.players)!, limits);
    const after = analyse(row!, "careful", 24);
    await expect(stopped).rejects.toThrow("aborted");
    expect(await after).toEqual(await analyse(row!, "careful", 24));
  }
});

test("one that is stopped before it begins does nothing", async () => {
  const [row] = recorded;
  const limits = { seed: SEED, method: METHODS.careful, signal: AbortSignal.abort() };
  await expect(analyst.analyse(sightOf(row!), null, limits)).rejects.toThrow("aborted");
});

test("what is told on the way comes closer to the end, and is complete", async () => {
  const row = recorded.at(-2)!;
  const told: Analysis[] = [];
  const tell = { ms: 0, found: (found: Analysis) => void told.push(found) };
  const limits = { seed: SEED, method: METHODS.careful, worlds: 200, tell };
  const end = await analyst.analyse(sightOf(row), networks.get(row.players)!, limits);
  expect(told.length).toBeGreaterThan(3);
  expect(told.at(-1)).toEqual(end);
  const worlds = told.map((found) => found.worlds);
  expect(worlds).toEqual([...new Set(worlds)].sort((one, other) => one - other));
  for (const { actions } of told) {
    expect(actions.length).toBe(end.actions.length);
    expect(actions.filter(({ verdict }) => verdict === "best")).toEqual([actions[0]]);
    expect(actions.map(({ loss }) => loss >= 0)).not.toContain(false);
  }
});

test("a time that is over leaves two worlds: something is always found", async () => {
  for (const row of recorded.slice(0, 8)) {
    const limits = { seed: SEED, method: METHODS.careful, ms: 0 };
    const { worlds, actions } = await analyst.analyse(sightOf(row), null, limits);
    expect(worlds).toBeGreaterThan(1);
    expect(actions.map(({ chance }) => chance)).toEqual(actions.map(() => null));
  }
});

test("memory is taken once", async () => {
  const row = recorded.at(-1)!;
  const own = await startEngine();
  const sight = { ...sightOf(row), touch: touchRow(own, row.face as FaceName) };
  const [mine, network] = [new Analyst(own), networks.get(row.players)!];
  const sizes: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    for (const method of Object.values(METHODS))
      await mine.analyse(sight, network, { seed: SEED, method, worlds: 4 });
    sizes.push(own.row(0).ptr);
  }
  expect(new Set(sizes).size).toBe(1);
  expect(sizes[0]).toBeLessThan(8 * 2 ** 20);
});

// ── Numbers ───────────────────────────────────────────────────────────────────────────────────

test("intervals are as wide as a normal distribution says", () => {
  expect(quantile(1)).toBeCloseTo(1.959963985, 8);
  expect(quantile(0)).toBe(quantile(1));
  expect(quantile(10)).toBeCloseTo(2.807033768, 8);
});

test("verdicts grow with the loss and shrink with the noise", () => {
  const pairs = [
    [0.2, 0.3],
    [0.2, 0.1],
    [0.6, 0.5],
    [1.5, 0.9],
    [1.5, 0.4],
  ] as const;
  expect(pairs.map(([loss, noise]) => verdictOf(loss, noise))).toEqual([
    ...["close", "fine", "slip", "slip", "mistake"],
  ]);
});
