import { describe, expect, it } from "vitest";
import fixtures from "../../gallery/fixtures.json";
import type { ParadoxView } from "../lib/scene";
import { sceneOf } from "../lib/stage";
import type { TableShown } from "../lib/wire";
import { doomedOn, paradoxSteps, waysOut } from "./paradox";

const view = (ranks: readonly number[]): ParadoxView => ({
  seat: 0,
  cards: ranks.map((rank) => ({
    rank,
    copies: 1,
    reasons: [
      { color: "r", why: { kind: "taken", by: 1 } },
      { color: "b", why: { kind: "gave-up", trick: 5 } },
      { color: "y", why: { kind: "taken", by: "neutral" } },
      { color: "g", why: { kind: "taken", by: 0 } },
    ],
  })),
});
const sceneNamed = (name: string) =>
  sceneOf(
    (fixtures.scenes as unknown as (TableShown & { name: string })[]).find((one) => one.name === name)!,
    null,
  );

describe("a paradox", () => {
  it("opens the box before it lays out a card, and ends with the verdict", () => {
    const kinds = paradoxSteps(view([4, 8])).map((step) => step.kind);
    expect(kinds.slice(0, 3)).toEqual(["dark", "shake", "open"]);
    expect(kinds.indexOf("card")).toBe(3);
    expect(kinds.filter((kind) => kind === "strike")).toHaveLength(8);
    expect(kinds.at(-1)).toBe("verdict");
  });

  it("takes less than four seconds, however many cards there are", () => {
    for (const ranks of [[1], [1, 2], [1, 2, 3, 4, 5, 6, 7, 8]]) {
      const sum = paradoxSteps(view(ranks)).reduce((all, step) => all + step.hold, 0);
      expect(sum).toBeLessThan(4000);
    }
  });

  it("lays a card over its column where its cells lie below each other", () => {
    const { board } = sceneNamed("4-follow");
    const [card] = doomedOn(board, view([4]));
    expect(card!.cells).toHaveLength(4);
    expect(card!.column).toBe(board.places.find((place) => place.rank === 4)!.column);
    expect(card!.cells.map((cell) => cell.why?.kind)).toEqual(["taken", "gave-up", "taken", "taken"]);
  });

  it("has no column on a board whose rows are shifted", () => {
    const { board } = sceneNamed("4-purple");
    const columns = new Set(board.places.filter((place) => place.rank === 4).map((place) => place.column));
    expect(columns.size).toBeGreaterThan(1);
    expect(doomedOn(board, view([4]))[0]!.column).toBe(null);
  });

  it("names the colors that were given up, and when", () => {
    expect(waysOut(view([4, 8]))).toEqual([{ color: "b", trick: 5 }]);
  });
});
