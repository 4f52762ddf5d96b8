import { afterAll, expect, it, vi } from "vitest";
import type { KeptGame } from "../../store/records";
import { draw, part, tap, words } from "../../ui/testing";
import Breakdown from "./Breakdown.svelte";
import { EVERYTHING, type Filter } from "./filters";
import Filters from "./Filters.svelte";
import GameList from "./GameList.svelte";
import GameRow from "./GameRow.svelte";
import { sampleGames } from "./samples";
import { curveOf, FEWEST, totalsOf } from "./statistics";
import Totals from "./Totals.svelte";
import Trend from "./Trend.svelte";

// At noon: a game of now is one of today until the test is over.
vi.useFakeTimers({ toFake: ["Date"], now: new Date(2026, 10, 19, 12) });
afterAll(() => void vi.useRealTimers());

const GAME: KeptGame = {
  ...{ key: "k", text: "catinthebox 1\n", at: Date.now(), seat: 1, origin: "" },
  ...{ names: ["sharp", "Ada", "Ben"], totals: [4, -2, 9], winners: [2] },
  counted: {
    face: "purple",
    rounds: [
      { points: [1, -1, 3], kept: [true, false, true], paradox: 1 },
      { points: [3, -1, 6], kept: [true, true, false], paradox: 1 },
    ],
  },
};
const row = (props: Partial<KeptGame> = {}, damage: string | null = null): HTMLElement =>
  draw(GameRow, { game: { ...GAME, ...props }, damage, href: "/games/k", ondelete: () => undefined });

it("says of a game when it was, how it ended, against whom, and where it is shown again", () => {
  const link = part(row(), "a");
  expect(link.getAttribute("href")).toBe("/games/k");
  for (const told of [
    "Today",
    "2 rounds",
    "Place 3 of 3",
    "−2",
    "Ben, Sharp",
    "Quark",
    "1 of 2",
    "2 paradoxes",
  ])
    expect(words(link)).toContain(told);
  expect(words(link)).toContain("Purple board");
});

it("says of a game without a seat of one's own who won, and everybody's points", () => {
  const told = words(part(row({ seat: null }), "a"));
  for (const one of ["Won by Ben", "Quark 4, Ada −2, Ben 9", "Sharp"]) expect(told).toContain(one);
  expect(told).not.toContain("Place");
  expect(words(part(row({ winners: [], totals: [] }), "a"))).toContain("Unfinished");
});

it("says how accurate the own decisions were, of a game that was reviewed", () => {
  const props = { damage: new Map<string, string>(), ondelete: () => undefined };
  const reviewed = new Map([[GAME.key, [100, 79.4, null]]]);
  expect(words(draw(GameList, { ...props, games: [GAME], accuracies: reviewed }))).toContain("accuracy 79%");
  expect(words(draw(GameList, { ...props, games: [GAME] }))).not.toContain("accuracy");
  const watched = [{ ...GAME, seat: null }];
  expect(words(draw(GameList, { ...props, games: watched, accuracies: reviewed }))).not.toContain("accuracy");
});

it("shows a damaged game as such, which cannot be opened, but saved and deleted", () => {
  let deleted = 0;
  const props = { game: GAME, damage: "Line 3: no", href: "/games/k", ondelete: () => (deleted += 1) };
  const root = draw(GameRow, props);
  expect(root.querySelector("a")).toBeNull();
  expect(words(root)).toContain("Damaged. Line 3: no");
  tap(part(root, "button", "Save or delete"));
  part(root, "button", "Save as a file");
  tap(part(root, "button", "Delete: Quark"));
  expect(deleted).toBe(1);
});

it("shows the first games of many, and all of them on request", () => {
  const games = sampleGames(60, 3);
  const root = draw(GameList, { games, damage: new Map(), ondelete: () => undefined });
  expect(root.querySelectorAll("li").length).toBeLessThan(60);
  tap(part(root, "button", "All 60 games"));
  expect(root.querySelectorAll("li")).toHaveLength(60);
});

it("has a total for every measure, and a dash for what was never counted", () => {
  const some = draw(Totals, { totals: totalsOf([GAME]) });
  expect([...some.querySelectorAll(".value")].map(words)).toEqual(["1", "−1.0", "50%", "100%"]);
  const none = draw(Totals, { totals: totalsOf([]) });
  expect([...none.querySelectorAll(".value")].map(words)).toEqual(["0", "–", "–", "–"]);
});

it("draws a curve with its numbers as a table, and says so if there are too few", () => {
  const games = sampleGames(40, 2);
  const points = curveOf(games, "bids");
  const root = draw(Trend, { measure: "bids" as const, points });
  expect(part(root, '[role="img"]').getAttribute("aria-label")).toContain(`over ${points.length} games`);
  const rows = root.querySelectorAll("tbody tr");
  expect(rows.length).toBeGreaterThan(FEWEST);
  expect(words(rows[0]!)).toMatch(/\d+%/);
  for (const path of root.querySelectorAll(".plot > svg path"))
    expect(path.getAttribute("d")).not.toContain("NaN");
  expect(words(draw(Trend, { measure: "bids" as const, points: points.slice(0, FEWEST - 1) }))).toContain(
    "at least 3",
  );
});

it("compares by players and level, measure by measure, with the same numbers as a table", () => {
  const root = draw(Breakdown, { games: sampleGames(80, 4) });
  const cells = (): readonly string[] => [...root.querySelectorAll("tbody tr")].map((one) => words(one));
  const before = cells();
  expect(root.querySelectorAll(".lane")).toHaveLength(before.length);
  tap(part(root, "input[value=points]"));
  expect(cells()).not.toEqual(before);
  expect(part(root, '[role="img"]').getAttribute("aria-label")).toContain("Points a round");
});

it("asks for several things at once, and for nothing again", () => {
  let filter: Filter = EVERYTHING;
  const onchange = (next: Filter): void => void (filter = next);
  const options = { players: [2, 4], levels: ["gentle", "sharp"] };
  const filters = (): HTMLElement => draw(Filters, { filter, options, onchange, shown: "" });
  tap(part(filters(), ".chip", "4"));
  tap(part(filters(), ".chip", "Sharp"));
  tap(part(filters(), ".chip", "Won"));
  expect(filter).toEqual({ ...EVERYTHING, players: [4], levels: ["sharp"], won: true });
  const root = filters();
  expect([...root.querySelectorAll('[aria-pressed="true"]')].map(words)).toEqual(["4", "Sharp", "Won"]);
  expect(words(part(root, ".toggle"))).toContain("Filter (3)");
  tap(part(root, "button", "Show all"));
  expect(filter).toEqual(EVERYTHING);
});
