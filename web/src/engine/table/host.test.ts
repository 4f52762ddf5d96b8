/** A local table and its page: going on after a reload, bots, taking back, and everything that can go wrong. */

import { beforeAll, expect, test, vi } from "vitest";
import type { Analysis } from "../../coach/analysis";
import type { Frame, Snapshot } from "../../lib/protocol";
import type { DailyTry } from "../../lib/daily";
import { dailySeats } from "../daily/derive";
import type { Engine } from "../module";
import { startEngine } from "../testing";
import { Bots, type Choose } from "./bots";
import type { Advise, TellHint } from "./hints";
import { TableHost, type HostParts } from "./host";
import { WrittenElsewhere, type Entry, type Keeper, type Shelf } from "./keep";
import type { FromTable } from "./ports";
import type { LocalSeat, NewTable, SavedTable } from "./saved";
import type { Sight } from "./sight";

let engine: Engine;
let bots: Bots;
beforeAll(async () => {
  engine = await startEngine();
  bots = new Bots(engine);
});

/** A browser's database, as far as a table uses it. */
class Memory implements Keeper {
  readonly kept = new Map<string, unknown>();
  works = true;

  put(entries: readonly Entry[]): Promise<boolean> {
    for (const { shelf, key, value } of this.works ? entries : [])
      this.kept.set(`${shelf} ${key}`, structuredClone(value));
    return Promise.resolve(this.works);
  }

  get(shelf: Shelf, key: string): Promise<unknown> {
    return Promise.resolve(this.kept.get(`${shelf} ${key}`));
  }

  drop(shelf: Shelf, key: string): Promise<void> {
    this.kept.delete(`${shelf} ${key}`);
    return Promise.resolve();
  }

  all(shelf: Shelf): Promise<ReadonlyMap<string, unknown>> {
    const found = [...this.kept].filter(([name]) => name.startsWith(shelf));
    return Promise.resolve(new Map(found.map(([name, value]) => [name.slice(shelf.length + 1), value])));
  }
}

/** A page at a table. */
class Page {
  readonly posted: FromTable[] = [];
  readonly host: TableHost;
  #ids = 0;

  constructor(
    readonly memory: Memory = new Memory(),
    parts: Partial<HostParts> = {},
  ) {
    this.host = new TableHost({
      engine,
      keeper: memory,
      choose: bots.choose,
      hold: () => Promise.resolve(true),
      pause: () => Promise.resolve(),
      post: (message) => this.posted.push(structuredClone(message)),
      ...parts,
    });
  }

  open(seats: readonly LocalSeat[] | null = ALONE): Promise<void> {
    return this.host.hear({ type: "Open", id: "t", wanted: seats && { face: "white", seats } });
  }

  async do(
    command: { type: "Act"; action: string } | { type: "Ready" | "Rematch" | "AskUndo" | "Pause" },
  ): Promise<FromTable> {
    this.#ids += 1;
    const id = `${this.#ids}`;
    await this.host.hear({ type: "Do", id, command });
    return this.posted.findLast((message) => "id" in message && message.id === id)!;
  }

  /** The table as it is now. */
  async shown(): Promise<Snapshot> {
    await this.host.hear({ type: "Resync" });
    return this.posted.findLast((message) => message.type === "Snapshot")!;
  }

  /** Wait until this page's player is asked, or the round is over. */
  async asked(): Promise<Snapshot> {
    for (let tries = 0; tries < 5000; tries += 1) {
      const now = await this.shown();
      if (now.own?.legal.length || now.room.stage !== "play") return now;
      await new Promise((resolve) => setTimeout(resolve));
    }
    throw new Error("the bots do not move");
  }

  async playRound(): Promise<void> {
    for (let now = await this.asked(); now.room.stage === "play"; now = await this.asked()) {
      await this.do({ type: "Act", action: now.own!.legal[0]! });
    }
  }

  get frames(): readonly Frame[] {
    return this.posted.filter((message) => message.type === "Frame");
  }

  get saved(): SavedTable {
    return this.memory.kept.get("tables t") as SavedTable;
  }
}

