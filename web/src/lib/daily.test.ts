import { describe, expect, it, test } from "vitest";
import {
  against,
  barsOf,
  betterThan,
  daysOf,
  isOnTime,
  monthLater,
  symbolsOf,
  totalOf,
  totalsOf,
  weekdayOf,
  type DailyRound,
  type DailyTry,
  type Par,
} from "./daily";
import { dailyId, dailyOf, dayOf, FIRST_DAY, isDay, later } from "./days";

const round = (points: number, more: Partial<DailyRound> = {}): DailyRound => ({
  ...{ bid: 2, won: 2, group: 1, points, isKept: false, isParadox: false },
  ...more,
});

const played = (date: string, points = 4, more: Partial<DailyTry> = {}): DailyTry => ({
  ...{ id: dailyId(date, 1), date, attempt: 1, began: Date.parse(`${date}T12:00:00Z`), isOver: true },
  ...{ hand: "1122334455", rounds: [round(points)] },
  ...more,
});

const parsOf = (...pars: readonly (readonly [string, number])[]): ReadonlyMap<string, Par> =>
  new Map(pars.map(([date, points]) => [date, { date, rounds: [points], by: "uncanny" }]));

describe("days", () => {
  it("are those of UTC, whatever the hour", () => {
    expect(dayOf(Date.parse("2026-11-15T23:59:59.999Z"))).toBe("2026-11-15");
    expect(dayOf(Date.parse("2026-11-16T00:00:00Z"))).toBe("2026-11-16");
    expect(dayOf(Date.parse("2026-11-16T01:30:00+02:00"))).toBe("2026-11-15");
  });

  it("follow each other, one a date", () => {
    let day = FIRST_DAY;
    for (let n = 0; n < 800; n += 1) {
      expect(isDay(day)).toBe(true);
      expect(weekdayOf(later(day, 1))).toBe((weekdayOf(day) + 1) % 7);
      expect(later(later(day, 1), -1)).toBe(day);
      expect(daysOf(day.slice(0, 7))).toContain(day);
      day = later(day, 1);
    }
    expect(weekdayOf("2026-11-16")).toBe(0); // a Monday
  });

  it("make whole months", () => {
    expect(daysOf("2026-11")).toHaveLength(30);
    expect(daysOf("2028-02").at(-1)).toBe("2028-02-29");
    expect(monthLater("2026-12", 1)).toBe("2027-01");
    expect(monthLater("2026-01", -1)).toBe("2025-12");
  });

  it.each(["", "2026-02-30", "2026-13-01", "2025-12-31", "2026-1-1", "15.11.2026", "99999-01-01"])(
    "%s is none",
    (text) => expect(isDay(text)).toBe(false),
  );

  it("are found again in the names of tables", () => {
    for (const attempt of [1, 2, 13])
      expect(dailyOf(dailyId("2026-11-15", attempt))).toEqual({ date: "2026-11-15", attempt });
    for (const id of ["l2026-11-15", "daily-2026-02-30", "daily-2026-11-15-0", "daily"])
      expect(dailyOf(id)).toBeNull();
  });
});

describe("results", () => {
  it("stand against par once both are known", () => {
    const [par] = parsOf(["2026-11-15", 6]).values();
    expect(against(played("2026-11-15", 9), par)).toBe(3);
    expect(against(played("2026-11-15", 9), undefined)).toBeNull();
    expect(against(played("2026-11-15", 9, { isOver: false }), par)).toBeNull();
    expect(totalOf(played("2026-11-15", 9, { rounds: [round(3), round(-2), round(5)] }))).toBe(6);
  });

  it("are on time by when they began, not by when they ended", () => {
    expect(isOnTime(played("2026-11-15", 4, { began: Date.parse("2026-11-15T23:59:00Z") }))).toBe(true);
    expect(isOnTime(played("2026-11-15", 4, { began: Date.parse("2026-11-16T00:01:00Z") }))).toBe(false);
  });

  it("add up: a row of days, the mean and the best against par", () => {
    const days = [played("2026-11-12", 5), played("2026-11-13", 5), played("2026-11-14", 5)];
    const pars = parsOf(["2026-11-13", 2], ["2026-11-14", 6]);
    const best = { date: "2026-11-13", points: 3 };
    expect(totalsOf(days, pars, "2026-11-15")).toEqual({ streak: 3, played: 3, mean: 1, best });
    expect(totalsOf([...days, played("2026-11-15")], pars, "2026-11-15").streak).toBe(4);
    expect(totalsOf(days, pars, "2026-11-16").streak).toBe(0);
    expect(totalsOf([], pars, "2026-11-16")).toEqual({ streak: 0, played: 0, mean: null, best: null });
  });

  test("a day that was played later does not mend a row", () => {
    const late = played("2026-11-13", 5, { began: Date.parse("2026-11-14T09:00:00Z") });
    const days = [played("2026-11-12"), late, played("2026-11-14")];
    expect(totalsOf(days, new Map(), "2026-11-14").streak).toBe(1);
  });
});

test("a line of symbols has one for each round, and tells nothing of the cards", () => {
  const rounds = [round(7, { isKept: true }), round(5), round(-3, { isParadox: true })];
  const par = { date: "2026-11-15", rounds: [5, 5, 6], by: "uncanny" };
  const one = played("2026-11-15", 0, { rounds });
  expect(symbolsOf(one, par)).toBe("▲✓ ● ▼🙀");
  expect(symbolsOf(one, undefined)).toBe("○✓ ○ ○🙀");
});

describe("everybody's results", () => {
  const results = [
    { points: -2, entries: 1 },
    { points: 3, entries: 4 },
    { points: 4, entries: 2 },
  ];

  test("stand from the lowest to the highest, without gaps, par among them", () => {
    const bars = barsOf(results, 3, 6);
    expect(bars.map(({ points }) => points)).toEqual([-2, -1, 0, 1, 2, 3, 4, 5, 6]);
    expect(bars.map(({ entries }) => entries)).toEqual([1, 0, 0, 0, 0, 4, 2, 0, 0]);
    expect(bars.filter(({ own }) => own).map(({ points }) => points)).toEqual([3]);
    expect(barsOf(results, undefined, undefined).filter(({ own }) => own)).toEqual([]);
    expect(barsOf([], 3, 6)).toEqual([]);
  });

  test("are compared with those of others", () => {
    expect(betterThan(results, 4)).toBe(83); // five of six
    expect(betterThan(results, 3)).toBe(16);
    expect(betterThan(results, -2)).toBe(0);
    expect(betterThan([{ points: 3, entries: 1 }], 3)).toBe(0);
  });
});
