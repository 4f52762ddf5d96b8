import { expect, it } from "vitest";
import { gamePath, meantTable, routeOf, tablePath } from "./router";

it("finds the page of a path", () => {
  expect(routeOf("/")).toEqual({ page: "home" });
  expect(routeOf("/t/Ab-3_x")).toEqual({ page: "table", id: "Ab-3_x" });
  expect(routeOf("/g/Ab3")).toEqual({ page: "replay", table: "Ab3", game: 1 });
  expect(routeOf("/g/Ab3.12")).toEqual({ page: "replay", table: "Ab3", game: 12 });
  expect(routeOf("/g/")).toEqual({ page: "replays" });
  expect(routeOf("/learn")).toEqual({ page: "learn" });
  for (const path of ["/t/", "/t/a/b", "/t/_x", "/g/a.0", "/nonsense", "/learn/more"]) {
    expect(routeOf(path)).toEqual({ page: "nowhere" });
  }
});

it("finds its own paths again", () => {
  expect(routeOf(tablePath("x1"))).toEqual({ page: "table", id: "x1" });
  expect(routeOf(gamePath("x1", 1))).toEqual({ page: "replay", table: "x1", game: 1 });
  expect(routeOf(gamePath("x1", 3))).toEqual({ page: "replay", table: "x1", game: 3 });
});

it("understands links and names of tables", () => {
  expect(meantTable(" https://cats.example/t/Ab3?x#y ")).toBe("Ab3");
  expect(meantTable("/t/Ab3")).toBe("Ab3");
  expect(meantTable("Ab3")).toBe("Ab3");
  expect(meantTable("")).toBeNull();
  expect(meantTable("two words")).toBeNull();
});
