import { describe, expect, it } from "vitest";
import fixtures from "../../gallery/fixtures.json";
import { insightOf } from "../engine/insight";
import { startEngine } from "../engine/testing";
import { askedOf } from "../lib/insight";
import type { Scene, Seat } from "../lib/scene";
import { sceneOf } from "../lib/stage";
import type { TableShown } from "../lib/wire";
import { leadWords, lineWords, lostWords } from "./words";

const tables = fixtures.scenes as unknown as readonly (TableShown & { readonly name: string })[];
const engine = await startEngine();

function scene(name: string): Scene {
  const table = tables.find((one) => one.name === name)!;
  return sceneOf(table, insightOf(engine, askedOf(table)));
}

/** The end of a game with these totals by seat, as seat 0 sees it, or somebody who watches. */
function ended(totals: readonly number[], winners: readonly Seat[], me: Seat | null = 0): Scene {
  const shown = scene("4-final");
  const lines = totals
    .map((total, seat) => ({
      ...shown.result!.lines.find((line) => line.seat === seat)!,
      total,
      place: 1 + totals.filter((other) => other > total).length,
    }))
    .sort((a, b) => b.total - a.total);
  return { ...shown, me, result: { ...shown.result!, lines, winners } };
}

describe("who is ahead", () => {
  it("leads while there are rounds to come", () => {
    for (const name of ["4-result", "5-paradox", "3-paradox-mine"])
      expect(leadWords(scene(name))).toContain("lead");
  });

  it("has won after the last round, and everybody else has a place", () => {
    expect(leadWords(ended([9, 5, 4, 1], [0]))).toBe("You win!");
    expect(leadWords(ended([5, 9, 4, 1], [1]))).toBe("Mira wins! You come second.");
    expect(leadWords(ended([1, 9, 4, 5], [1]))).toBe("Mira wins! You come fourth.");
    expect(leadWords(ended([9, 9, 4, 5], [0, 1]))).toBe("You share the victory with Mira!");
    expect(leadWords(ended([4, 9, 9, 5], [1, 2]))).toBe("Mira and Tesla share the victory! You come fourth.");
    expect(leadWords(ended([5, 9, 4, 1], [1], null))).toBe("Mira wins!");
  });

  it("is second with as many points, where the last round has decided", () => {
    expect(leadWords(ended([9, 9, 4, 5], [1]))).toBe("Mira wins! You come second.");
  });
});

describe("a seat that caused a paradox", () => {
  it("is told that its bid was kept, and what became of its group", () => {
    const { result, me } = scene("4-paradox-kept");
    const mine = result!.lines.find((line) => line.seat === me)!;
    expect(lostWords(mine)).toBe("bid kept, but the paradox costs the group");
    expect(lineWords(scene("4-paradox-kept"), mine, true)).toContain(lostWords(mine));
    expect(lostWords({ ...mine, bid: null })).toBe("the paradox costs the group");
  });

  it("is told nothing of a group that would not have counted anyway", () => {
    for (const line of [...scene("5-paradox").result!.lines, ...scene("4-result").result!.lines])
      expect(lostWords(line)).toBe("");
  });
});
