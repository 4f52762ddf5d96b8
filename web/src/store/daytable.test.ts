import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DailyTry } from "../lib/daily";
import type { DayTable } from "../lib/wire";
import { dayTable, enter, tableName } from "./daytable";
import { me, myToken } from "./me.svelte";
import type { KeptGame } from "./records";

const DAY = "2026-11-15";
const TABLE: DayTable = { date: DAY, open: true, entries: 0, results: [], rows: [] };
const ONE: DailyTry = {
  ...{ id: `daily-${DAY}`, date: DAY, attempt: 1, began: 1, isOver: true, hand: "", rounds: [] },
};

let asked: { readonly path: string; readonly sent: RequestInit }[] = [];
const answers = (body: unknown, status = 200) =>
  vi.stubGlobal("fetch", (path: string, sent: RequestInit) => {
    asked.push({ path, sent });
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });

const games = (found: string[]) => ({
  find: (name: string) => {
    found.push(name);
    return Promise.resolve({ text: "the record" } as KeptGame);
  },
});

beforeEach(() => {
  asked = [];
  me.name = "Ada";
  me.cat = "mochi";
});
afterEach(() => vi.unstubAllGlobals());

test("the table of a day is asked for with one's own token", async () => {
  answers(TABLE);
  expect(await dayTable(DAY)).toEqual(TABLE);
  expect(asked[0]!.path).toBe(`/api/v1/daily/${DAY}`);
  expect(asked[0]!.sent.headers).toMatchObject({ Authorization: `Bearer ${myToken()}` });
});

test("where there is none, there is nothing to show", async () => {
  answers({ code: "daily.off", message: "no" }, 404);
  expect(await dayTable(DAY)).toBeNull();
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
  expect(await dayTable(DAY)).toBeNull();
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("<h1>A page</h1>")));
  expect(await dayTable(DAY)).toBeNull();
});

test("the record of the first try is sent, with name and cat", async () => {
  answers(TABLE, 201);
  const found: string[] = [];
  expect(await enter(ONE, games(found))).toEqual(TABLE);
  expect(found).toEqual([`daily-${DAY}.1`]);
  expect(JSON.parse(asked[0]!.sent.body as string)).toEqual({
    name: "Ada",
    cat: "mochi",
    record: "the record",
  });
});

test("a game whose record is gone is not sent, and a refusal is passed on", async () => {
  answers(TABLE);
  await expect(enter(ONE, { find: () => Promise.resolve(null) })).rejects.toThrow("no longer");
  expect(asked).toEqual([]);
  answers({ code: "daily.entered", message: "already" }, 409);
  await expect(enter(ONE, games([]))).rejects.toMatchObject({ code: "daily.entered", status: 409 });
});

test("nobody goes by the name of a bot", () => {
  me.name = "Photon";
  expect(tableName()).toBe("Photon 2");
});