const ALONE: readonly LocalSeat[] = [
  { kind: "person", name: "Ada" },
  { kind: "bot", level: "gentle" },
  { kind: "bot", level: "steady" },
];
const PAIR: readonly LocalSeat[] = [
  { kind: "person", name: "Ada" },
  { kind: "person", name: "Bo" },
];
/** Bots that never answer: what happens meanwhile is the test's. */
const idle: Choose = () => new Promise(() => undefined);

/** A promise, and how to keep it. */
function byHand<T>(): [Promise<T>, (value: T) => void] {
  let resolve!: (value: T) => void;
  return [new Promise<T>((keep) => (resolve = keep)), (value) => resolve(value)];
}

test("a game against bots goes from its first card to its record, and on to a rematch", async () => {
  const page = new Page();
  await page.open();
  for (let round = 1; round <= 3; round += 1) {
    await page.playRound();
    if (round < 3) expect(await page.do({ type: "Ready" })).toMatchObject({ type: "Done" });
  }
  const end = await page.shown();
  expect(end.room.stage).toBe("over");
  expect(end.game!.scores).toHaveLength(3);
  expect(end.game!.winners.length).toBeGreaterThan(0);
  expect(page.memory.kept.get("finished t.1")).toMatchObject({
    ...{ id: "t", game: 1, face: "white", edition: "standard", names: ["Ada", "gentle", "steady"] },
    cats: ["", "", ""],
  });
  await page.do({ type: "Rematch" });
  expect(await page.shown()).toMatchObject({ room: { stage: "play" }, game: { number: 2, round: 1 } });
  page.host.close();
});

test("the end of a game and its record are kept in one piece", async () => {
  const page = new Page();
  await page.open(PAIR.map((who, seat) => (seat ? { kind: "bot", level: "gentle" } : who)));
  const put = vi.spyOn(page.memory, "put");
  await page.playRound();
  await page.do({ type: "Ready" });
  await page.playRound();
  const shelves = put.mock.calls.map(([entries]) => entries.map(({ shelf }) => shelf));
  expect(shelves.at(-1)).toEqual(["tables", "finished"]);
  expect(shelves.flat().filter((shelf) => shelf === "finished")).toHaveLength(1);
  page.host.close();
});

test("a game that is played on leaves no record, and has no rematch", async () => {
  const before = new Page();
  await before.open(PAIR.map((who, seat) => (seat ? { kind: "bot", level: "gentle" } : who)));
  await before.asked();
  const { seats, starter, rounds } = before.saved;
  before.host.close();
  const page = new Page();
  await page.host.hear({
    type: "Open",
    id: "t",
    wanted: { face: "white", seats, from: { starter, rounds } },
  });
  await page.playRound();
  await page.do({ type: "Ready" });
  await page.playRound();
  expect((await page.shown()).room.stage).toBe("over");
  expect([...page.memory.kept.keys()]).toEqual(["tables t"]);
  expect(await page.do({ type: "Rematch" })).toMatchObject({ type: "Refused", code: "table.local" });
  page.host.close();
});

test("a daily deal is in the calendar from its first card on, and with every round, in one piece with the table", async () => {
  const page = new Page();
  const { levels } = dailySeats("2026-11-15");
  const seats = levels.map((level): LocalSeat =>
    level === null ? { kind: "person", name: "Ada" } : { kind: "bot", level },
  );
  const daily = { date: "2026-11-15", attempt: 1, began: 5 };
  const put = vi.spyOn(page.memory, "put");
  await page.host.hear({ type: "Open", id: "t", wanted: { face: "white", seats, daily } });
  const kept = (): DailyTry => page.memory.kept.get("daily t") as DailyTry;
  expect(kept()).toMatchObject({ id: "t", ...daily, isOver: false, rounds: [] });
  for (let round = 1; round <= 3; round += 1) {
    await page.playRound();
    expect(kept().rounds).toHaveLength(round);
    expect(await page.do({ type: "AskUndo" })).toMatchObject({ code: "table.undo_off" });
    if (round < 3) await page.do({ type: "Ready" });
  }
  expect(kept().isOver).toBe(true);
  expect(await page.do({ type: "Rematch" })).toMatchObject({ type: "Refused" });
  const shelves = put.mock.calls.map(([entries]) => entries.map(({ shelf }) => shelf));
  expect(shelves.at(-1)).toEqual(["tables", "finished", "daily"]);
  expect(shelves.filter((some) => some.includes("daily"))).toHaveLength(6); // three rounds begin, and end
  page.host.close();
});

