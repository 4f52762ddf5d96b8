// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { endOf, see, wasSeen } from "./seen";

afterEach(() => vi.unstubAllGlobals());

it("remembers what was shown in this tab, and forgets the oldest", () => {
  const end = endOf("t1", 1, 3);
  expect(wasSeen(end)).toBe(false);
  see(end);
  expect(wasSeen(end)).toBe(true);
  expect(wasSeen(endOf("t1", 2, 3))).toBe(false);
  for (let n = 0; n < 40; n += 1) see(endOf("t2", n, 1));
  expect(wasSeen(end)).toBe(false);
});

it("remembers as long as the page where nothing may be kept", () => {
  vi.stubGlobal("sessionStorage", undefined);
  see("x");
  expect(wasSeen("x")).toBe(true);
});
