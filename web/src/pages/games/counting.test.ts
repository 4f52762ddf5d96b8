import { beforeEach, expect, it, vi } from "vitest";
import type { RecordSummary } from "../../engine/records/read";
import { BadRecord } from "../../net/replay";
import { keyOfText, MyGames } from "../../store/records";
import { ShelfError } from "../../store/shelf";
import { MemoryShelf } from "../../store/testing";
import { countGames } from "./counting";

const ROUNDS = [{ points: [3, 1], kept: [true, false], paradox: null }];
const ready = (): Promise<void> => Promise.resolve();
const signal = new AbortController().signal;

async function read(text: string): Promise<RecordSummary> {
  const problem = {
    line: 2,
    column: 1,
    code: "record.syntax",
    clause: "",
    message: "expected 'players' here",
  };
  if (text === "broken") throw new BadRecord(problem);
  if (text === "odd") throw new TypeError("a fault of ours");
  const result = { totals: [3, 1], winners: [0], over: true, rounds: ROUNDS };
  return { names: ["Ada", "sharp"], nonces: [], face: "white", text, ...result };
}

let games: MyGames;
let shelf: MemoryShelf;
beforeEach(async () => {
  games = new MyGames((shelf = new MemoryShelf()));
  const known = { names: ["Ada", "sharp"], totals: [3, 1], winners: [0], seat: 0, origin: "" };
  for (const [at, text] of ["a", "broken", "odd", "b"].entries()) await games.add({ ...known, text, at });
});

it("counts every game once, tells how far it is, and finds the damaged ones", async () => {
  const asked = vi.fn(read);
  const oncount = vi.fn();
  const damage = await countGames(await games.all(), games, { signal, oncount, read: asked, ready });
  expect([...damage]).toEqual([[keyOfText("broken"), "Line 2: expected 'players' here"]]);
  expect(oncount.mock.calls.map(([done, all]) => [done, all])).toEqual([0, 1, 2, 3].map((n) => [n, 4]));
  expect((await games.find(keyOfText("a")))?.counted).toEqual({ face: "white", rounds: ROUNDS });

  asked.mockClear();
  await countGames(await games.all(), games, { signal, read: asked, ready });
  expect(asked.mock.calls.map(([text]) => text).sort()).toEqual(["broken", "odd"]);
});

it("reads a game again whose record is not what it was", async () => {
  await countGames(await games.all(), games, { signal, read, ready });
  const key = keyOfText("a");
  shelf.values.set(key, { ...(await games.find(key)), text: "broken" });
  const damage = await countGames(await games.all(), games, { signal, read, ready });
  expect([...damage.keys()].sort()).toEqual([key, keyOfText("broken")].sort());
});

it("brings back no game that was deleted meanwhile", async () => {
  const all = await games.all();
  await games.clear();
  await countGames(all, games, { signal, read, ready });
  expect(await games.all()).toEqual([]);
});

it("stops when it is told to, and keeps nothing more", async () => {
  const stop = new AbortController();
  const asked = vi.fn(async (text: string) => (stop.abort(), read(text)));
  await countGames(await games.all(), games, { signal: stop.signal, read: asked, ready });
  expect(asked).toHaveBeenCalledTimes(1);
  expect((await games.all()).filter(({ counted }) => counted)).toEqual([]);
});

it("goes on if counts cannot be kept: they are counted again", async () => {
  const all = await games.all();
  vi.spyOn(games, "note").mockRejectedValue(new ShelfError("full", null));
  const asked = vi.fn(read);
  await countGames(all, games, { signal, read: asked, ready });
  expect(asked).toHaveBeenCalledTimes(4);
});

it("sends no kept record to a server, where the rules cannot run", async () => {
  const asked = vi.fn(read);
  const never = (): Promise<never> => Promise.reject(new Error("none"));
  const damage = await countGames(await games.all(), games, { signal, read: asked, ready: never });
  expect(damage.size).toBe(0);
  expect(asked).not.toHaveBeenCalled();
});
