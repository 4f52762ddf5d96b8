import { describe, expect, it } from "vitest";
import type { Replayed } from "../net/replay";
import replayed from "../pages/replay/replayed.json";
import { bestRoundOf, highlightsOf, roundsOf, type RoundPlayed } from "./highlights";

const game = replayed as unknown as Replayed;
const rounds = roundsOf(game);
const changed = (more: object, tricks: RoundPlayed["tricks"] = []): RoundPlayed => ({
  shown: { ...rounds[0]!.shown, ...more },
  tricks,
});
const dull = {
  groups: [1, 1, 1],
  bids: [1, 1, 1],
  won: [2, 2, 2],
  end: { paradox: null, hand: [], scores: [0, 0, 0] },
};

describe("the rounds of a game", () => {
  it("are those that were played to their end, with every trick", () => {
    expect(rounds.length).toBeGreaterThan(0);
    for (const { shown, tricks } of rounds) {
      expect(shown.end).not.toBe(null);
      expect(tricks).toHaveLength(shown.won.reduce((all, won) => all + won, 0));
      for (const { winner } of tricks) expect(shown.won[winner]).toBeGreaterThan(0);
    }
  });
});

describe("highlights", () => {
  it("are few, and of different kinds", () => {
    const kinds = highlightsOf(rounds).map((one) => one.kind);
    expect(kinds.length).toBeLessThanOrEqual(4);
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  it("name the largest group, and not a small one", () => {
    const found = highlightsOf([changed({ ...dull }), changed({ ...dull, groups: [2, 6, 3] })]);
    expect(found).toEqual([{ kind: "group", seat: 1, round: 2, size: 6 }]);
    expect(highlightsOf([changed(dull)])).toEqual([]);
  });

  it("name the last paradox", () => {
    const ends = (paradox: number | null) => changed({ ...dull, end: { ...dull.end, paradox } });
    expect(highlightsOf([ends(0), ends(2), ends(null)])).toEqual([{ kind: "paradox", seat: 2, round: 2 }]);
  });

  it("name the lowest card that took a trick", () => {
    const tricks = [
      { winner: 0, action: "8b" },
      { winner: 2, action: "2r" },
      { winner: 1, action: "5g" },
    ];
    expect(highlightsOf([changed(dull, tricks)])).toEqual([
      { kind: "low", seat: 2, round: 1, rank: 2, color: "r" },
    ]);
    expect(highlightsOf([changed(dull, tricks.slice(2))])).toEqual([]);
  });

  it("name the one whose bids were best, without the one who caused a paradox", () => {
    const kept = changed({ ...dull, bids: [2, 2, 1] });
    const caused = changed({ ...dull, bids: [2, 2, 1], end: { ...dull.end, paradox: 0 } });
    expect(highlightsOf([kept, kept, caused]).find((one) => one.kind === "bids")).toEqual({
      kind: "bids",
      seat: 1,
      kept: 3,
      rounds: 3,
    });
  });

  it("find the best round of a seat", () => {
    const scored = (scores: number[]) => changed({ ...dull, end: { ...dull.end, scores } });
    expect(bestRoundOf([scored([1, 0, 0]), scored([5, 0, 0]), scored([5, 9, 0])], 0)).toBe(1);
  });
});
