import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Playback } from "./playback";

let shown: string[];
let playback: Playback;
const cue = (name: string, hold = 0) => ({ show: () => void shown.push(name), hold });

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  playback = new Playback();
});
afterEach(() => vi.useRealTimers());

describe("a playback", () => {
  it("shows at once what has nothing to wait for", () => {
    playback.add([cue("a")]);
    playback.add([cue("b"), cue("c")]);
    expect(shown).toEqual(["a", "b", "c"]);
    expect(playback.idle).toBe(true);
  });

  it("holds a cue for its time before the next", () => {
    playback.add([cue("a", 100), cue("b", 50)]);
    playback.add([cue("c")]);
    expect(shown).toEqual(["a"]);
    vi.advanceTimersByTime(99);
    expect(shown).toEqual(["a"]);
    vi.advanceTimersByTime(1);
    expect(shown).toEqual(["a", "b"]);
    vi.advanceTimersByTime(50);
    expect(shown).toEqual(["a", "b", "c"]);
    expect(playback.idle).toBe(true);
  });

  it("skips one hold only", () => {
    playback.add([cue("a", 100), cue("b", 100), cue("c")]);
    playback.skip();
    expect(shown).toEqual(["a", "b"]);
    vi.advanceTimersByTime(100);
    expect(shown).toEqual(["a", "b", "c"]);
  });

  it("in a hurry shows everything in order, and ends the entry that has begun", () => {
    playback.add([cue("a", 100), cue("b", 100), cue("c", 100)]);
    playback.hurry();
    expect(shown).toEqual(["a", "b", "c"]);
    expect(playback.idle).toBe(true);
  });

  it("in a hurry begins the last entry as usual, because nobody has seen it", () => {
    playback.add([cue("a", 100), cue("a2", 100)]);
    playback.add([cue("b", 100), cue("b2", 100)]);
    playback.add([cue("c", 100), cue("c2")]);
    playback.hurry();
    expect(shown).toEqual(["a", "a2", "b", "b2", "c"]);
    vi.advanceTimersByTime(100);
    expect(shown.at(-1)).toBe("c2");
  });

  it("keeps what is left of a hold while it is paused", () => {
    playback.add([cue("a", 100), cue("b")]);
    vi.advanceTimersByTime(60);
    playback.pause();
    vi.advanceTimersByTime(1_000);
    expect(shown).toEqual(["a"]);
    playback.resume();
    vi.advanceTimersByTime(39);
    expect(shown).toEqual(["a"]);
    vi.advanceTimersByTime(1);
    expect(shown).toEqual(["a", "b"]);
  });

  it("begins nothing while it is paused", () => {
    playback.pause();
    playback.add([cue("a")]);
    expect(shown).toEqual([]);
    playback.resume();
    expect(shown).toEqual(["a"]);
  });

  it("forgets what waits", () => {
    playback.add([cue("a", 100), cue("b")]);
    playback.clear();
    vi.advanceTimersByTime(1_000);
    expect(shown).toEqual(["a"]);
    expect(playback.idle).toBe(true);
  });

  it("lets a cue clear the rest while it is shown", () => {
    playback.add([{ show: () => playback.clear(), hold: 100 }, cue("b")]);
    vi.advanceTimersByTime(1_000);
    expect(shown).toEqual([]);
  });
});
