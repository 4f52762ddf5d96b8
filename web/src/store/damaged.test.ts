import { expect, it, vi } from "vitest";
import { opened } from "../engine/table/table";
import { damagedAmong } from "./damaged";
import type { Visited } from "./games";

const fine = opened(
  "fine",
  {
    face: "white",
    seats: [
      { kind: "person", name: "Ada" },
      { kind: "bot", level: "sharp" },
    ],
  },
  1,
);
const tables = (...names: readonly string[]): readonly Visited[] =>
  names.map((table) => ({ table, local: true }) as Visited);

it.each([
  ["a text", "text"],
  ["null", null],
  ["rounds that are none", { ...fine, game: 1, rounds: [null] }],
  ["a game without rounds", { ...fine, game: 1 }],
])("finds damage: %s", async (_what, value) => {
  const all = async (): Promise<ReadonlyMap<string, unknown>> =>
    new Map<string, unknown>([
      ["fine", fine],
      ["bad", value],
    ]);
  expect([...(await damagedAmong(tables("fine", "bad", "unread"), { all }))]).toEqual(["bad"]);
});

it("knows those that could not go on, and asks nothing about tables of a server", async () => {
  const all = vi.fn(async () => new Map());
  expect([...(await damagedAmong([{ table: "a", local: true, damaged: true } as Visited], { all }))]).toEqual(
    ["a"],
  );
  expect((await damagedAmong([{ table: "b" } as Visited], { all })).size).toBe(0);
  expect(all).toHaveBeenCalledOnce();
});