test("every event is kept before it is told, and has the next version", async () => {
  const page = new Page(new Memory(), { choose: idle });
  await page.open();
  const { own, version } = await page.shown();
  const [promise, resolve] = byHand<boolean>();
  const put = vi.spyOn(page.memory, "put").mockReturnValue(promise);
  const done = page.do({ type: "Act", action: own!.legal[0]! });
  await vi.waitFor(() => expect(put).toHaveBeenCalledOnce());
  await new Promise((soon) => setTimeout(soon)); // whatever is told too early has arrived by now
  expect(page.frames).toEqual([]);
  resolve(true);
  await done;
  expect(page.frames.map((frame) => frame.version)).toEqual([version + 1]);
  expect(page.frames[0]!.ack).toBe("1");
  page.host.close();
});

test("after a reload it goes on where it was, in the middle of a trick, too", async () => {
  const before = new Page(new Memory(), { now: () => 7 });
  await before.open();
  for (let n = 0; n < 4; n += 1)
    await before.do({ type: "Act", action: (await before.asked()).own!.legal[0]! });
  const last = await before.asked();
  before.host.close();
  const after = new Page(before.memory);
  await after.open(null);
  expect(await after.shown()).toEqual(last);
  after.host.close();
});

test("alone, taking back goes to the own last decision, over the moves of bots", async () => {
  const page = new Page();
  await page.open();
  for (let n = 0; n < 3; n += 1) await page.do({ type: "Act", action: (await page.asked()).own!.legal[0]! });
  const decided = await page.asked();
  await page.do({ type: "Act", action: decided.own!.legal.at(-1)! });
  await page.asked(); // bots have moved meanwhile
  expect(await page.do({ type: "AskUndo" })).toMatchObject({ type: "Done" });
  const again = await page.asked();
  expect(again.own).toEqual(decided.own);
  expect(again.round!.moves).toBe(decided.round!.moves);
  expect(page.frames.some(({ news }) => news.some((one) => one.type === "TakenBack"))).toBe(true);
  page.host.close();
});

test("what a bot was thinking of when something was taken back is not played", async () => {
  const answers: ((action: number) => void)[] = [];
  const choose: Choose = () => new Promise((resolve) => answers.push(resolve));
  const page = new Page(new Memory(), { choose });
  await page.open();
  const { own, version } = await page.shown();
  await page.do({ type: "Act", action: own!.legal[0]! });
  await page.do({ type: "AskUndo" });
  answers[0]!(36 + 0); // too late, whatever it is
  await new Promise((resolve) => setTimeout(resolve));
  const now = await page.shown();
  expect(now.version).toBe(version + 2);
  expect(now.round!.moves).toBe("");
  page.host.close();
});

test("among people, nothing is taken back that others have answered", async () => {
  const page = new Page(new Memory(), { choose: idle });
  await page.open(PAIR);
  const act = async (seat: number): Promise<void> => {
    await page.host.hear({ type: "Look", seat, open: true });
    await page.do({ type: "Act", action: (await page.shown()).own!.legal[0]! });
  };
  await act(0);
  await act(1);
  const { to_act } = (await page.shown()).turn;
  await act(to_act[0]!);
  await act(1 - to_act[0]!);
  await page.host.hear({ type: "Look", seat: to_act[0]!, open: true });
  const answer = await page.do({ type: "AskUndo" });
  expect(answer).toMatchObject({
    type: "Refused",
    code: expect.stringMatching(/^table\.undo_(late|shown)$/) as string,
  });
  page.host.close();
});

