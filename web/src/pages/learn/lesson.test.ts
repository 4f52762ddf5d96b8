import { describe, expect, it } from "vitest";
import { insightOf } from "../../engine/insight";
import { startEngine } from "../../engine/testing";
import { askedOf } from "../../lib/insight";
import { sceneOf } from "../../lib/stage";
import { parts, partOf, steps, trickEnds } from "./lesson";
import { PART_NAMES, TEXTS } from "./texts";

const engine = await startEngine();

describe("the tutorial", () => {
  it("has words for every step and every part", () => {
    expect(steps.map((step) => step.id).filter((id) => !TEXTS[id])).toEqual([]);
    expect(Object.keys(TEXTS)).toHaveLength(steps.length);
    expect(parts).toEqual(Object.keys(PART_NAMES));
  });

  it.each(steps)("can be drawn at $id, and waits only for what is possible", (step) => {
    const scene = sceneOf(step.table, insightOf(engine, askedOf(step.table)));
    if (step.choose !== null) expect(scene.hand.map((card) => card.rank)).toContain(step.choose);
    for (const [action, after] of Object.entries(step.then ?? {})) {
      expect(step.table.own!.legal).toContain(action);
      expect(after.length).toBeGreaterThan(0);
      after.forEach((table) => sceneOf(table, insightOf(engine, askedOf(table))));
    }
    if (step.screen === "paradox") expect(scene.paradox?.seat).toBe(0);
    if (step.screen === "counting") expect(scene.result).not.toBeNull();
  });

  it("tells where a trick ends", () => {
    const step = steps.find((one) => one.id === "color-choose")!;
    const [own, second, last] = step.then!["5b"]!;
    expect(trickEnds(step.table, own!)).toBe(false);
    expect(trickEnds(own!, second!)).toBe(false);
    expect(trickEnds(second!, last!)).toBe(true);
  });

  it("goes from part to part without looking back", () => {
    const order = steps.map(partOf).filter((part, n, all) => part !== all[n - 1]);
    expect(order).toEqual(parts);
  });
});
