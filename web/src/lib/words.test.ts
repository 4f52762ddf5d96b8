import { describe, expect, it } from "vitest";
import fixtures from "../../gallery/fixtures.json";
import { insightOf } from "../engine/insight";
import { startEngine } from "../engine/testing";
import { askedOf } from "./insight";
import type { Scene } from "./scene";
import { sceneOf } from "./stage";
import type { TableShown } from "./wire";
import { absenceWords, minus, optionWords, phaseWords, timeWords } from "./words";

const scenes = fixtures.scenes as unknown as readonly (TableShown & { readonly name: string })[];
const engine = await startEngine();

function scene(name: string): Scene {
  const table = scenes.find((one) => one.name === name)!;
  return sceneOf(table, insightOf(engine, askedOf(table)));
}

describe("words", () => {
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

  it("of a choice say what it does or why it cannot be; the size of the group is a sign of its own", () => {
    const now = scene("4-follow");
    const lines = now.hand.flatMap((card) => card.options.map((option) => optionWords(now, option)));
    expect(lines.flat().some((line) => line.includes("group"))).toBe(false);
    expect(lines.flat()).toContain("follows");
  });

  it("have a real minus sign", () => expect(minus(-3)).toBe("−3"));
});