test("an action that is not legal, or late, is refused in the words of the rules", async () => {
  const page = new Page(new Memory(), { choose: idle });
  await page.open();
  expect(await page.do({ type: "Act", action: "=2" })).toMatchObject({
    code: "illegal.discard_first",
    clause: "R7",
  });
  expect(await page.do({ type: "Act", action: "x" })).toMatchObject({ code: "input.action" });
  expect(await page.do({ type: "Ready" })).toMatchObject({ code: "table.not_between" });
  expect(await page.do({ type: "AskUndo" })).toMatchObject({ code: "table.undo_nothing" });
  expect(await page.do({ type: "Pause" })).toMatchObject({ code: "table.local" });
  page.host.close();
});

test("a browser that keeps nothing is no reason to stop; the page is told, and told again when it does", async () => {
  const page = new Page(new Memory(), { choose: idle });
  page.memory.works = false;
  await page.open();
  expect(page.posted).toContainEqual({ type: "Kept", kept: false });
  page.memory.works = true;
  await page.do({ type: "Act", action: (await page.shown()).own!.legal[0]! });
  expect(page.posted).toContainEqual({ type: "Kept", kept: true });
  page.host.close();
});

test("the page is told when bots have to do without their network, and when they have it", async () => {
  let decisions = 0;
  const page = new Page(new Memory(), {
    isWeaker: () => decisions < 2,
    choose: (sight, _level, signal) => ((decisions += 1), bots.choose(sight, "gentle", signal)),
  });
  await page.open();
  await vi.waitFor(() =>
    expect(page.posted.filter(({ type }) => type === "Weaker")).toEqual([
      { type: "Weaker", weaker: true },
      { type: "Weaker", weaker: false },
    ]),
  );
  page.host.close();
});

test("a game that another tab plays, and one that nobody knows, end with the reason", async () => {
  const elsewhere = new Page(new Memory(), { hold: () => Promise.resolve(false) });
  await elsewhere.open();
  expect(elsewhere.posted).toEqual([expect.objectContaining({ type: "Ended", code: "local.elsewhere" })]);
  const unknown = new Page();
  await unknown.open(null);
  expect(unknown.posted).toEqual([expect.objectContaining({ type: "Ended", code: "table.unknown" })]);
});

test("a game that cannot be read just now is neither unknown nor overwritten", async () => {
  const page = new Page();
  page.memory.get = () => Promise.reject(new TypeError("no database"));
  await page.open(null);
  expect(page.posted).toEqual([expect.objectContaining({ type: "Ended", code: "local.unreadable" })]);
  expect(page.memory.kept.size).toBe(0);
});

test("a new game begins in a browser that cannot read, too", async () => {
  const page = new Page(new Memory(), { choose: idle });
  page.memory.works = false;
  page.memory.get = () => Promise.reject(new TypeError("no database"));
  await page.open();
  expect(page.posted.map(({ type }) => type)).toEqual(["Kept", "Snapshot"]);
  page.host.close();
});

test.each(["hold", "get"] as const)(
  "nothing begins for a page that has gone meanwhile: %s",
  async (waiting) => {
    const [promise, resolve] = byHand<unknown>();
    const page = new Page(
      new Memory(),
      waiting === "hold" ? { hold: () => promise as Promise<boolean> } : {},
    );
    const get = vi.spyOn(page.memory, "get");
    if (waiting === "get") get.mockReturnValue(promise);
    const opening = page.open();
    if (waiting === "get") await vi.waitFor(() => expect(get).toHaveBeenCalled());
    page.host.close();
    resolve(waiting === "hold" ? true : undefined);
    await opening;
    expect(get).toHaveBeenCalledTimes(waiting === "get" ? 1 : 0);
    expect(page.posted).toEqual([]);
    expect(page.memory.kept.size).toBe(0);
  },
);

