import { beforeEach, describe, expect, it } from "vitest";
import { collect, keepFinished, type Left, type LeftGame } from "./finished";
import { catsOf, keyOfText, MyGames, onlyPerson, placeOf, type KeptGame, type NewGame } from "./records";
import { BrowserShelf, ShelfError } from "./shelf";
import type { TableState } from "./state";
import { MemoryShelf } from "./testing";

const GAME: NewGame = {
  ...{ text: "catinthebox 1\n", at: 5, names: ["Ada", "sharp"], totals: [7, 9], winners: [1], seat: 0 },
  origin: "lab-7.1",
};

let shelf: MemoryShelf;
let games: MyGames;
beforeEach(() => {
  shelf = new MemoryShelf();
  games = new MyGames(shelf);
});

describe("my games", () => {
  it("are kept once, the latest first, and found by key and by table", async () => {
    expect(await games.add(GAME)).toBe(true);
    expect(await games.add({ ...GAME, at: 9, origin: "" })).toBe(false);
    await games.add({ ...GAME, text: "other", at: 8, origin: "" });
    expect((await games.all()).map(({ at }) => at)).toEqual([8, 5]);
    const key = keyOfText(GAME.text);
    expect(await games.find(key)).toEqual({ ...GAME, key });
    expect(await games.find("lab-7.1")).toEqual({ ...GAME, key });
    expect(await games.find("lab-7.2")).toBeNull();
    expect(await games.find("")).toBeNull();
  });

  it("come several at once, all or none, each once", async () => {
    await games.add(GAME);
    const others = ["a", "b", "a"].map((text) => ({ ...GAME, text }));
    shelf.trouble = "full";
    await expect(games.addAll([GAME, ...others])).rejects.toThrow(ShelfError);
    shelf.trouble = null;
    expect(await games.all()).toHaveLength(1);
    expect(await games.addAll([GAME, ...others])).toBe(2);
    expect(await games.addAll([GAME, ...others])).toBe(0);
    expect(await games.all()).toHaveLength(3);
  });

  it("come back as they were", async () => {
    await games.addAll([GAME, { ...GAME, text: "other", local: true, cats: ["nala", ""] }]);
    const before = await games.all();
    await games.add({ ...GAME, text: "from another tab" });
    const gone = await games.clear();
    expect(gone).toHaveLength(before.length + 1);
    expect(await games.all()).toEqual([]);
    await games.restore(gone.filter(({ text }) => text !== "from another tab"));
    expect(await games.all()).toEqual(before);
  });

  it("take with them what follows from them, also where that cannot be dropped", async () => {
    const beside = [new MemoryShelf(), new MemoryShelf()];
    games = new MyGames(shelf, beside);
    await games.addAll(["a", "b", "c"].map((text) => ({ ...GAME, text })));
    for (const one of beside) for (const { key } of await games.all()) await one.put(key, "follows");
    await games.drop(keyOfText("b"));
    for (const one of beside) expect([...one.values.keys()]).toEqual(["a", "c"].map(keyOfText));
    beside[0]!.trouble = "forbidden";
    await games.clear();
    expect([shelf, ...beside].map(({ values }) => values.size)).toEqual([0, 2, 0]);
  });

  it("note what was counted, unless they are gone by then", async () => {
    const counted = { face: "white", rounds: [{ points: [1, -2], kept: [true, null], paradox: 1 }] };
    const key = keyOfText(GAME.text);
    await games.note(key, counted);
    expect(await games.all()).toEqual([]);
    await games.add(GAME);
    await games.note(key, counted);
    expect(await games.find(key)).toEqual({ ...GAME, key, counted });
  });

  it.each([
    null,
    {},
    { face: 5, rounds: [] },
    { face: "white", rounds: [null] },
    { face: "white", rounds: [{ points: [], kept: [], paradox: null }] },
    { face: "white", rounds: [{ points: [1, "2"], kept: [true, true], paradox: null }] },
    { face: "white", rounds: [{ points: [1, 2], kept: [true], paradox: null }] },
    { face: "white", rounds: [{ points: [1, 2], kept: [true, "no"], paradox: null }] },
    { face: "white", rounds: [{ points: [1, 2], kept: [true, true], paradox: 2 }] },
  ])("are counted again if their counts are damaged: %j", async (counted) => {
    shelf.values.set("a", { ...GAME, counted });
    expect((await games.find("a"))?.counted).toBeUndefined();
  });

  it("can be dropped, one or all", async () => {
    await games.add(GAME);
    await games.add({ ...GAME, text: "other" });
    await games.drop(keyOfText("other"));
    expect(await games.all()).toHaveLength(1);
    await games.clear();
    expect(await games.all()).toEqual([]);
  });

  it("show an entry that is none with all that it has", async () => {
    shelf.values.set("a", { text: "words", names: [1], totals: ["x"], seat: "0" });
    shelf.values.set("b", ["no", "game"]);
    shelf.values.set("c", null);
    const found = new Map((await games.all()).map((game) => [game.key, game]));
    expect(found.get("a")).toMatchObject({ text: "words", names: [], totals: [], seat: null, at: 0 });
    expect(found.get("b")?.text).toBe('["no","game"]');
    expect(found.get("c")?.text).toBe("null");
  });

  it("know the cats of their seats; older ones and files only the own one, or none", () => {
    const game: KeptGame = { ...GAME, key: "k" };
    expect(catsOf({ ...game, cats: ["nala", ""] }, "pixel")).toEqual(["nala", ""]);
    expect(catsOf(game, "pixel")).toEqual(["pixel", ""]);
    expect(catsOf({ ...game, origin: "" }, "pixel")).toEqual(["", ""]);
    expect(catsOf({ ...game, seat: null }, "pixel")).toEqual(["", ""]);
  });

  it("tell the place of the own seat", () => {
    const game: KeptGame = {
      ...GAME,
      key: "",
      names: ["a", "b", "c", "d"],
      totals: [9, 12, 12, 3],
      winners: [2],
    };
    expect([0, 1, 2, 3, null].map((seat) => placeOf({ ...game, seat }))).toEqual([3, 2, 1, 4, null]);
    expect(placeOf({ ...game, winners: [] })).toBeNull();
    expect([onlyPerson(["sharp", "Ada"]), onlyPerson(["Ada", "Ben"]), onlyPerson(["sharp"])]).toEqual([
      1,
      null,
      null,
    ]);
  });
});

