import { describe, expect, it } from "vitest";
import fixtures from "../../gallery/fixtures.json";
import { insightOf } from "../engine/insight";
import { startEngine } from "../engine/testing";
import { askedOf } from "./insight";
import type { Option, Scene } from "./scene";
import { sceneOf } from "./stage";
import type { TableShown } from "./wire";
import {
  absenceWords,
  askWords,
  costOf,
  minus,
  optionWords,
  phaseWords,
  seatWords,
  timeWords,
} from "./words";

const scenes = fixtures.scenes as unknown as readonly (TableShown & { readonly name: string })[];
const engine = await startEngine();

function scene(name: string): Scene {
  const table = scenes.find((one) => one.name === name)!;
  return sceneOf(table, insightOf(engine, askedOf(table)));
}

describe("words", () => {
  it("offer another color only to somebody who has one", () => {
    const free = scene("4-follow");
    const follows = (one: Option): boolean => one.effects?.some(({ kind }) => kind === "follows") ?? false;
    const bound: Scene = {
      ...free,
      hand: free.hand
        .map((card) => ({ ...card, options: card.options.map((one) => ({ ...one, legal: follows(one) })) }))
        .filter(({ options }) => options.some(({ legal }) => legal)),
    };
    expect(bound.hand.length).toBeGreaterThan(0);
    expect(askWords(free).more).toContain("another color");
    expect(askWords(bound).more).not.toContain("another color");
  });

  it("tell how many cards a paradox leaves in the hand", () => {
    for (const name of ["3-paradox-mine", "5-paradox", "4-paradox-kept"]) {
      const { hand } = scenes.find((one) => one.name === name)!.round.end!;
      const { more } = askWords(scene(name));
      expect(more).toContain(`${hand.length} cards`);
      expect(more).toContain(name === "5-paradox" ? "Jun" : "your");
    }
  });

  it("tell what the round is about before its first trick", () => {
    expect(phaseWords(scene("4-discard"))).toBe("Setting aside");
    expect(phaseWords(scene("4-bid"))).toBe("Bids");
    expect(phaseWords(scene("4-follow"))).toMatch(/^Trick \d of 8$/);
  });

  it("tell the time as clocks do", () => {
    expect(timeWords(65_000)).toBe("1:05");
    expect(timeWords(200)).toBe("0:01");
    expect(timeWords(-5_000)).toBe("0:00");
  });

  it("tell who is missing, and who plays instead", () => {
    const seat = scene("4-follow").seats[1]!;
    expect(absenceWords(seat)).toBe("");
    expect(absenceWords({ ...seat, away: true })).toBe("away");
    expect(absenceWords({ ...seat, away: true, covered: true })).toBe("a bot is playing for them");
  });

  it("do not say that somebody thinks who is away, or whom a bot replaces", () => {
    const now = scene("4-wait");
    const waited = now.ask.kind === "wait" ? now.ask.seats : [];
    const as = (change: { away?: boolean; covered?: boolean }): string => {
      const seats = now.seats.map((seat) => (waited.includes(seat.seat) ? { ...seat, ...change } : seat));
      return askWords({ ...now, seats }).title;
    };
    expect(as({})).toBe("Tesla is thinking.");
    expect(as({ away: true })).toBe("Tesla is away.");
    expect(as({ away: true, covered: true })).toBe("A bot is playing for Tesla now.");
  });

  it("of a choice say what it gains or why it cannot be, in two lines with its cost", () => {
    const now = scene("4-follow");
    const options = now.hand.flatMap((card) => card.options);
    const lines = options.map((option) => optionWords(now, option));
    expect(lines.flat()).toContain("follows, for free");
    expect(options.every((option, at) => lines[at]!.length + (costOf(option) ? 1 : 0) <= 2)).toBe(true);
    const costly = options.filter((option) => costOf(option));
    expect(costly.map((option) => costOf(option)?.words)).toContain("gives up green");
  });

  it("of a choice name who stays ahead, and how large the group becomes", () => {
    const now = scene("4-follow");
    const [option] = now.hand.flatMap((card) => card.options.filter((one) => one.legal));
    const words = (effects: Option["effects"]) => optionWords(now, { ...option!, effects });
    expect(words([{ kind: "group", size: 4 }])).toEqual(["group grows to 4"]);
    expect(words([{ kind: "below", seat: 2 }])).toEqual(["Tesla stays ahead"]);
    expect(words([{ kind: "tops", last: true }])).toEqual(["wins the trick"]);
    expect(words([{ kind: "tops", last: false }])).toEqual(["wins so far"]);
  });

  it("say in the first line that a card follows and wins: a phone shows no other", () => {
    const now = scene("4-follow");
    const [option] = now.hand.flatMap((card) => card.options.filter((one) => one.legal));
    const words = (...effects: NonNullable<Option["effects"]>) => optionWords(now, { ...option!, effects });
    const group = { kind: "group", size: 4 } as const;
    expect(words({ kind: "follows" }, { kind: "tops", last: true }, group)).toEqual([
      "follows, wins the trick",
      "group grows to 4",
    ]);
    expect(words({ kind: "follows" }, { kind: "tops", last: false })).toEqual(["follows, wins so far"]);
    expect(words({ kind: "follows" }, { kind: "below", seat: 2 })).toEqual([
      "follows, for free",
      "Tesla stays ahead",
    ]);
  });

  it("tell a listener whose turn it is", () => {
    const now = scene("4-follow");
    expect(seatWords(now.seats[now.me!]!)).toContain("You, your turn, ");
    const other = { ...now.seats[now.others[0]!]!, toAct: true };
    expect(seatWords(other)).toContain("their turn");
  });

  it("say that no card can follow, instead of warning of it", () => {
    const now = scene("4-follow");
    const hand = now.hand.map((card) => ({
      ...card,
      options: card.options.map((one) => ({
        ...one,
        effects: one.effects?.filter((effect) => effect.kind !== "follows") ?? [],
      })),
    }));
    expect(askWords(now).more).toContain("You may play another color");
    expect(askWords({ ...now, hand }).more).toContain("None of your cards can be green");
  });

  it("have a real minus sign", () => expect(minus(-3)).toBe("−3"));
});
