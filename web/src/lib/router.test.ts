import { expect, it } from "vitest";
import {
  dailyPath,
  gamePath,
  keptPath,
  meantTable,
  playPath,
  reviewPath,
  routeOf,
  tablePath,
} from "./router";

it("finds the page of a path", () => {
  expect(routeOf("/")).toEqual({ page: "home" });
  expect(routeOf("/t/Ab-3_x")).toEqual({ page: "table", key: "Ab-3_x", watch: false });
  expect(routeOf("/w/Ab3-x7")).toEqual({ page: "table", key: "Ab3-x7", watch: true });
  expect(routeOf("/g/Ab3")).toEqual({ page: "replay", key: "Ab3", game: 1 });
  expect(routeOf("/g/Ab3.12")).toEqual({ page: "replay", key: "Ab3", game: 12 });
  expect(routeOf("/g/")).toEqual({ page: "games" });
  expect(routeOf("/games")).toEqual({ page: "games" });
  expect(routeOf("/games/0a1b")).toEqual({ page: "kept", key: "0a1b" });
  expect(routeOf(keptPath("local-x.2"))).toEqual({ page: "kept", key: "local-x.2" });
  expect(routeOf("/review")).toEqual({ page: "review", key: null });
  expect(routeOf("/review/")).toEqual({ page: "review", key: null });
  expect(routeOf("/review/Ab3.2")).toEqual({ page: "review", key: "Ab3.2" });
  expect(routeOf("/learn")).toEqual({ page: "learn" });
  expect(routeOf("/daily")).toEqual({ page: "daily", date: null });
  expect(routeOf(dailyPath("2026-11-15"))).toEqual({ page: "daily", date: "2026-11-15" });
  for (const path of [
    "/t/",
    "/play",
    "/play/a/b",
    "/w/",
    "/t/a/b",
    "/t/_x",
    "/g/a.0",
    "/nonsense",
    "/learn/more",
    "/review/a/b",
    "/review/a.0",
    "/daily/today",
    "/daily/2026/11",
  ]) {
    expect(routeOf(path)).toEqual({ page: "nowhere" });
  }
});

it("finds its own paths again", () => {
  expect(routeOf(tablePath("x1"))).toEqual({ page: "table", key: "x1", watch: false });
  expect(routeOf(tablePath("x1", true))).toEqual({ page: "table", key: "x1", watch: true });
  expect(routeOf(playPath("x1"))).toEqual({ page: "play", id: "x1" });
  expect(routeOf(gamePath("x1", 1))).toEqual({ page: "replay", key: "x1", game: 1 });
  expect(routeOf(reviewPath("x1"))).toEqual({ page: "review", key: "x1" });
  expect(routeOf(reviewPath("x1", 3))).toEqual({ page: "review", key: "x1.3" });
  expect(routeOf(gamePath("x1", 3))).toEqual({ page: "replay", key: "x1", game: 3 });
});

it("understands links and names of tables", () => {
  const played = { key: "Ab3", watch: false };
  expect(meantTable(" https://cats.example/t/Ab3?x#y ")).toEqual(played);
  expect(meantTable("/t/Ab3")).toEqual(played);
  expect(meantTable("Ab3")).toEqual(played);
  expect(meantTable("https://cats.example/w/Ab3")).toEqual({ key: "Ab3", watch: true });
  expect(meantTable("")).toBeNull();
  expect(meantTable("two words")).toBeNull();
});
