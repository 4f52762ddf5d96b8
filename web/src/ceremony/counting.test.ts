import { describe, expect, it } from "vitest";
import type { ResultLine, ResultView } from "../lib/scene";
import { countSteps, finalPlaceOf, lanesOf, moveOf, shownAfter, stampOf } from "./counting";

const line = (seat: number, more: Partial<ResultLine>): ResultLine => ({
  seat,
  won: 2,
  bid: 2,
  group: 3,
  causer: false,
  bonus: 3,
  lost: null,
  points: 5,
  total: 5,
  place: 1,
  ...more,
});
const kept = line(0, {});
const missed = line(1, { won: 1, bonus: null, points: 1, total: 3 });
const causer = line(2, { causer: true, bonus: null, points: -2, total: -1 });
const result = (lines: readonly ResultLine[], more: Partial<ResultView> = {}): ResultView => ({
  lines,
  rounds: [[], []],
  final: false,
  counted: true,
  winners: [],
  tieBreak: false,
  ...more,
});

describe("counting a round", () => {
  it("goes seat by seat, the leader last", () => {
    const seats = countSteps(result([kept, missed, causer])).map((step) => step.seat);
    expect([...new Set(seats)]).toEqual([2, 1, 0]);
    expect(seats).toEqual([...seats].sort((a, b) => b - a));
  });

  it("looks longest at a group that counts, and at none of the one who caused a paradox", () => {
    const steps = countSteps(result([kept, missed, causer]));
    const group = (seat: number) => steps.filter((step) => step.seat === seat && step.part === "group");
    const time = (seat: number): number => group(seat).reduce((all, step) => all + step.hold, 0);
    expect(time(0)).toBeGreaterThan(time(1));
    expect(group(0).map((step) => step.tokens)).toEqual([1, 2, 3]);
    expect(group(2)).toEqual([]);
  });

  it("shows the group that a paradox has cost, although the bid was kept, for as long as any that does not count", () => {
    const group = (one: ResultLine) => countSteps(result([one])).filter((step) => step.part === "group");
    expect(group({ ...causer, lost: 3 })).toEqual([{ ...group(missed)[0], seat: causer.seat }]);
    expect(
      countSteps(result([{ ...causer, lost: 3 }], { counted: false })).map(({ part }) => part),
    ).not.toContain("group");
  });

  it("leaves groups out where nobody knows who has a bonus", () => {
    expect(countSteps(result([kept], { counted: false })).map((step) => step.part)).toEqual([
      "tricks",
      "bar",
    ]);
  });

  it("stamps bids that were made, once it is known who kept theirs", () => {
    expect([kept, missed, causer, line(3, { bid: null })].map((one) => stampOf(one, true))).toEqual([
      "kept",
      "missed",
      "paradox",
      null,
    ]);
    expect(stampOf(kept, false)).toBe(null);
  });

  it("shows nothing before it begins, and everything in the end", () => {
    const steps = countSteps(result([kept, missed]));
    expect(shownAfter(steps, 0).size).toBe(0);
    expect([...shownAfter(steps, 1)]).toEqual([[1, { parts: new Set(["tricks"]), tokens: 0 }]]);
    const all = shownAfter(steps, steps.length);
    expect([...all.values()].every(({ parts }) => parts.size === 4)).toBe(true);
    expect(all.get(0)!.tokens).toBe(3);
  });
});

describe("the race", () => {
  it("is as long as the best total, before or after", () => {
    const [first, second, third] = lanesOf(result([kept, missed, causer]));
    expect(first).toMatchObject({ before: 0, after: 1, points: 5, total: 5 });
    expect(second!.after).toBeCloseTo(0.6);
    expect(third).toMatchObject({ before: 0.2, after: 0 });
  });

  it("has no lane behind the start, and none without points", () => {
    for (const lane of lanesOf(result([causer, line(1, { points: 0, total: 0 })]))) {
      expect(lane.before).toBeGreaterThanOrEqual(0);
      expect(lane.after).toBeGreaterThanOrEqual(0);
      expect(Number.isFinite(lane.after)).toBe(true);
    }
  });

  it("has one first place where the last round has decided, and as many as there are winners otherwise", () => {
    const [won, even] = [line(0, { place: 1 }), line(1, { place: 1 })];
    const places = (winners: readonly number[]) =>
      [won, even, line(2, { place: 3 })].map((one) => finalPlaceOf(result([], { winners }), one));
    expect(places([0])).toEqual([1, 2, 3]);
    expect(places([0, 1])).toEqual([1, 1, 3]);
  });

  it("says when the own seat takes the lead, keeps it, or is behind", () => {
    const [ahead, behind] = [line(0, { points: 8, total: 11 }), line(1, { points: 1, total: 9 })];
    expect(moveOf({ result: result([ahead, behind]), me: 0 })).toBe("leads");
    expect(moveOf({ result: result([ahead, behind]), me: 1 })).toBe("behind");
    expect(moveOf({ result: result([line(0, { points: 1, total: 11 }), behind]), me: 0 })).toBe(
      "still-leads",
    );
    expect(moveOf({ result: result([ahead, behind]), me: null })).toBe(null);
    expect(moveOf({ result: result([ahead, behind], { rounds: [[]] }), me: 0 })).toBe(null);
  });
});
