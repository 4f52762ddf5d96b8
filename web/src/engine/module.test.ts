import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { DIGEST, FACES, LANE, OVER, PHASE, RED, SIZE, TURN, WEIGHTS } from "./generated/rules";
import { start, type Engine } from "./module";

const bytes = readFileSync(new URL("./generated/rules.wasm", import.meta.url));
let engine: Engine;

beforeAll(async () => {
  engine = await start(bytes);
});

describe("the module", () => {
  it("is the one that the declarations were made with", async () => {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    expect(Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")).toBe(DIGEST);
  });

  it("plays whole rounds", () => {
    engine.within(() => {
      const players = 4;
      const touch = engine.row(4 * LANE, FACES.white.touch);
      const weights = engine.row(WEIGHTS[players]!.length, WEIGHTS[players]);
      const [s, view, ratings] = [engine.row(SIZE), engine.row(SIZE), engine.row(4 * LANE)];
      let g = engine.shuffled_deal(s, players, 0, engine.seeded(7, 1));
      while (Number(engine.view(s)[PHASE]) !== OVER) {
        const seat = Number(engine.view(s)[TURN]);
        engine.observe(s, seat, view);
        g = engine.step(g);
        const action = engine.careful_action(view, seat, weights, touch, ratings, g);
        expect(engine.broken(s, seat, action)).toBe(0n);
        engine.act(s, seat, action);
      }
      expect(engine.seat_score(s, 0, touch)).toBeTypeOf("bigint");
    });
  });

  it("starts from an answer of a server, whatever its type", async () => {
    for (const type of ["application/wasm", "application/octet-stream"]) {
      const answer = new Response(bytes, { headers: { "Content-Type": type } });
      expect((await start(Promise.resolve(answer))).seeded(1, 2)).toBe(engine.seeded(1, 2));
    }
    await expect(start(new Response("", { status: 404 }))).rejects.toThrow("status 404");
  });
});

describe("its memory", () => {
  it("gives rows of zeros, also where others were before", () => {
    const used = engine.within(() => {
      const row = engine.row(3, [1, 2n, -3]);
      expect([...engine.view(row)]).toEqual([1n, 2n, -3n]);
      return row.ptr;
    });
    engine.within(() => {
      const row = engine.row(3);
      expect(row.ptr).toBe(used);
      expect([...engine.view(row)]).toEqual([0n, 0n, 0n]);
    });
  });

  it("shows rows of tables and lanes of cells", () => {
    engine.within(() => {
      const table = engine.table(2, 3);
      engine.view(engine.rowOf(table, 1))[2] = 5n;
      expect([...engine.view(table)]).toEqual([0n, 0n, 0n, 0n, 0n, 5n]);
      const cells = engine.row(1, [(1n << BigInt(LANE)) | 4n]);
      expect([...engine.lanes(cells)].slice(RED, 2)).toEqual([4, 1]);
    });
  });

  it("grows, up to its limit", () => {
    engine.within(() => {
      const large = engine.row(1_000_000);
      engine.view(large)[999_999] = 1n;
      expect(engine.view(large).length).toBe(1_000_000);
      expect(() => engine.row(10_000_000)).toThrow("more than they may have");
      expect(engine.row(1).ptr).toBe(large.ptr + 8_000_000);
    });
  });
});