describe("a game of a server", () => {
  const state = {
    ...{ table: "lab-7", seat: 1, at: 77 },
    seats: { seats: [{ cat: "tora" }, { cat: "pixel" }] },
    game: { number: 2, names: ["Ada", "Ben"], totals: [3, 4], winners: [1] },
  } as unknown as TableState;

  it("is kept when its end is seen, and fetched once", async () => {
    const asked: string[] = [];
    const text = async (key: string, game: number): Promise<string> => {
      asked.push(`${key} ${game}`);
      return "record";
    };
    expect(await keepFinished(state, "key", games, text)).toBeNull();
    expect(await keepFinished(state, "key", games, text)).toBeNull();
    expect(asked).toEqual(["key 2"]);
    expect(await games.find("lab-7.2")).toMatchObject({ text: "record", seat: 1, at: 77, totals: [3, 4] });
    expect(await games.find("lab-7.2")).toMatchObject({ cats: ["tora", "pixel"] });
  });

  it("is not kept before its end, nor if its record does not arrive", async () => {
    const never = (): Promise<string> => Promise.reject(new Error("offline"));
    expect(
      await keepFinished({ ...state, game: { ...state.game!, winners: [] } }, "key", games, never),
    ).toBeNull();
    expect(await keepFinished(state, "key", games, never)).toBeNull();
    expect(await games.all()).toEqual([]);
  });

  it.each(["full", "forbidden"] as const)("tells that the shelf is %s", async (trouble) => {
    shelf.trouble = trouble;
    expect(await keepFinished(state, "key", games, async () => "record")).toBe(trouble);
  });
});

describe("local games", () => {
  const left = (all: Record<string, unknown>): Left & { readonly dropped: string[] } => {
    const dropped: string[] = [];
    const found = new Map(Object.entries(all));
    return { dropped, all: async () => found, drop: async (_, key) => void dropped.push(key) };
  };
  const one = { at: 6, names: ["Ada", "fierce"], cats: ["nala", ""], rounds: [] } as unknown as LeftGame;

  it("are collected as records", async () => {
    const from = left({ "here.3": one });
    await collect(from, async () => ({ text: "record", totals: [1, 2], winners: [1] }), games);
    expect(from.dropped).toEqual(["here.3"]);
    expect(await games.find("here.3")).toMatchObject({ text: "record", seat: 0, at: 6, winners: [1] });
    expect(await games.find("here.3")).toMatchObject({ cats: ["nala", ""], local: true });
  });

  it("that cannot have happened are kept as they are", async () => {
    await collect(left({ "here.3": one }), async () => null, games);
    expect(JSON.parse((await games.find("here.3"))!.text)).toEqual(one);
  });

  it.each([[null], ["nonsense"], [{ id: 5, at: "noon" }], [{ names: [7, null] }]])(
    "that are damaged are shown as such, with all that is left: %j",
    async (damaged) => {
      const from = left({ "here.3": damaged });
      await collect(from, async () => null, games);
      const [kept] = await games.all();
      expect(JSON.parse(kept!.text)).toEqual(damaged);
      expect(kept).toMatchObject({ origin: "here.3", at: 0, names: [], totals: [], winners: [] });
      expect(from.dropped).toEqual(["here.3"]);
    },
  );

  it("of which nothing is left are still shown", async () => {
    await collect(left({ "here.3": undefined }), async () => null, games);
    expect((await games.all()).map(({ text }) => text)).toEqual(["undefined"]);
  });

  it("come even if one of them cannot", async () => {
    const from = left({ "here.3": one, "here.4": { ...one } });
    const work = collect(
      from,
      async (game) => {
        if (game === one) throw new TypeError("a fault of ours");
        return { text: "record", totals: [], winners: [] };
      },
      games,
    );
    await expect(work).rejects.toThrow("a fault of ours");
    expect(from.dropped).toEqual(["here.4"]);
    expect((await games.all()).map(({ origin }) => origin)).toEqual(["here.4"]);
  });

  it("stay where they are if nothing can be kept", async () => {
    shelf.trouble = "full";
    const from = left({ "here.3": one });
    const work = collect(from, async () => ({ text: "record", totals: [], winners: [] }), games);
    await expect(work).rejects.toThrow(ShelfError);
    expect(from.dropped).toEqual([]);
  });
});

it("says that a browser without a database forbids keeping", async () => {
  const error = await new BrowserShelf("nowhere").all().catch((found: unknown) => found);
  expect(error).toBeInstanceOf(ShelfError);
  expect((error as ShelfError).trouble).toBe("forbidden");
});
