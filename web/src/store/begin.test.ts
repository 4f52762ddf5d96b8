import { expect, it, vi } from "vitest";
import type { FromServer } from "../lib/wire";
import { openTable } from "../net/http";
import { firstCommands, hostAmongOthers, playBots, renaming } from "./begin";
import recorded from "./frames.json";
import { me } from "./me.svelte";
import { reduce, type TableState } from "./state";

vi.mock("../net/http", () => ({
  openTable: vi.fn(() =>
    Promise.resolve({
      ...{ table: "t1-x7", seat: null, commitment: "c" },
      links: { id: "t1", play: "t1-x7", watch: null, replays: [], code: null },
    }),
  ),
}));

const received = (recorded as unknown as { readonly me: FromServer[] }).me;
const state = received.reduce<TableState | null>(reduce, null)!;
const person = (name: string) => ({ kind: "person", name, here: true, covered: false, cat: me.cat }) as const;
const nobody = { kind: "empty", name: "", here: false, covered: false, cat: "" } as const;
const lobby = (seats: TableState["seats"]["seats"], seat: number, host = 0): TableState => ({
  ...state,
  seat,
  room: { ...state.room, stage: "lobby" },
  seats: { ...state.seats, host, seats },
});

it("lets bots that cover a seat be as strong as those that were chosen", async () => {
  me.name = "Gentle";
  await playBots({ players: 3, level: "gentle", face: "white" });
  expect(vi.mocked(openTable).mock.lastCall![1].settings).toMatchObject({ cover: "gentle" });
  expect(firstCommands("t1-x7")[0]).toMatchObject({ type: "Sit", name: "Gentle 2" });
});

it("gives somebody another name by sitting down again, on the same seat", () => {
  const table = lobby([person("Ada"), person("Ben"), nobody], 1);
  expect(renaming(table, "Bohr")).toMatchObject([{ type: "Leave" }, { type: "Sit", name: "Bohr", seat: 1 }]);
  expect(renaming(table, "ada")).toMatchObject([{ type: "Leave" }, { type: "Sit", name: "ada 2", seat: 1 }]);
  expect(renaming(table, "Ben")).toEqual([]);
  const before = me.cat;
  me.cat = "another";
  expect(renaming(table, "Ben")).toMatchObject([
    { type: "Leave" },
    { type: "Sit", name: "Ben", cat: "another" },
  ]);
  me.cat = before;
  expect(renaming({ ...table, room: { ...table.room, stage: "play" } }, "Bohr")).toEqual([]);
});

it("does not let a host lose the table to somebody by that", () => {
  expect(hostAmongOthers(lobby([person("Ada"), person("Ben"), nobody], 0))).toBe(true);
  expect(renaming(lobby([person("Ada"), person("Ben"), nobody], 0), "Eve")).toEqual([]);
  expect(renaming(lobby([person("Ada"), nobody, nobody], 0), "Eve")).toHaveLength(2);
});
