// @vitest-environment happy-dom
import { expect, it, vi } from "vitest";
import { once } from "./taps";

it("hears a tap and a key, but not the second half of a double tap", () => {
  const then = vi.fn();
  const listener = once(then);
  for (const detail of [0, 1, 2, 3]) listener(new MouseEvent("click", { detail }));
  expect(then).toHaveBeenCalledTimes(2);
});
