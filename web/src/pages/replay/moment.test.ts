import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Address, momentOf } from "./moment";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("reads a moment from an address, if there is one", () => {
  expect([momentOf("#17"), momentOf("#0"), momentOf(""), momentOf("#r14"), momentOf("#1e3")]).toEqual([
    17,
    0,
    null,
    null,
    null,
  ]);
});

it("writes at once, but never so often that Safari would throw", () => {
  const written: number[] = [];
  const address = new Address((moment) => written.push(moment));
  address.show(1);
  expect(written).toEqual([1]);
  for (let moment = 2; moment <= 900; moment += 1) {
    address.show(moment);
    vi.advanceTimersByTime(33); // a key held down, for half a minute
  }
  expect(written.length).toBeLessThan(100);
  vi.advanceTimersByTime(1_000);
  expect(written.at(-1)).toBe(900);
});

it("writes nothing any more once the page is left", () => {
  const written: number[] = [];
  const address = new Address((moment) => written.push(moment));
  for (let moment = 1; moment <= 61; moment += 1) address.show(moment);
  address.stop();
  vi.advanceTimersByTime(60_000);
  expect(written.at(-1)).toBe(60);
});
