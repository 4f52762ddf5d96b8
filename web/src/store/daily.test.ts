import { beforeEach, expect, test } from "vitest";
import { type DailyTry, type Par } from "../lib/daily";
import { dailyId } from "../lib/days";
import { isFinal, myDays, openTry, shownTry } from "./daily";
import { keepJson } from "./keep";
import { stageToday } from "./today";

const DAY = "2026-11-15";
const tried = (attempt: number, isOver = true, date = DAY): DailyTry => ({
  ...{ id: dailyId(date, attempt), date, attempt, began: 1, isOver, hand: "", rounds: [] },
});

/** What the list of tables has. */
const tables = (...all: readonly { table: string; stage?: string }[]): void => keepJson("tables", all);

beforeEach(() => tables());

test("tries and pars are found by their day, the first try first", async () => {
  const par: Par = { date: DAY, rounds: [1, 2, 3], by: "uncanny" };
  const [first, second, other] = [tried(1), tried(2), tried(1, true, "2026-11-14")];
  const all = new Map<string, unknown>([second, first, other].map((one) => [one.id, one]));
  all.set(`par ${DAY}`, par);
  const days = await myDays({ all: () => Promise.resolve(all) });
  expect(days.tries.get(DAY)).toEqual([first, second]);
  expect(days.tries.get("2026-11-14")).toEqual([other]);
  expect([...days.pars]).toEqual([[DAY, par]]);
});

test("a game goes on as long as its table is there; one that was dropped was given up", () => {
  tables({ table: dailyId(DAY, 1) });
  expect(openTry([tried(1, false)])?.attempt).toBe(1);
  tables();
  expect(openTry([tried(1, false)])).toBeUndefined();
  tables({ table: dailyId(DAY, 1) }, { table: dailyId(DAY, 2) });
  expect(openTry([tried(1), tried(2, false)])?.attempt).toBe(2);
});

test("the first game that is over stands for the day", () => {
  expect(shownTry([tried(1, false), tried(2), tried(3)])?.attempt).toBe(2);
  expect(shownTry([tried(1), tried(2)])?.attempt).toBe(1);
  expect(shownTry([tried(1, false)])).toBeUndefined();
});

test("a par by a stand-in is worked out again", () => {
  expect(isFinal({ date: DAY, rounds: [], by: "sharp" })).toBe(false);
  expect(isFinal({ date: DAY, rounds: [], by: "uncanny" })).toBe(true);
  expect(isFinal(undefined)).toBe(false);
});

test("the first page knows how today's deal stands", () => {
  expect(stageToday(DAY)).toBe("new");
  tables({ table: dailyId(DAY, 1), stage: "between" });
  expect(stageToday(DAY)).toBe("open");
  tables({ table: dailyId(DAY, 1), stage: "over" });
  expect(stageToday(DAY)).toBe("over");
});
