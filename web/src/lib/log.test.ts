import { describe, expect, it } from "vitest";
import fixtures from "../../gallery/fixtures.json";
import { logOf } from "./log";
import type { TableShown } from "./wire";

const tables = fixtures.scenes as unknown as readonly (TableShown & { readonly name: string })[];
const round = (name: string) => tables.find((one) => one.name === name)!.round;

describe("the log of a round", () => {
  it.each(tables.map((table) => table.name))("agrees with what %s shows", (name) => {
    const shown = round(name);
    const log = logOf(shown, null);
    const whole = log.filter((trick) => trick.plays.length === shown.won.length);
    expect(shown.won).toEqual(
      shown.won.map((_, seat) => whole.filter((trick) => trick.winner === seat).length),
    );
    const open = log.filter((trick) => trick.winner === null).flatMap((trick) => trick.plays);
    expect(open.map((card) => `${card.rank}${card.color}`)).toEqual(shown.trick.map((card) => card.action));
    expect(open.map((card) => card.seat)).toEqual(shown.trick.map((card) => card.seat));
    const last = whole.at(-1)?.plays ?? [];
    if (shown.last_trick.length)
      expect(last.map((card) => card.seat)).toEqual(shown.last_trick.map((card) => card.seat));
  });

  it("says with which card a seat gave up a color", () => {
    const gaveUp = [[], [{ color: "y" as const, trick: 1 }], [], []];
    const [first, second] = logOf(round("4-follow"), gaveUp);
    const lost = first!.plays.filter((card) => card.gaveUp);
    expect(lost.map((card) => [card.seat, card.gaveUp])).toEqual([[1, "y"]]);
    expect(second!.plays.every((card) => card.gaveUp === null)).toBe(true);
  });
});
