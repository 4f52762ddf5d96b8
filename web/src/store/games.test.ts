import { beforeEach, expect, it } from "vitest";
import { forget, note, noted, visit, visited } from "./games";
import { keep } from "./keep";

const table = (name: string) =>
  ({ table: name, players: 3, names: ["Ada"], at: 1, stage: "play", games: 1, seated: true }) as const;

beforeEach(() => keep("tables", "[]"));

it("remembers tables, the latest first, each once", () => {
  visit(table("a"));
  visit(table("b"));
  visit({ ...table("a"), stage: "over" });
  expect(visited().map((one) => [one.table, one.stage])).toEqual([["a", "over"], ["b", "play"]]);
  forget("a");
  expect(visited().map((one) => one.table)).toEqual(["b"]);
});

it("keeps the first note of a game, whatever comes after", () => {
  note("a", 1, { commitment: "c1", nonce: "n1" });
  visit(table("a"));
  note("a", 1, { commitment: "other", nonce: "n2" });
  note("a", 2, { commitment: "c2", nonce: "n3" });
  expect(noted("a", 1)).toEqual({ commitment: "c1", nonce: "n1" });
  expect(noted("a", 2)).toEqual({ commitment: "c2", nonce: "n3" });
  expect(noted("b", 1)).toBeNull();
});

it("forgets the oldest when there are too many", () => {
  for (let n = 0; n < 60; n += 1) visit(table(`t${n}`));
  expect(visited()).toHaveLength(40);
  expect(visited()[0]?.table).toBe("t59");
});
