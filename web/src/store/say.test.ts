import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { say, voice } from "./say.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

const received = (): string[] => voice.said.map((one) => one.text);

describe("the voice of the page", () => {
  it("says sentences one by one and never repeats the old ones", () => {
    say("Muon plays red 5.");
    vi.advanceTimersByTime(200);
    const before = voice.said;
    say("It’s your turn.");
    vi.advanceTimersByTime(200);
    expect(received()).toEqual(["Muon plays red 5.", "It’s your turn."]);
    expect(voice.said[0]).toBe(before[0]); // the same node: a log speaks of additions only
  });

  it("says the same sentence again if it happens again", () => {
    say("You win the trick.");
    say("You win the trick.");
    vi.advanceTimersByTime(200);
    expect(new Set(voice.said.map((one) => one.id)).size).toBe(2);
  });

  it("drops what is no longer true before it is said, and nothing is no sentence", () => {
    say("Connection lost.")();
    say("");
    vi.advanceTimersByTime(200);
    expect(received()).toEqual([]);
  });

  it("leaves nothing behind to stumble over", () => {
    say("Round 2: the cards are dealt.");
    vi.advanceTimersByTime(60_000);
    expect(received()).toEqual([]);
  });
});
