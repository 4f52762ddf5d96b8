import { expect, it } from "vitest";
import { next } from "./shared";

it("lets whoever looks go on looking while they may act", () => {
  expect(next([0, 1, 2], [0, 1], 1)).toBe(1);
  expect(next([1], [0, 1], 1)).toBe(1);
});

it("hands the device on to whoever acts next", () => {
  expect(next([0], [0, 1], 1)).toBe(0);
  expect(next([0, 1], [0, 1], null)).toBe(0);
});

it("stays where it is while bots think, and between rounds", () => {
  expect(next([2], [0, 1], 1)).toBe(1);
  expect(next([], [0, 1], 0)).toBe(0);
  expect(next([2], [0, 1], null)).toBe(null);
});
