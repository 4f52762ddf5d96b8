import { expect, it } from "vitest";
import { pause } from "./pause";
import { freshId, freshNonce, freshToken, isToken } from "./token";

it("draws tokens that the server takes, each of them new", () => {
  const tokens = Array.from({ length: 50 }, freshToken);
  expect(tokens.every(isToken)).toBe(true);
  expect(new Set(tokens).size).toBe(50);
  expect(isToken("swordfish")).toBe(false);
  expect(isToken(null)).toBe(false);
});

it("draws nonces of 64 hexadecimal digits, and ids", () => {
  expect(freshNonce()).toMatch(/^[0-9a-f]{64}$/);
  expect(freshId()).toMatch(/^[A-Za-z0-9_-]{16}$/);
});

it("waits twice as long each time, up to a limit", () => {
  expect(pause(1, 0.5)).toBe(300);
  expect(pause(2, 0.5)).toBe(600);
  expect(pause(50, 0.5)).toBe(15_000);
  expect(pause(3, 0)).toBeLessThan(pause(3, 1));
});
