import { describe, expect, it } from "vitest";
import { LEVELS } from "../../store/names";
import type { KeptGame } from "../../store/records";
import { againstOf, conditions, EVERYTHING, filterOf, hashOf, matches, optionsOf, toggled } from "./filters";
import type { Filter } from "./filters";
import { drawn, sampleGames } from "./samples";
import {
  comparedOf,
  curveOf,
  figureOf,
  groupOf,
  GROUPS,
  isCounted,
  MEASURES,
  NOTHING,
  plus,
  tallied,
  tallyOf,
  totalsOf,
  WINDOW,
} from "./statistics";

const SEEDS = [1, 2, 3, 4, 5];
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Filters that divide all games: each game is in exactly one of them. */
const PARTITIONS: Readonly<Record<string, readonly Filter[]>> = {
  against: (["bots", "people"] as const).map((one) => ({ ...EVERYTHING, against: [one] })),
  players: [2, 3, 4, 5].map((one) => ({ ...EVERYTHING, players: [one] })),
};

describe.each(SEEDS)("statistics of games %i", (seed) => {
  const games = sampleGames(120, seed);

  it.each(Object.entries(PARTITIONS))("add up over all filters by %s", (_, filters) => {
    const parts = filters.map((filter) => games.filter((game) => matches(filter, game)));
    expect(sumOf(parts.map((part) => part.length))).toBe(games.length);
    for (const measure of MEASURES)
      expect(parts.map((part) => tallied(part, measure)).reduce(plus, NOTHING)).toEqual(
        tallied(games, measure),
      );
    expect(sumOf(parts.map((part) => totalsOf(part).won))).toBe(totalsOf(games).won);
  });

  it("add up over the groups of the comparison", () => {
    for (const measure of MEASURES) {
      const figures = comparedOf(games, measure).flatMap(({ groups }) => groups.map(({ figure }) => figure));
      const { count, sum } = tallied(games, measure);
      expect(sumOf(figures.map((figure) => figure.count))).toBe(count);
      expect(sumOf(figures.map((figure) => figure.count * figure.mean))).toBeCloseTo(sum, 6);
    }
    for (const game of games) expect(GROUPS).toContain(groupOf(game));
  });

  it("count the rounds of the own seat in finished games, and nothing else", () => {
    for (const game of games) {
      const points = tallyOf(game, "points");
      expect(points.count).toBe(isCounted(game) ? game.names.length : 0);
      if (points.count) expect(points.sum).toBe(game.totals[game.seat!]);
      expect(tallyOf(game, "bids").count).toBeLessThanOrEqual(points.count);
      expect(tallyOf(game, "paradoxes").count).toBe(points.count);
    }
  });

  it("lie within their intervals, shares between 0 and 1", () => {
    for (const measure of MEASURES)
      for (const game of games) {
        const figure = figureOf(tallyOf(game, measure), measure);
        if (!figure) continue;
        if (figure.low === null || figure.high === null) throw new Error("several rounds, and no interval");
        expect(figure.low).toBeLessThanOrEqual(figure.mean + 1e-9);
        expect(figure.high).toBeGreaterThanOrEqual(figure.mean - 1e-9);
        if (measure === "points") continue;
        expect(figure.low).toBeGreaterThanOrEqual(0);
        expect(figure.high).toBeLessThanOrEqual(1);
      }
  });

  it("are surer of more rounds", () => {
    const one = tallied(games, "bids");
    const four = [one, one, one, one].reduce(plus);
    const [few, many] = [figureOf(one, "bids")!, figureOf(four, "bids")!];
    expect(many.mean).toBeCloseTo(few.mean, 9);
    expect(many.high! - many.low!).toBeLessThan(few.high! - few.low!);
  });

  it("are a curve that has its games once, in the order of time, and ends with the last ones", () => {
    for (const measure of MEASURES) {
      const curve = curveOf(games, measure);
      const told = games.filter((game) => tallyOf(game, measure).count).sort((a, b) => a.at - b.at);
      expect(curve.map(({ at }) => at)).toEqual(told.map(({ at }) => at));
      const end = figureOf(tallied(told.slice(-WINDOW), measure), measure)!;
      expect(curve.at(-1)!.mean).toBeCloseTo(end.mean, 9);
      expect(curve[0]!.mean).toBeCloseTo(figureOf(tallied(told.slice(0, 1), measure), measure)!.mean, 9);
    }
    expect(curveOf([...games].reverse(), "points").map(({ at }) => at)).toEqual(
      curveOf(games, "points").map(({ at }) => at),
    );
  });

  it("of a filter have the games that meet every condition", () => {
    const draw = drawn(seed);
    const some = <T>(list: readonly T[]): readonly T[] => list.filter(() => draw(3) === 0);
    for (let n = 0; n < 60; n += 1) {
      const filter: Filter = {
        against: some(["bots", "people"] as const),
        players: some([2, 3, 4, 5]),
        levels: some(LEVELS),
        won: draw(4) === 0,
        paradox: draw(4) === 0,
      };
      expect(filterOf(`#${hashOf(filter)}`)).toEqual(filter);
      const parts: readonly Filter[] = [
        { ...EVERYTHING, against: filter.against },
        { ...EVERYTHING, players: filter.players },
        { ...EVERYTHING, levels: filter.levels },
        { ...EVERYTHING, won: filter.won },
        { ...EVERYTHING, paradox: filter.paradox },
      ];
      for (const game of games)
        expect(matches(filter, game)).toBe(parts.every((part) => matches(part, game)));
      const options = optionsOf(games, filter);
      for (const level of filter.levels) expect(options.levels).toContain(level);
      expect(conditions(filter)).toBe(sumOf(parts.map(conditions)));
    }
  });
});

describe("statistics", () => {
  it("of nothing are nothing", () => {
    expect(totalsOf([])).toEqual({
      ...{ games: 0, won: 0, rounds: 0 },
      figures: { points: null, bids: null, paradoxes: null },
    });
    expect([curveOf([], "bids"), comparedOf([], "bids")]).toEqual([[], []]);
  });

  it("of one round have no interval of points", () => {
    const game: KeptGame = {
      ...{
        key: "",
        text: "",
        at: 0,
        names: ["Ada", "Ben"],
        totals: [3, 1],
        winners: [0],
        seat: 0,
        origin: "",
      },
      counted: { face: "white", rounds: [{ points: [3, 1], kept: [null, null], paradox: 1 }] },
    };
    expect(figureOf(tallyOf(game, "points"), "points")).toEqual({ count: 1, mean: 3, low: null, high: null });
    expect(figureOf(tallyOf(game, "bids"), "bids")).toBeNull();
    expect(figureOf(tallyOf(game, "paradoxes"), "paradoxes")?.mean).toBe(0);
    expect([againstOf(game), groupOf(game)]).toEqual(["people", "people"]);
  });
});

describe("a filter", () => {
  it("is nothing in the address while it asks for nothing", () => {
    expect(hashOf(EVERYTHING)).toBe("");
    expect(filterOf("")).toEqual(EVERYTHING);
  });

  it("forgets what means nothing", () => {
    expect(filterOf("#players=7,x,03&against=cats&level=divine&lost")).toEqual({
      ...EVERYTHING,
      players: [7],
    });
    expect(filterOf("#players=4,4,2&level=sharp,gentle&won=yes")).toEqual({
      ...EVERYTHING,
      players: [2, 4],
      levels: ["gentle", "sharp"],
      won: true,
    });
  });

  it("is switched on and off", () => {
    expect(toggled(toggled([2, 3], 4), 2)).toEqual([3, 4]);
  });
});
