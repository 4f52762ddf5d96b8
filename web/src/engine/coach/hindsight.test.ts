import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Engine } from "../module";
import { replayRecord } from "../records/positions";
import { startEngine } from "../testing";
import { hindsightOf } from "./hindsight";

const text = readFileSync(join(import.meta.dirname, "../../pages/replay/replayed.cat"), "utf8");
const never = new AbortController().signal;
let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});

test("hindsight has every legal action of a decision, the best one first, and is always the same", async () => {
  const replayed = replayRecord(engine, text);
  if (!replayed.ok) throw new Error(replayed.problem.message);
  const second = replayed.found.positions.findIndex(({ game }, n) => n > 0 && game?.round === 2);
  for (const step of [0, 4, 12, second - 2]) {
    const { move } = replayed.found.positions[step + 1]!;
    const { legal } = replayed.found.positions[step]!.own[Number(move[0])]!;
    const found = await hindsightOf(engine, { text, round: 1, step }, never);
    expect(found.map(({ action }) => action).sort()).toEqual([...legal].sort());
    expect(found.map(({ points }) => points)).toEqual(
      [...found.map(({ points }) => points)].sort((a, b) => b - a),
    );
    for (const { within, paradox, bonus } of found) {
      expect(within).toBeGreaterThanOrEqual(0);
      for (const share of [paradox, bonus]) expect(share >= 0 && share <= 1).toBe(true);
    }
    expect(await hindsightOf(engine, { text, round: 1, step }, never)).toEqual(found);
  }
});

test("hindsight of the last play of a round is what came", async () => {
  const replayed = replayRecord(engine, text);
  if (!replayed.ok) throw new Error(replayed.problem.message);
  const { positions } = replayed.found;
  const end = positions.findIndex(({ round }) => round.end);
  const [seat, action] = [Number(positions[end]!.move[0]), positions[end]!.move.slice(2)];
  const found = await hindsightOf(engine, { text, round: 1, step: end - 1 }, never);
  const came = found.find((one) => one.action === action)!;
  expect([came.points, came.within]).toEqual([positions[end]!.round.end!.scores[seat], 0]);
});

test("hindsight is given up when nobody waits for it", async () => {
  await expect(hindsightOf(engine, { text, round: 1, step: 4 }, AbortSignal.abort())).rejects.toThrow();
});
