/** A daily game: for the same decisions of its person it is the same everywhere, whatever else has happened. */

import { beforeAll, describe, expect, test } from "vitest";
import type { DailyTry } from "../../lib/daily";
import { FIRST_DAY, later } from "../../lib/days";
import type { Engine } from "../module";
import { notationOf } from "../notation";
import { startEngine, startNetwork } from "../testing";
import { Bots } from "../table/bots";
import { Damaged, checkedTable, type LocalSeat, type SavedTable } from "../table/saved";
import { sightOf } from "../table/sight";
import { LocalTable, opened } from "../table/table";
import { dailySeats } from "./derive";
import GAMES from "./games.json";
import { parOfDay } from "./par";
import { dailyTry } from "./results";

let engine: Engine;
beforeAll(async () => void (engine = await startEngine()));

const never = new AbortController().signal;

function seatsOn(date: string): readonly LocalSeat[] {
  return dailySeats(date).levels.map((level): LocalSeat =>
    level === null ? { kind: "person", name: "Ada" } : { kind: "bot", level },
  );
}

const fresh = (date: string): SavedTable =>
  opened("t", { face: "white", seats: seatsOn(date), daily: { date, attempt: 1, began: 5 } }, 5);

function begun(date: string): LocalTable {
  const table = new LocalTable(engine, fresh(date), () => 5);
  table.do({ type: "Start" }, 0);
  return table;
}

interface Ways {
  readonly bots?: Bots;
  /** The person sets a card aside before the bots do, or after them. */
  readonly isQuick?: boolean;
  /** The table is put away and read again before every move. */
  readonly isReloaded?: boolean;
}

/** Play a day to its end; the person always does the first thing that is legal. */
async function played(
  date: string,
  { bots = new Bots(engine), isQuick = true, isReloaded = false }: Ways = {},
) {
  const { seat } = dailySeats(date);
  let table = begun(date);
  while (table.stage !== "over") {
    if (isReloaded) table = new LocalTable(engine, checkedTable(structuredClone(table.saved)), () => 5);
    if (table.stage === "between") table.do({ type: "Ready" }, seat);
    const [bot] = table.botsDue;
    const mine = table.round!.toAct.includes(seat);
    if (mine && (isQuick || !bot)) {
      table.do({ type: "Act", action: notationOf(table.round!.legal(seat)[0]!) }, seat);
    } else if (bot) {
      const action = await bots.choose(sightOf(table, bot.seat), bot.level, never);
      table.do({ type: "Act", action: notationOf(action) }, bot.seat);
    }
  }
  return table;
}

/** The rounds of a game; who was quicker to set a card aside is no part of it (R7). */
const roundsOf = ({ saved }: LocalTable): unknown =>
  saved.rounds.map(({ hands, moves }) => ({
    hands,
    discards: moves.filter((move) => move.includes(":-")).toSorted(),
    moves: moves.filter((move) => !move.includes(":-")),
  }));

/** Days on which both kinds of levels sit: with a search, and without. */
const DAYS = ["2026-11-15", "2026-11-14", "2026-01-01", "2026-12-31"];

test.each(DAYS)("%s: the same decisions make the same game", async (date) => {
  const once = await played(date);
  expect(once.saved.rounds).toHaveLength(3);
  // Other bots that have thought of something else before, another pace of the person, a reload before each move.
  const tired = new Bots(engine);
  await played("2027-03-05", { bots: tired });
  for (const ways of [{ bots: tired }, { isQuick: false }, { isReloaded: true }]) {
    expect(roundsOf(await played(date, ways))).toEqual(roundsOf(once));
  }
});

test.each(Object.entries(GAMES))("%s: bots decide as Python says", async (date, rounds) => {
  const { saved } = await played(date);
  const moves = saved.rounds.map((round) => {
    const discards = round.moves.filter((move) => move.includes(":-"));
    return [...discards.toSorted(), ...round.moves.filter((move) => !discards.includes(move))].join(" ");
  });
  expect(moves).toEqual(rounds);
});

test("days are different games", async () => {
  const games = await Promise.all(
    DAYS.map(async (date) => JSON.stringify((await played(date)).saved.rounds)),
  );
  expect(new Set(games).size).toBe(DAYS.length);
});

