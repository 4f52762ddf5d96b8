import { describe, expect, it } from "vitest";
import { barsOf } from "./bars";
import { changeWords, lossWords, percent, tenths } from "./numbers";
import { actionWords, doWords, intervalWords, named, parts } from "./words";

describe("numbers", () => {
  it("have one decimal, and a real minus sign where they are less than nothing", () => {
    expect([tenths(4.62), tenths(-0.51), tenths(-0.04), tenths(3)]).toEqual(["4.6", "−0.5", "0.0", "3.0"]);
  });

  it("tell a loss with its sign, and no loss as nothing", () => {
    expect([lossWords(2.04), lossWords(0.04), lossWords(0)]).toEqual(["−2.0", "0", "0"]);
  });

  it("tell a change with its sign", () => {
    expect([changeWords(0.5), changeWords(-0.9), changeWords(0.01)]).toEqual(["+0.5", "−0.9", "0"]);
  });

  it("tell shares in percent", () => expect(percent(0.094)).toBe("9%"));
});

describe("actions", () => {
  it("are read from their notation", () => {
    expect(["-5", "=2", "4b"].map(named)).toEqual([
      { kind: "discard", rank: 5 },
      { kind: "bid", bid: 2 },
      { kind: "play", rank: 4, color: "b" },
    ]);
  });

  it("have a name, and a name for doing them", () => {
    expect(["-5", "=2", "4b"].map(actionWords)).toEqual(["Set the 5 aside", "Bid 2", "Blue 4"]);
    expect(["-5", "=2", "4b"].map(doWords)).toEqual(["Set the 5 aside", "Bid 2", "Play blue 4"]);
  });
});

it("finds what is strong in a sentence, also at its ends", () => {
  expect(parts("*0.4* instead of *1.3*")).toEqual([
    { text: "0.4", strong: true },
    { text: " instead of ", strong: false },
    { text: "1.3", strong: true },
  ]);
});

describe("bars", () => {
  const all = [
    { points: 4, within: 0.5 },
    { points: 1, within: 0.2 },
    { points: -1, within: 1 },
  ];

  it("begin at zero, end at the mean, and stay inside with their intervals", () => {
    const { zero, bars } = barsOf(all);
    for (const [n, bar] of bars.entries()) {
      expect([bar.from, bar.to]).toEqual(all[n]!.points < 0 ? [bar.mean, zero] : [zero, bar.mean]);
      expect(bar.low).toBeGreaterThanOrEqual(0);
      expect(bar.high).toBeLessThanOrEqual(1);
      expect((bar.low + bar.high) / 2).toBeCloseTo(bar.mean);
    }
  });

  it("keep the order of the points, and show where the best one ends", () => {
    const { best, bars } = barsOf(all);
    expect(bars.map(({ mean }) => mean)).toEqual([...bars.map(({ mean }) => mean)].sort((a, b) => b - a));
    expect(best).toBe(bars[0]!.mean);
  });

  it("have room where nothing is expected at all", () => {
    expect(barsOf([{ points: 0, within: 0 }]).bars[0]).toEqual({ from: 0, to: 0, low: 0, high: 0, mean: 0 });
  });
});

it("writes no interval narrower than it is, and rounds none that is exact", () => {
  const ends = (mean: number, within: number): number[] =>
    intervalWords(mean, within).replaceAll("−", "-").split(" to ").map(Number);
  for (const [mean, within] of [
    [2.63, 0.01],
    [-0.02, 0.03],
    [1.27, 0.55],
  ] as const) {
    const [from, to] = ends(mean, within);
    expect(from).toBeLessThanOrEqual(mean - within);
    expect(to).toBeGreaterThanOrEqual(mean + within);
  }
  expect(ends(4.6, 0.3)).toEqual([4.3, 4.9]);
});
