// @vitest-environment happy-dom
import { tick } from "svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  collapse,
  drop,
  duration,
  finishMotion,
  flight,
  motion,
  rememberSpots,
  showAtOnce,
  sweep,
} from "./motion.svelte";

const node = document.createElement("div");
const running = (endTime: number) => ({
  effect: { getComputedTiming: () => ({ endTime }) },
  finish: vi.fn(),
});
const stage = (...animations: ReturnType<typeof running>[]): void =>
  void Object.assign(document, { getAnimations: () => animations });

afterEach(() => {
  motion.speed = "normal";
  stage();
});

describe("motion", () => {
  it("takes as long as was chosen, and no time at all where it is off", () => {
    motion.speed = "slow";
    expect(duration(100)).toBe(180);
    motion.speed = "off";
    expect(duration(100)).toBe(0);
  });

  it("ends at once for anyone who taps, except for what has no end", () => {
    const [flight, breath] = [running(420), running(Infinity)];
    stage(flight, breath);
    finishMotion();
    expect(flight.finish).toHaveBeenCalledOnce();
    expect(breath.finish).not.toHaveBeenCalled();
  });

  it("is left out of one change, for anyone who is in a hurry", async () => {
    stage();
    showAtOnce();
    expect(duration(100)).toBe(0);
    await tick();
    await tick();
    expect(duration(100)).toBe(100);
  });

  it("lets a card become its color on the way, unless it goes fast", () => {
    const { css, duration: time } = collapse(node);
    expect(time).toBe(420);
    expect(css!(0, 1)).toBe("opacity: 1");
    expect(css!(1, 0)).toBe("opacity: 0");
    motion.speed = "fast";
    expect(collapse(node).duration).toBe(0);
  });

  it("asks a card where it is only if its place was not remembered", () => {
    const table = document.createElement("div");
    const place = table.appendChild(document.createElement("i"));
    place.dataset["spot"] = "played-1";
    place.getBoundingClientRect = () => new DOMRect(0, 0, 40, 60);
    const origin = table.appendChild(document.createElement("i"));
    origin.dataset["spot"] = "seat-1";
    origin.getBoundingClientRect = () => new DOMRect(100, 200, 40, 60);
    rememberSpots(table);
    const card = document.createElement("b");
    const asked = vi.spyOn(card, "getBoundingClientRect");
    const ways = [
      flight(card, { from: "seat-1", at: "played-1" }),
      sweep(card, { to: "seat-1", at: "played-1" }),
    ];
    for (const { css } of ways) expect(css!(0, 1)).toContain("translate(100px, 200px) scale(1)");
    expect(asked).not.toHaveBeenCalled();
    flight(card, { from: "seat-1", at: "played-2" });
    expect(asked).toHaveBeenCalledOnce();
  });

  it("drops a token when its card is nearly there", () => {
    const { css } = drop(node);
    expect(css!(0.4, 0.6)).toContain("opacity: 0");
    expect(css!(1, 0)).toBe("transform: translateY(0px) scale(1); opacity: 1");
  });
});