describe("par", () => {
  test("is the same each time, and by the strongest player", async () => {
    const par = await parOfDay(engine, "2026-11-15", never, startNetwork);
    expect(par).toMatchObject({ date: "2026-11-15", by: "uncanny" });
    expect(par.rounds).toHaveLength(3);
    expect(await parOfDay(await startEngine(), "2026-11-15", never, startNetwork)).toEqual(par);
  });

  test("without a network, its stand-in is named, and is the same each time, too", async () => {
    const none = (): Promise<null> => Promise.resolve(null);
    const par = await parOfDay(engine, "2026-11-14", never, none);
    expect(par.by).toBe("sharp");
    expect(await parOfDay(await startEngine(), "2026-11-14", never, none)).toEqual(par);
  });

  test("is what the game comes to for a person who decides as the strongest player", async () => {
    const date = "2026-11-16";
    const { seat } = dailySeats(date);
    const bots = new Bots(engine, undefined, startNetwork);
    const table = begun(date);
    while (table.stage !== "over") {
      if (table.stage === "between") table.do({ type: "Ready" }, seat);
      // The person thinks last: everybody else has set a card aside by then.
      const due = table.botsDue[0] ?? { seat, level: "uncanny" };
      const action = await bots.choose(sightOf(table, due.seat), due.level, never);
      table.do({ type: "Act", action: notationOf(action) }, due.seat);
    }
    const { rounds } = dailyTry(engine, table.saved)!;
    expect(rounds.map(({ points }) => points)).toEqual(
      (await parOfDay(engine, date, never, startNetwork)).rounds,
    );
  });

  test("stops when nobody waits for it", async () => {
    const control = new AbortController();
    control.abort(new Error("gone"));
    await expect(parOfDay(engine, "2026-11-15", control.signal, startNetwork)).rejects.toThrow("gone");
  });
});

test("nothing is taken back, and there is no second game at the table", async () => {
  const { seat } = dailySeats("2026-11-15");
  const table = begun("2026-11-15");
  table.do({ type: "Act", action: notationOf(table.round!.legal(seat)[0]!) }, seat);
  expect(() => table.do({ type: "AskUndo" }, seat)).toThrow("nothing is taken back");
  expect(table.snapshot({ seat, open: true }).settings.undo).toBe(false);
  const over = await played("2026-11-15");
  expect(() => over.do({ type: "Rematch" }, seat)).toThrow("one game");
});

describe("what the calendar has", () => {
  test("begins with the first card, and grows by rounds", async () => {
    const [table, { seat }] = [begun("2026-11-15"), dailySeats("2026-11-15")];
    expect(dailyTry(engine, fresh("2026-11-15"))).toBeNull();
    const hand = table.saved.rounds[0]!.hands[seat]!;
    const known: DailyTry = {
      ...{ id: "t", date: "2026-11-15", attempt: 1, began: 5, isOver: false },
      ...{ hand, rounds: [] },
    };
    expect(dailyTry(engine, table.saved)).toEqual(known);
    const over = await played("2026-11-15");
    const told = dailyTry(engine, over.saved)!;
    expect(told).toMatchObject({ isOver: true, hand });
    const totals = over.snapshot({ seat, open: true }).game!.totals;
    expect(told.rounds.reduce((sum, { points }) => sum + points, 0)).toBe(totals[seat]);
  });

  test("has every bid that was kept, also in a round that somebody else's paradox has ended (R25)", async () => {
    const WHOLE = 3 * (1 + 1 + 8); // moves of a round: a card set aside, a bid, eight tricks
    let isSeen = false;
    for (let date = FIRST_DAY; !isSeen; date = later(date, 1)) {
      if (dailySeats(date).levels.includes("sharp")) continue; // it thinks longer
      const { saved } = await played(date);
      dailyTry(engine, saved)!.rounds.forEach(({ points, won, group, isKept, isParadox }, n) => {
        expect(points).toBe(isParadox ? 0 - won : won + (isKept ? group : 0));
        isSeen ||= isKept && saved.rounds[n]!.moves.length < WHOLE;
      });
    }
  });

  test("is nothing for other tables", () => {
    const { daily: _, ...other } = fresh("2026-11-15");
    expect(dailyTry(engine, other)).toBeNull();
  });
});

test.each<[string, Partial<SavedTable>]>([
  ["no day", { daily: { date: "2026-02-30", attempt: 1, began: 5 } }],
  ["no number", { daily: { date: "2026-02-03", attempt: 1.5, began: 5 } }],
  ["too many seats", { seats: [...seatsOn("2026-11-15"), { kind: "bot", level: "gentle" }] }],
  ["another face", { face: "purple" }],
])("a daily table with %s is damaged", (_, change) => {
  expect(() => checkedTable({ ...fresh("2026-11-15"), ...change })).toThrow(Damaged);
});