test("a trap of the module is no damage: the worker has to be replaced", async () => {
  const before = new Page(new Memory(), { choose: idle });
  await before.open();
  before.host.close();
  const trap = new WebAssembly.RuntimeError("unreachable");
  const row = (): never => {
    throw trap;
  };
  const broken = { ...engine, row };
  await expect(new Page(before.memory, { engine: broken }).open(null)).rejects.toBe(trap);
});

test("any other error while a game is read is damage, with what is left of it", async () => {
  const before = new Page(new Memory(), { choose: idle });
  await before.open();
  before.host.close();
  const row = (): never => {
    throw new RangeError("no such row");
  };
  const again = new Page(before.memory, { engine: { ...engine, row } });
  await again.open(null);
  expect(again.posted).toEqual([expect.objectContaining({ type: "Ended", code: "local.damaged" })]);
});

test("a game that another tab has gone on with ends, and nothing more is told", async () => {
  const page = new Page(new Memory(), { choose: idle });
  await page.open();
  const { own } = await page.shown();
  page.memory.put = () => Promise.reject(new WrittenElsewhere());
  const before = page.posted.length;
  await page.do({ type: "Act", action: own!.legal[0]! });
  expect(page.posted.slice(before)).toEqual([
    expect.objectContaining({ type: "Ended", code: "local.elsewhere" }),
  ]);
});

const DAMAGES: Readonly<Record<string, (table: SavedTable) => unknown>> = {
  "nothing that can be read": () => "{",
  "another format": (table) => ({ ...table, format: "catinthebox table 9" }),
  "moves that are no list": (table) => ({ ...table, rounds: [{ ...table.rounds[0]!, moves: 7 }] }),
  "a round that is none": (table) => ({ ...table, rounds: [null] }),
  "a face that is none": (table) => ({ ...table, face: "plaid" }),
  "a seat with nobody": (table) => ({ ...table, seats: [null, ...table.seats.slice(1)] }),
  "a move that is not legal": (table) => ({ ...table, rounds: [{ ...table.rounds[0]!, moves: ["0:9g"] }] }),
  "a move that is none": (table) => ({ ...table, rounds: [{ ...table.rounds[0]!, moves: ["?"] }] }),
  "a round without its hands": (table) => ({ ...table, rounds: [{ ...table.rounds[0]!, hands: [] }] }),
  "hints that are neither on nor off": (table) => ({ ...table, hints: "yes" }),
  "cards that are no deal": (table) => ({
    ...table,
    rounds: [{ ...table.rounds[0]!, hands: ["1", "2", "3"] }],
  }),
};

test.each(Object.entries(DAMAGES))(
  "a damaged game is shown as such, with what is left of it: %s",
  async (_, damage) => {
    const page = new Page(new Memory(), { choose: idle });
    await page.open();
    page.host.close();
    const found = damage(page.saved);
    page.memory.kept.set("tables t", found);
    const again = new Page(page.memory, { choose: idle });
    await again.open(null);
    expect(again.posted).toEqual([expect.objectContaining({ type: "Ended", code: "local.damaged" })]);
    expect(JSON.parse((again.posted[0] as { text: string }).text)).toEqual(found);
    expect(page.memory.kept.get("tables t")).toEqual(found); // nothing is overwritten
  },
);

// ── Hints ─────────────────────────────────────────────────────────────────────────────────────

interface Advised {
  readonly sight: Sight;
  readonly signal: AbortSignal;
  readonly tell: TellHint;
}

/** A page whose table asks the test for hints. */
function hinted(parts: Partial<HostParts> = {}): { page: Page; seen: Advised[] } {
  const seen: Advised[] = [];
  const advise: Advise = (sight, signal, tell) => {
    seen.push({ sight, signal, tell });
    return Promise.resolve();
  };
  return { page: new Page(new Memory(), { ...parts, advise }), seen };
}

const FOUND: Analysis = { worlds: 2, actions: [], why: {} };
const hintsOf = ({ posted }: Page): FromTable[] => posted.filter(({ type }) => type === "Hint");
const ask = (page: Page, id: string): Promise<void> => page.host.hear({ type: "AskHint", id });

