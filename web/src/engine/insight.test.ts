import { describe, expect, it } from "vitest";
import fixtures from "../../gallery/fixtures.json";
import { askedOf, type Asked, type Insight } from "../lib/insight";
import type { TableShown } from "../lib/wire";
import { insightOf } from "./insight";
import { startEngine } from "./testing";

const engine = await startEngine();
const tables = fixtures.scenes as unknown as readonly (TableShown & { readonly name: string })[];
const fixture = (name: string): Asked => askedOf(tables.find((one) => one.name === name)!);
const insight = (asked: Asked): Insight => insightOf(engine, asked);

/** A fixture with another board. */
function onBoard(name: string, face: string, ...board: readonly string[]): Asked {
  const asked = fixture(name);
  const rows = ["r", "b", "y", "g"].map((color, row) => {
    const before = face === "purple" ? ". ".repeat(row) : "";
    return before + Array.from({ length: 9 }, (_, rank) => `${color}${rank + 1}`).join(" ");
  });
  return {
    ...asked,
    game: { ...asked.game, face: [`face ${face}`, ...rows].join("\n") },
    round: { ...asked.round, board },
  };
}

describe("the board", () => {
  it("joins tokens of one seat that touch, and knows the largest groups", () => {
    const { board } = insight(onBoard("4-follow", "white", "00......", "0.1*....", "........", "........"));
    expect(board.joined).toEqual({ "1r": ["2r", "1b"], "2r": ["1r"], "1b": ["1r"] });
    expect([...board.grouped].sort()).toEqual(["1b", "1r", "2r"]);
  });

  it("touches other cells on another face", () => {
    const { board } = insight(onBoard("4-follow", "purple", "00......", "0.......", "........", "........"));
    expect(board.joined).toEqual({ "1r": ["2r"], "2r": ["1r", "1b"], "1b": ["2r"] });
  });

  it("has one group for every seat, none of a single token, nor of neutral ones", () => {
    const grouped = (...rows: readonly string[]) =>
      [...insight(onBoard("3-follow", "white", ...rows)).board.grouped].sort();
    expect(grouped("00.1..", "...1..", "0..1..", "0.....")).toEqual(["1r", "2r", "4b", "4r", "4y"]);
    expect(grouped("00....", ".0....", "..0...", "......")).toEqual(["1r", "2b", "2r"]);
    expect(grouped("0.1...", "......", "**....", "......")).toEqual([]);
  });

  it.each(tables.map((table) => table.name))("has groups as large as the server says, %s", (name) => {
    const asked = fixture(name);
    const { grouped } = insight(asked).board;
    const owners = grouped.map((cell) => asked.round.board["rbyg".indexOf(cell[1]!)]![Number(cell[0]) - 1]);
    asked.round.groups.forEach((size, seat) => {
      expect(owners.filter((owner) => owner === `${seat}`)).toHaveLength(size > 1 ? size : 0);
    });
  });
});

describe("the own hand", () => {
  it("has reasons on others' turns as well, but no costs", () => {
    const { options } = insight(fixture("4-wait"));
    expect(Object.keys(options).length).toBeGreaterThan(0);
    for (const { why, effects } of Object.values(options)) {
      expect(why?.kind).not.toBe("red-closed");
      expect(effects).toBeNull();
    }
    expect(Object.values(options).some((option) => option.why !== null)).toBe(true);
  });

  it("is not explained before the first trick, nor to anybody who watches", () => {
    for (const name of ["4-discard", "4-bid", "4-watch"]) expect(insight(fixture(name)).options).toEqual({});
  });
});

describe("the cards of a trick", () => {
  it("could have been what is still open to their seats", () => {
    const asked = fixture("4-follow");
    const { could } = insight(asked);
    expect(Object.keys(could).sort()).toEqual(
      [...asked.round.trick, ...asked.round.last_trick].map((card) => card.action).sort(),
    );
    for (const [action, colors] of Object.entries(could)) expect(colors).not.toContain(action[1]); // it lies there
  });
});

describe("the end", () => {
  it("counts the bonus that the server has counted", () => {
    const ends = tables.filter((table) => table.round.end);
    expect(ends.length).toBeGreaterThan(4);
    for (const table of ends) {
      const { bonuses } = insight(askedOf(table));
      const { scores, paradox } = table.round.end!;
      scores.forEach((points, seat) => {
        const won = table.round.won[seat]!;
        expect(points).toBe(paradox === seat ? 0 - won : won + (bonuses![seat] ?? 0));
      });
    }
    expect(insight(fixture("4-follow")).bonuses).toBeNull();
  });

  it("knows the group that a paradox has cost a seat that kept its bid", () => {
    const { lost, bonuses } = insight(fixture("4-paradox-kept"));
    const { end, bids, won, groups } = fixture("4-paradox-kept").round;
    const causer = end!.paradox!;
    expect(bids[causer]).toBe(won[causer]);
    expect(lost).toEqual(groups.map((size, seat) => (seat === causer ? size : null)));
    expect(bonuses![causer]).toBeNull();
  });

  it("knows of no group that was lost where the bid was missed, or nobody caused a paradox", () => {
    for (const name of ["3-paradox-mine", "5-paradox", "4-result", "2-result"])
      expect(insight(fixture(name)).lost!.every((size) => size === null)).toBe(true);
    expect(insight(fixture("4-follow")).lost).toBeNull();
  });

  it("says when the last round has decided between equal totals (R3)", () => {
    const end = fixture("4-final");
    const decided = (totals: readonly number[], winners: readonly number[]) =>
      insight({ ...end, game: { ...end.game, totals, winners } }).tieBreak;
    expect(decided([9, 9, 3, 1], [1])).toBe(true);
    expect(decided([9, 9, 3, 1], [0, 1])).toBe(false);
    expect(decided([9, 8, 3, 1], [0])).toBe(false);
    expect(decided([9, 9, 3, 1], [])).toBe(false);
  });
});

it("leaves nothing behind in the engine's memory", () => {
  const free = engine.within(() => engine.row(1).ptr);
  for (const table of tables) insight(askedOf(table));
  expect(engine.within(() => engine.row(1).ptr)).toBe(free);
});
