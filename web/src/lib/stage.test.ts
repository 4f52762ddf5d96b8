import { describe, expect, it } from "vitest";
import fixtures from "../../gallery/fixtures.json";
import { insightOf } from "../engine/insight";
import { startEngine } from "../engine/testing";
import { askedOf, stale } from "./insight";
import type { Scene } from "./scene";
import { sceneOf } from "./stage";
import type { TableShown } from "./wire";

type Named = TableShown & { readonly name: string };
const tables = fixtures.scenes as unknown as Named[];

const engine = await startEngine();
const insight = (table: TableShown) => insightOf(engine, askedOf(table));

function fixture(name: string): TableShown {
  const table = tables.find((one) => one.name === name);
  if (!table) throw new Error(`no fixture ${name}`);
  return table;
}

function scene(name: string): Scene {
  const table = fixture(name);
  return sceneOf(table, insight(table));
}

describe("a scene", () => {
  it.each(tables.map((table) => table.name))("can be made of %s", (name) => {
    const made = scene(name);
    expect(made.seats).toHaveLength(made.rounds);
    expect(made.board.places).toHaveLength(made.board.ranks * 4);
    expect(made.seats.map((seat) => seat.group)).toEqual(
      tables.find((one) => one.name === name)?.round.groups,
    );
  });

  it("offers what the server calls legal, and nothing else", () => {
    for (const table of tables) {
      const plays = (table.own?.legal ?? []).filter((action) => /^\d/.test(action));
      const offered = sceneOf(table, null).hand.flatMap((card) =>
        card.options.filter((option) => option.legal),
      );
      expect(offered.map((option) => option.action).sort()).toEqual([...plays].sort());
    }
  });

  it("gives a reason for every color that cannot be, on the own turn", () => {
    const made = scene("4-follow");
    const barred = made.hand.flatMap((card) => card.options.filter((option) => !option.legal));
    expect(barred.length).toBeGreaterThan(0);
    expect(barred.every((option) => option.why !== null)).toBe(true);
  });

  it("warns of the color that would be given up", () => {
    const made = scene("4-follow");
    const blue = made.hand.find((card) => card.rank === 5)?.options.find((option) => option.color === "b");
    expect(made.led).toBe("g");
    expect(blue?.effects).toContainEqual({ kind: "gives-up", color: "g" });
  });

  it("knows that red cannot be led yet", () => {
    const made = scene("4-lead");
    expect(made.ask).toEqual({ kind: "lead", redClosed: true });
    expect(made.hand[0]?.options[0]?.why).toEqual({ kind: "red-closed" });
  });

  it("knows that somebody with nothing but red may lead it all the same (R14b), with or without the engine", () => {
    const table = fixture("4-lead");
    expect(table.round.red_open).toBe(false);
    expect(sceneOf(table, null).ask).toEqual({ kind: "lead", redClosed: true });
    const hand = table.own!.hand.map((card) => ({ ...card, colors: "r" }));
    const own = { ...table.own!, hand, legal: hand.map(({ rank }) => `${rank}r`) };
    for (const known of [null, insight(table)])
      expect(sceneOf({ ...table, own }, known).ask).toEqual({ kind: "lead", redClosed: false });
  });

  it("seats the others clockwise from the own left, and everybody for a spectator", () => {
    expect(scene("4-follow").others).toEqual([1, 2, 3]);
    expect(scene("4-watch").others).toEqual([0, 1, 2, 3]);
    expect(scene("4-watch").hand).toEqual([]);
  });

  it("explains every color of every card of a paradox (R22)", () => {
    for (const name of ["3-paradox-mine", "5-paradox"]) {
      const paradox = scene(name).paradox;
      expect(paradox?.cards.length).toBeGreaterThan(0);
      for (const card of paradox?.cards ?? []) expect(card.reasons).toHaveLength(4);
    }
  });

  it("counts points as the server does", () => {
    const result = scene("4-result").result;
    const table = tables.find((one) => one.name === "4-result");
    for (const line of result?.lines ?? []) {
      expect(line.points).toBe(table?.round.end?.scores[line.seat]);
      expect(line.won + (line.bonus ?? 0)).toBe(line.points);
    }
  });

  it("puts the winners first", () => {
    const result = scene("4-final").result;
    expect(result?.final).toBe(true);
    expect(result?.winners).toContain(result?.lines[0]?.seat);
  });
});

describe("without the engine", () => {
  it("offers the same, and says nothing about reasons and costs", () => {
    for (const table of tables) {
      const bare = sceneOf(table, null);
      const whole = sceneOf(table, insight(table));
      expect(bare.ask).toEqual(whole.ask);
      expect(bare.hand.map(({ rank, playable }) => [rank, playable])).toEqual(
        whole.hand.map(({ rank, playable }) => [rank, playable]),
      );
      for (const option of bare.hand.flatMap((card) => card.options)) {
        expect(option.why).toBeNull();
        expect(option.effects).toEqual(option.legal ? null : []);
      }
      expect(bare.result?.counted ?? false).toBe(false);
    }
  });

  it("keeps the board as it was known until there is news of it", () => {
    const table = fixture("4-follow");
    const known = insight(table);
    const before = sceneOf(table, known);
    const after = sceneOf(table, stale(known));
    expect(after.board).toEqual(before.board);
    expect(after.board.places.some((place) => place.inGroup)).toBe(true);
    expect(after.hand.every((card) => card.options.every((option) => option.why === null))).toBe(true);
  });
});
