/** What follows from a date is what the published days say, which were computed by another program. */

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PLAYERS } from "../../lib/days";
import { dailyDealer, dailySeats, dailySeed, LEVELS } from "./derive";

const VECTORS = new URL("../../../../vectors/days.daily", import.meta.url);
const blocks = existsSync(VECTORS)
  ? readFileSync(VECTORS, "utf8")
      .split(/^vector /m)
      .slice(1)
  : [];

describe.runIf(existsSync(VECTORS))("the published days", () => {
  test.each(blocks.map((block) => [block.split("\n")[0]!, block] as const))("%s", (_, block) => {
    const fields = (name: string): readonly string[][] =>
      [...block.matchAll(new RegExp(`^${name} (.*)$`, "gm"))].map(([, rest]) => rest!.split(" "));
    const [date] = fields("date")[0]!;
    const { seat, levels } = dailySeats(date!);
    expect([`${seat}`]).toEqual(fields("seat")[0]);
    expect(levels.map((level) => level ?? "-")).toEqual(fields("levels")[0]);
    const dealer = dailyDealer(date!);
    // Later rounds first: a deal does not depend on those that were asked for before.
    for (const [round, ...hands] of fields("deal").toReversed())
      expect(dealer.deal(PLAYERS, Number(round))).toEqual({ hands, aside: "" });
    expect([`${dealer.starter(PLAYERS)}`]).toEqual(fields("starter")[0]);
    expect(fields("seed")).toHaveLength(4);
    for (const [round, bot, decision, seed] of fields("seed"))
      expect(`${dailySeed(date!, Number(round), Number(bot), Number(decision))}`).toBe(seed);
  });
});

const DAYS = Array.from({ length: 120 }, (_, n) =>
  new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10),
);

test("days differ in their cards, and in time every seat, starter and level comes up", () => {
  const rounds = (date: string): readonly string[] =>
    [1, 2, 3].map((round) => `${dailyDealer(date).deal(PLAYERS, round).hands}`);
  const decks = DAYS.map((date) => `${rounds(date)}`);
  expect(new Set(decks).size).toBe(decks.length);
  expect(new Set(DAYS.map((date) => dailySeats(date).seat)).size).toBe(PLAYERS);
  expect(new Set(DAYS.map((date) => dailyDealer(date).starter(PLAYERS))).size).toBe(PLAYERS);
  expect(new Set(DAYS.flatMap((date) => dailySeats(date).levels))).toEqual(new Set([null, ...LEVELS]));
});

test("every decision has a chance of its own", () => {
  const seeds = DAYS.slice(0, 20).flatMap((date) =>
    [1, 2, 3].flatMap((round) =>
      [0, 1, 2].flatMap((seat) => [0, 1, 9].map((n) => dailySeed(date, round, seat, n))),
    ),
  );
  expect(new Set(seeds).size).toBe(seeds.length);
  expect(seeds.every((seed) => seed >= 0n && seed < 2n ** 62n)).toBe(true);
});
