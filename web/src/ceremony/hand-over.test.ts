import { describe, expect, it } from "vitest";
import {
  dueSeat,
  lastOf,
  NOBODY_YET,
  openSeat,
  stepHandOver,
  type HandOver,
  type HandOverEvent,
} from "./hand-over";

const hand = (to: number): HandOverEvent => ({ kind: "hand", to });
const opened = (seat: number): HandOverEvent => ({ kind: "opened", seat });
const gather: HandOverEvent = { kind: "gather" };
const play: HandOverEvent = { kind: "play" };
const after = (...events: readonly HandOverEvent[]): HandOver => events.reduce(stepHandOver, NOBODY_YET);

describe("handing over a device", () => {
  it("covers the cards until the person who was called opens them", () => {
    expect(after(hand(1))).toMatchObject({ at: "covered", to: 1 });
    expect(openSeat(after(hand(1)))).toBe(null);
    expect(openSeat(after(hand(1), opened(1)))).toBe(1);
  });

  it("goes back to somebody who takes a card back, also while the next person could act", () => {
    const back = after(hand(0), opened(0), hand(1), hand(0));
    expect(back).toMatchObject({ at: "covered", to: 0 });
    expect(dueSeat(back, [0, 1], [0, 1])).toBe(null);
  });

  it("opens nobody else's cards", () => {
    expect(after(hand(1), opened(0))).toMatchObject({ at: "covered", to: 1 });
    expect(after(opened(1))).toBe(NOBODY_YET);
  });

  it("goes from one hand to another only under the cover", () => {
    const states = [hand(0), opened(0), hand(1), opened(1), gather, play, hand(0)].reduce<HandOver[]>(
      (all, event) => [...all, stepHandOver(all.at(-1)!, event)],
      [NOBODY_YET],
    );
    for (const [n, state] of states.entries()) {
      const next = states[n + 1];
      if (state.at === "open" && next?.at === "open") expect(next.seat).toBe(state.seat);
    }
    expect(states.map((state) => state.at)).toEqual([
      "closed",
      "covered",
      "open",
      "covered",
      "open",
      "together",
      "closed",
      "covered",
    ]);
  });

  it("remembers who has just acted, for taking it back", () => {
    expect(after(hand(0), opened(0), hand(1))).toMatchObject({ to: 1, acted: 0 });
    expect(after(hand(0), opened(0), hand(1), hand(2))).toMatchObject({ to: 2, acted: 0 });
    expect(after(hand(0), opened(0), gather, play, hand(1))).toMatchObject({ acted: null });
  });

  it("lets everybody look together at the end of a round, through the last eyes", () => {
    const together = after(hand(2), opened(2), gather);
    expect(together).toEqual({ at: "together", last: 2 });
    expect(openSeat(together)).toBe(null);
    expect(lastOf(stepHandOver(together, play))).toBe(2);
    expect(stepHandOver(together, hand(1))).toBe(together);
    expect(stepHandOver(together, gather)).toBe(together);
  });

  it("calls the person who acts next", () => {
    expect(dueSeat(NOBODY_YET, [0, 1], [0, 1])).toBe(0);
    expect(dueSeat(after(hand(1), opened(1)), [0], [0, 1])).toBe(0);
  });

  it("stays with the person who may still act", () => {
    const open = after(hand(1), opened(1));
    expect(dueSeat(open, [0, 1, 2], [0, 1])).toBe(null);
    expect(dueSeat(after(hand(1)), [0, 1], [0, 1])).toBe(null);
  });

  it("stays where it is while bots think, and between rounds", () => {
    const open = after(hand(1), opened(1));
    expect(dueSeat(open, [2], [0, 1])).toBe(null);
    expect(dueSeat(open, [], [0, 1])).toBe(null);
    expect(dueSeat(after(hand(1), opened(1), gather), [0], [0, 1])).toBe(null);
  });
});
