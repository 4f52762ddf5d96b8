// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { motion } from "../lib/motion.svelte";
import { Show } from "./show.svelte";

const steps = [
  { name: "a", hold: 100 },
  { name: "b", hold: 100 },
  { name: "c", hold: 100 },
];
let seen: string[];
let show: Show<(typeof steps)[number]>;

beforeEach(() => {
  vi.useFakeTimers();
  seen = [];
  show = new Show(steps, (step) => seen.push(step.name));
});
afterEach(() => {
  motion.speed = "normal";
  vi.useRealTimers();
});

describe("a ceremony", () => {
  it("shows step by step", () => {
    show.start();
    expect([show.count, show.running]).toEqual([1, true]);
    vi.advanceTimersByTime(100);
    expect(show.count).toBe(2);
    vi.advanceTimersByTime(1_000);
    expect([show.count, show.running]).toEqual([3, false]);
    expect(seen).toEqual(["a", "b", "c"]);
  });

  it("is at its end with a tap, and makes no sound of what was skipped", () => {
    show.start();
    show.finish();
    vi.advanceTimersByTime(1_000);
    expect(show.count).toBe(3);
    expect(seen).toEqual(["a"]);
  });

  it("is at its end at once where nothing may move", () => {
    motion.speed = "off";
    show.start();
    expect(show.count).toBe(3);
    expect(seen).toEqual([]);
  });

  it("can be seen again", () => {
    show.start();
    show.finish();
    show.start();
    expect(show.count).toBe(1);
  });

  it("stays where it is when it is stopped", () => {
    show.start();
    show.stop();
    vi.advanceTimersByTime(1_000);
    expect(show.count).toBe(1);
  });
});
