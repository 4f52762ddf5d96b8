import { describe, expect, it } from "vitest";
import {
  isAgain,
  PLAYING,
  screenOf,
  stepRoundEnd,
  type End,
  type RoundEnd,
  type RoundEndEvent,
} from "./round-end";

const end: End = { id: "t 1 2", paradox: false, final: false };
const ended = (more: Partial<End> = {}, seen = false): RoundEndEvent => ({
  kind: "ended",
  end: { ...end, ...more },
  seen,
});
const due: RoundEndEvent = { kind: "due", covered: false };
const next: RoundEndEvent = { kind: "next" };
const box: RoundEndEvent = { kind: "open", screen: "paradox" };
const after = (...events: readonly RoundEndEvent[]): RoundEnd => events.reduce(stepRoundEnd, PLAYING);
const path = (...events: readonly RoundEndEvent[]): string[] =>
  events.map((_, n) => after(...events.slice(0, n + 1)).at);

describe("the end of a round", () => {
  it("shows the last cards, then the counting", () => {
    expect(path(ended(), due, next)).toEqual(["last-cards", "counting", "counting"]);
  });

  it("shows a paradox before the counting, once somebody opens the box", () => {
    const covered: RoundEndEvent = { kind: "due", covered: true };
    const waits = after(ended({ paradox: true }), due, covered, { kind: "uncovered" });
    expect(waits).toMatchObject({ at: "last-cards", due: false });
    expect(path(ended({ paradox: true }), due, box, next)).toEqual([
      "last-cards",
      "last-cards",
      "paradox",
      "counting",
    ]);
  });

  it("can be counted without a look into the box, which opens later, too", () => {
    const counting = after(ended({ paradox: true }), { kind: "open", screen: "counting" });
    expect(counting).toMatchObject({ at: "counting", again: false });
    expect(stepRoundEnd(counting, box)).toMatchObject({ at: "paradox" });
  });

  it("ends a game with the victory", () => {
    expect(path(ended({ paradox: true, final: true }), box, next, next, next)).toEqual([
      "last-cards",
      "paradox",
      "counting",
      "victory",
      "victory",
    ]);
  });

  it("does not push a menu aside: it waits until the menu is closed", () => {
    const covered: RoundEndEvent = { kind: "due", covered: true };
    expect(path(ended(), covered, { kind: "uncovered" })).toEqual(["last-cards", "last-cards", "counting"]);
    expect(path(ended(), { kind: "uncovered" }, due)).toEqual(["last-cards", "last-cards", "counting"]);
  });

  it("begins at the last screen after the page was loaded again", () => {
    expect(after(ended({ paradox: true }, true), due)).toMatchObject({ at: "counting", again: true });
    expect(after(ended({ paradox: true, final: true }, true), due)).toMatchObject({
      at: "victory",
      again: true,
    });
  });

  it("can be put away and opened again, wherever it was", () => {
    const close: RoundEndEvent = { kind: "close" };
    const open = (screen: "paradox" | "counting" | "victory"): RoundEndEvent => ({ kind: "open", screen });
    expect(path(ended({ paradox: true }), box, close, open("paradox"), next)).toEqual([
      "last-cards",
      "paradox",
      "board",
      "paradox",
      "counting",
    ]);
    expect(after(ended(), due, close, open("counting"))).toMatchObject({ again: true });
  });

  it("opens nothing that has not happened", () => {
    const board = after(ended(), due, { kind: "close" });
    expect(stepRoundEnd(board, { kind: "open", screen: "paradox" })).toBe(board);
    expect(stepRoundEnd(board, { kind: "open", screen: "victory" })).toBe(board);
    expect(stepRoundEnd(PLAYING, { kind: "open", screen: "counting" })).toBe(PLAYING);
  });

  it("may be opened before it comes by itself, and then does not come again", () => {
    const opened = after(ended({ paradox: true }), { kind: "open", screen: "paradox" });
    expect(opened).toMatchObject({ at: "paradox", again: false });
    expect(stepRoundEnd(opened, due)).toBe(opened);
  });

  it("goes on to the next screen as it is shown for the first time, asked for or not", () => {
    const paradox = after(ended({ paradox: true, final: true }), box);
    const counting = stepRoundEnd(paradox, { kind: "open", screen: "counting" });
    expect(counting).toMatchObject({ at: "counting", again: false });
    expect(isAgain(counting)).toBe(false);
    expect(stepRoundEnd(counting, { kind: "open", screen: "victory" })).toMatchObject({ again: false });
    expect(isAgain(stepRoundEnd(counting, { kind: "open", screen: "paradox" }))).toBe(true);
  });

  it("shows a screen or none", () => {
    expect(screenOf(PLAYING)).toBe(null);
    expect(screenOf(after(ended()))).toBe(null);
    expect(screenOf(after(ended(), due))).toBe("counting");
    expect(screenOf(after(ended(), due, { kind: "close" }))).toBe(null);
  });

  it("is told once: the same end changes nothing, the next one begins anew", () => {
    const counting = after(ended(), due);
    expect(stepRoundEnd(counting, ended())).toBe(counting);
    expect(stepRoundEnd(counting, ended({ id: "t 1 3" })).at).toBe("last-cards");
  });

  it("is over when the next round is dealt, wherever the player was", () => {
    for (const events of [[ended()], [ended(), due], [ended(), due, { kind: "close" } as const]]) {
      expect(after(...events, { kind: "dealt" })).toBe(PLAYING);
    }
  });
});
