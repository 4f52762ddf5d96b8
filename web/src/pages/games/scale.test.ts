import { expect, it } from "vitest";
import { drawn } from "./samples";
import { at, scaleOf, thinned } from "./scale";

it("holds all values, with a few round numbers at even distances", () => {
  const draw = drawn(7);
  for (let n = 0; n < 500; n += 1) {
    const size = 10 ** (draw(6) - 3);
    const values = Array.from({ length: 1 + draw(6) }, () => (draw(2_000) - 1_000) * size);
    const scale = scaleOf(values, undefined, 3);
    for (const value of values) {
      expect(scale.low).toBeLessThanOrEqual(value + size * 1e-6);
      expect(scale.high).toBeGreaterThanOrEqual(value - size * 1e-6);
    }
    expect(scale.ticks.length).toBeGreaterThan(1);
    expect(scale.ticks.length).toBeLessThan(7);
    expect([at(scale, scale.low), at(scale, scale.high)]).toEqual([0, 1]);
  }
});

it("stays within what is possible", () => {
  for (const values of [[0.9, 1], [0, 0.02], [0], [1], [0.5]]) {
    const { low, high } = scaleOf(values, [0, 1]);
    expect(low).toBeGreaterThanOrEqual(0);
    expect(high).toBeLessThanOrEqual(1);
    expect(low).toBeLessThan(high);
  }
});

it("thins a list, and keeps its ends", () => {
  const list = Array.from({ length: 100 }, (_, n) => n);
  const few = thinned(list, 7);
  expect([few.length, few[0], few.at(-1)]).toEqual([7, 0, 99]);
  expect(new Set(few).size).toBe(7);
  expect(thinned([1, 2], 7)).toEqual([1, 2]);
});
