/** Bots of every level, on the real module. */

import { beforeAll, expect, test } from "vitest";
import { LEVELS } from "../generated/rules";
import type { Engine } from "../module";
import { notationOf } from "../notation";
import { startEngine, startNetwork } from "../testing";
import { Bots } from "./bots";
import { sightOf } from "./sight";
import { LocalTable, opened } from "./table";

let engine: Engine;
beforeAll(async () => void (engine = await startEngine()));

const SEATS = Array.from({ length: 4 }, () => ({ kind: "bot", level: "sharp" }) as const);

function begun(): LocalTable {
  const dealer = { starter: () => 0, deal: () => ({ hands: HANDS, aside: "" }) };
  const table = new LocalTable(engine, opened("t", { face: "white", seats: SEATS }, 0), () => 0, dealer);
  table.do({ type: "Start" }, 0);
  return table;
}
const HANDS = ["1122334455", "1122334455", "1234566677", "6677788888"];

test.each(Object.keys(LEVELS))("%s plays a whole round by legal actions", async (level) => {
  const [table, bots] = [begun(), new Bots(engine, () => 12345n, startNetwork)];
  while (table.stage === "play") {
    const { seat } = table.botsDue[0]!;
    const action = await bots.choose(sightOf(table, seat), level, new AbortController().signal);
    expect(table.round!.legal(seat)).toContain(action);
    table.do({ type: "Act", action: notationOf(action) }, seat);
  }
  expect(table.stage).toBe("between");
});

test("without its network the strongest level searches, and says so until it is there", async () => {
  const [table, signal] = [begun(), new AbortController().signal];
  let isThere = false;
  const bots = new Bots(
    engine,
    () => 7n,
    (players) => (isThere ? startNetwork(players) : Promise.resolve(null)),
  );
  const action = await bots.choose(sightOf(table, 0), "uncanny", signal);
  expect([table.round!.legal(0).includes(action), bots.isWeaker]).toEqual([true, true]);
  isThere = true;
  const better = await bots.choose(sightOf(table, 0), "uncanny", signal);
  expect([table.round!.legal(0).includes(better), bots.isWeaker]).toEqual([true, false]);
});

test("a decision by a network is the same for every seed", async () => {
  const [table, signal] = [begun(), new AbortController().signal];
  const decide = (seed: bigint): Promise<number> =>
    new Bots(engine, () => seed, startNetwork).choose(sightOf(table, 2), "uncanny", signal);
  expect(await decide(1n)).toBe(await decide(2n));
});

test("for a seed, a decision within a number of rollouts is always the same", async () => {
  const [table, signal] = [begun(), new AbortController().signal];
  const decide = (): Promise<number> => new Bots(engine, () => 7n).choose(sightOf(table, 0), "sharp", signal);
  expect(await decide()).toBe(await decide());
});

test("a search that is no longer wanted stops between two slices, and the next one works", async () => {
  const [table, bots, control] = [begun(), new Bots(engine), new AbortController()];
  const thinking = bots.choose(sightOf(table, 0), "fierce", control.signal);
  control.abort(new Error("taken back"));
  await expect(thinking).rejects.toThrow("taken back");
  const next = await bots.choose(sightOf(table, 0), "sharp", new AbortController().signal);
  expect(table.round!.legal(0)).toContain(next);
});

/** The engine, and what is asked of it: how long the trees have to be, and the rows that are made. */
function watched(): { engine: Engine; trees: number[]; rows: number[] } {
  const [trees, rows] = [[] as number[], [] as number[]];
  const row: Engine["row"] = (length, values) => (rows.push(length), engine.row(length, values));
  const thought_tree: Engine["thought_tree"] = (thought) => {
    const length = engine.thought_tree(thought);
    trees.push(Number(length));
    return length;
  };
  return { engine: { ...engine, row, thought_tree }, trees, rows };
}

test("room for a tree is made once, however many options the later decisions have", async () => {
  const { engine: counting, trees, rows } = watched();
  const [table, bots] = [begun(), new Bots(counting, () => 12345n)];
  while (table.stage === "play") {
    const { seat } = table.botsDue[0]!;
    const action = await bots.choose(sightOf(table, seat), "sharp", new AbortController().signal);
    table.do({ type: "Act", action: notationOf(action) }, seat);
  }
  expect(Math.max(...trees)).toBeGreaterThan(trees[0]!);
  expect(rows.filter((length) => length >= trees[0]!)).toHaveLength(1);
});
