import { describe, expect, it } from "vitest";
import { apart, linesOf, roundX, signsAt, type Point } from "./curve";

/** A sign on a phone is as large as this in the units of the picture, and in Japanese. */
const near = (one: Point, other: Point): boolean =>
  Math.abs(middle(one) - middle(other)) < 120 && Math.abs(one.y - other.y) < 26;

/** The sign of the last round ends before the signs of the seats. */
const middle = ({ x }: Point): number => Math.min(x, 402 - 60);

describe("the curve of the scores", () => {
  it("begins together, and is higher for more points", () => {
    const [low, high] = linesOf([
      [1, 5],
      [2, 3],
    ]);
    expect(low!.points[0]).toEqual(high!.points[0]);
    expect(low!.points).toHaveLength(3);
    expect([low!.total, high!.total]).toEqual([3, 8]);
    expect(high!.points[2]!.y).toBeLessThan(low!.points[2]!.y);
  });

  it("goes below the start where points are lost", () => {
    const [line] = linesOf([[-3]]);
    expect(line!.points[1]!.y).toBeGreaterThan(line!.points[0]!.y);
  });

  it("is one path through all of its points", () => {
    const [line] = linesOf([[1], [2], [3]]);
    expect(line!.path.match(/[MC]/g)).toEqual(["M", "C", "C", "C"]);
    for (const { x, y } of line!.points) expect(line!.path).toContain(`${x} ${y.toFixed(1)}`);
  });

  it("keeps its labels apart, in the order of the lines", () => {
    const heights = apart([100, 101, 102, 20]);
    const sorted = [...heights].sort((a, b) => a - b);
    sorted.slice(1).forEach((height, n) => expect(height - sorted[n]!).toBeGreaterThanOrEqual(28));
    expect(heights[3]).toBe(Math.min(...heights));
    expect(heights[0]).toBeLessThan(heights[1]!);
  });

  it("keeps labels inside the picture when all end at the bottom", () => {
    for (const height of apart([274, 274, 274, 274, 274])) expect(height).toBeLessThanOrEqual(274);
  });

  it("keeps the sign of a paradox away from the names of the rounds", () => {
    for (const point of linesOf([[-1], [-2], [-3]])[0]!.points)
      expect(signsAt([point])[0]!.y).toBeLessThanOrEqual(274);
    expect(signsAt([{ x: 91, y: 100 }])).toEqual([{ x: 91, y: 118 }]);
  });

  it("keeps the signs of paradoxes from each other, whatever the game", () => {
    const games = [1, 2, 3, 4, 5].flatMap((step) =>
      [2, 3, 4, 5].map((rounds) =>
        Array.from({ length: rounds }, (_, round) => ({
          x: roundX(round + 1, rounds),
          y: 18 + ((round * step * 61) % 257),
        })),
      ),
    );
    const level = Array.from({ length: 5 }, (_, round) => ({ x: roundX(round + 1, 5), y: 150 }));
    for (const points of [
      ...games,
      level,
      level.map(({ x }) => ({ x, y: 274 })),
      level.map(({ x }) => ({ x, y: 18 })),
    ]) {
      const signs = signsAt(points);
      expect(signs.map(({ x }) => x)).toEqual(points.map(({ x }) => x));
      for (const [n, one] of signs.entries())
        for (const other of signs.slice(0, n)) expect(near(one, other)).toBe(false);
    }
  });

  it("spreads the rounds over the width", () => {
    expect(roundX(0, 4)).toBe(16);
    expect(roundX(4, 4)).toBe(392);
  });
});