test("a hint is for the seat that is to act, by what it may know, and is told until something happens", async () => {
  const { page, seen } = hinted();
  await page.open();
  const shown = await page.asked();
  await ask(page, "h");
  expect(seen[0]!.sight.seat).toBe(shown.seat);
  seen[0]!.tell(FOUND, false);
  await page.do({ type: "Act", action: shown.own!.legal[0]! });
  expect(seen[0]!.signal.aborted).toBe(true);
  seen[0]!.tell(FOUND, true);
  expect(hintsOf(page)).toEqual([{ type: "Hint", id: "h", found: FOUND, last: false }]);
});

test("a hint ends with the next one, when nobody reads it, and with its page", async () => {
  const { page, seen } = hinted();
  await page.open();
  await page.asked();
  await ask(page, "one");
  await ask(page, "two");
  await page.host.hear({ type: "EndHint" });
  await ask(page, "three");
  page.host.close();
  expect(seen.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
});

/** One seat is Ada’s, another Bo’s; they share the device. */
const TWO = [...ALONE.slice(0, 1), { kind: "person", name: "Bo" } as const, ...ALONE.slice(2)];

test("people who share the device and have all agreed have hints, each for the own open hand", async () => {
  const { page, seen } = hinted();
  await page.host.hear({ type: "Open", id: "t", wanted: { face: "white", seats: TWO, hints: true } });
  await ask(page, "covered");
  for (const seat of [0, 1]) {
    await page.host.hear({ type: "Look", seat, open: true });
    await ask(page, `seat ${seat}`);
    await page.host.hear({ type: "Look", seat: 1 - seat, open: false });
    seen.at(-1)!.tell(FOUND, true);
  }
  expect(seen.map(({ sight, signal }) => [sight.seat, signal.aborted])).toEqual([
    [0, true],
    [1, true],
  ]);
  expect(hintsOf(page)).toEqual([{ type: "Hint", id: "covered", found: null, last: true }]);
});

test("a page hears whether its table has hints before the table is shown, also when it goes on", async () => {
  const offered = async (wanted: Partial<NewTable>): Promise<boolean[]> => {
    const { page } = hinted({ choose: idle });
    await page.host.hear({ type: "Open", id: "t", wanted: { face: "white", seats: ALONE, ...wanted } });
    page.host.close();
    const again = new Page(page.memory, { choose: idle, advise: () => Promise.resolve() });
    await again.open(null);
    return [page, again].map(({ posted }) => {
      const types = posted.map(({ type }) => type);
      return types.includes("Hints") && types.indexOf("Hints") < types.indexOf("Snapshot");
    });
  };
  const daily = { date: "2026-11-15", attempt: 1, began: 5 };
  expect(await offered({})).toEqual([true, true]);
  expect(await offered({ seats: TWO, hints: true })).toEqual([true, true]);
  expect(await offered({ seats: TWO })).toEqual([false, false]);
  expect(await offered({ seats: TWO, hints: false })).toEqual([false, false]);
  expect(await offered({ daily })).toEqual([false, false]);
});

test("there are no hints when others share the device, in a daily deal, and when it is not one’s turn", async () => {
  const { page: early, seen: before } = hinted({ choose: idle });
  await early.open();
  for (let now = await early.shown(); now.own!.legal.length; now = await early.shown())
    await early.do({ type: "Act", action: now.own!.legal[0]! });
  await ask(early, "h");
  const none = { type: "Hint", id: "h", found: null, last: true };
  const { page: shared, seen } = hinted();
  await shared.open(TWO);
  await shared.host.hear({ type: "Look", seat: 0, open: true });
  await ask(shared, "h");
  const { page: daily, seen: then } = hinted();
  const day = { date: "2026-11-15", attempt: 1, began: 5 };
  await daily.host.hear({ type: "Open", id: "t", wanted: { face: "white", seats: ALONE, daily: day } });
  await daily.asked();
  await ask(daily, "h");
  expect([early, shared, daily].map(hintsOf)).toEqual([[none], [none], [none]]);
  expect([...before, ...seen, ...then]).toEqual([]);
});
