/** A local table says what Python's table says, for the same deals and actions (`make.py`). */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { start, type Engine } from "../module";
import recorded from "./games.json";
import { isFace, type FaceName } from "./faces";
import type { LocalSeat } from "./saved";
import { LocalTable, opened, type Audience, type Dealer, type Step } from "./table";

type Recorded = (typeof recorded)[number];

const OMITTED = new Set(["at", "table", "settings", "commitment", "nonces", "secret", "ack"]);

/** Canonical JSON: sorted keys, and nothing that differs between a server and a page. */
function canonical(found: unknown): string {
  if (Array.isArray(found)) return `[${found.map(canonical).join(",")}]`;
  if (found === null || typeof found !== "object") return JSON.stringify(found);
  const kept = Object.entries(found).filter(([key]) => !OMITTED.has(key));
  kept.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${kept.map(([key, value]) => `${JSON.stringify(key)}:${canonical(value)}`).join(",")}}`;
}

const digest = (messages: unknown): string =>
  createHash("sha256").update(canonical(messages)).digest("hex").slice(0, 10);

let engine: Engine;
beforeAll(async () => {
  engine = await start(readFileSync(new URL("../generated/rules.wasm", import.meta.url)));
});

/** A table that deals what was dealt in a recorded game. */
function tableOf(game: Recorded): LocalTable {
  let round = 0;
  const dealer: Dealer = { starter: () => game.starter, deal: () => game.rounds[round++]! };
  const seats = game.seats.map((name): LocalSeat =>
    name ? { kind: "person", name } : { kind: "bot", level: "sharp" },
  );
  const face: FaceName = isFace(game.face) ? game.face : "white";
  return new LocalTable(engine, opened("t", { face, seats }, 0), () => 0, dealer);
}

const audiences = (game: Recorded): Audience[] => [
  ...game.seats.map((_, seat) => ({ seat, open: true })),
  { seat: null, open: false },
];

describe.each(recorded.map((game) => [`${game.seats.length} ${game.face}`, game] as const))(
  "%s",
  (_, game) => {
    test("every frame and snapshot is that of Python's table", () => {
      const table = tableOf(game);
      const told: Step[] = [...table.do({ type: "Start" }, 0)];
      const shots: string[] = [];
      for (const { moves } of game.rounds) {
        for (const move of moves.split(" ")) {
          const [seat, action] = move.split(":") as [string, string];
          told.push(...table.do({ type: "Act", action }, Number(seat)));
        }
        shots.push(digest(audiences(game).map((audience) => table.snapshot(audience))));
        if (table.stage === "between") told.push(...table.do({ type: "Ready" }, 0));
      }
      const frames = told.map((step) =>
        digest(audiences(game).map((audience) => table.frame(step, audience))),
      );
      expect(frames).toEqual(game.frames.split(" "));
      expect(shots.slice(0, -1)).toEqual(game.snapshots);
      expect(table.stage).toBe("over");
    });
  },
);

test("a table goes on from any decision of a game as if it had been played there", () => {
  const [game] = recorded;
  const table = tableOf(game!);
  table.do({ type: "Start" }, 0);
  for (const move of game!.rounds[0]!.moves.split(" ").slice(0, -1)) {
    const { starter, rounds } = table.saved;
    const seats = table.saved.seats.map((_, seat): LocalSeat =>
      table.round!.toAct[0] === seat ? { kind: "person", name: "Ada" } : { kind: "bot", level: "sharp" },
    );
    const again = new LocalTable(engine, opened("t", { face: "white", seats, from: { starter, rounds } }, 0));
    const shown = ({ round, own }: ReturnType<LocalTable["snapshot"]>): unknown => [round, own];
    for (const seat of table.round!.toAct)
      expect(shown(again.snapshot({ seat, open: true }))).toEqual(
        shown(table.snapshot({ seat, open: true })),
      );
    expect([again.stage, again.saved.again, again.round!.toAct]).toEqual(["play", true, table.round!.toAct]);
    const [seat, action] = move.split(":") as [string, string];
    again.do({ type: "Act", action }, Number(seat));
    table.do({ type: "Act", action }, Number(seat));
    expect(again.round!.toAct).toEqual(table.round!.toAct);
  }
});

test("a table does not go on from what cannot have happened", () => {
  const [game] = recorded;
  const { hands, aside } = game!.rounds[0]!;
  const seats = game!.seats.map((name): LocalSeat => ({ kind: "person", name: name || "Bo" }));
  const from = { starter: game!.starter, rounds: [{ hands, aside, moves: ["0:9r"] }] };
  expect(() => new LocalTable(engine, opened("t", { face: "white", seats, from }, 0))).toThrow("0:9r");
});
