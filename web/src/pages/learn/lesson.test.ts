import { describe, expect, it } from "vitest";
import { insightOf } from "../../engine/insight";
import { startEngine } from "../../engine/testing";
import { askedOf } from "../../lib/insight";
import { sceneOf } from "../../lib/stage";
import { beginOf, partOf, placeOf, sofar, steps, trickEnds, wonBefore } from "./lesson";
import { isOptional, partReached, PARTS, reach, startOver, stepReached } from "./progress";
import { TEXTS } from "./texts";

const engine = await startEngine();

describe("the tutorial", () => {
  it("has words for every step and every part", () => {
    expect(steps.map((step) => step.id).filter((id) => !TEXTS[id])).toEqual([]);
    expect(Object.keys(TEXTS)).toHaveLength(steps.length);
  });

  it("says what to do wherever something is to be done", () => {
    const waiting = steps.filter(
      ({ choose, then, screen }) => choose !== null || then !== null || screen === "paradox",
    );
    expect(waiting.map((step) => step.id)).toEqual(
      Object.entries(TEXTS).flatMap(([id, { todo }]) => (todo ? [id] : [])),
    );
  });

  it("shows nothing that it has not explained: bids, groups and trump come with their parts", () => {
    for (const step of steps) {
      const scene = sceneOf(step.table, insightOf(engine, askedOf(step.table)));
      const [part, seen] = [partOf(step), sofar(scene, partOf(step))];
      const kinds = new Set(
        seen.hand
          .flatMap(({ options }) => options.flatMap(({ effects }) => effects ?? []))
          .map(({ kind }) => kind),
      );
      const early = PARTS.indexOf(part) < PARTS.indexOf("bid");
      if (!early) expect(seen).toBe(scene);
      else {
        expect(seen.seats.every(({ bid, group }) => bid === null && group === 0)).toBe(true);
        expect(seen.board.places.some(({ inGroup }) => inGroup)).toBe(false);
        expect(kinds).not.toContain("group");
      }
      if (part === "color" || part === "follow") expect(kinds).not.toContain("trumps");
    }
    expect(steps.some(({ table }) => table.round.bids.some((bid) => bid !== null))).toBe(true);
  });

  it("shows the reason before it goes on: the card that was tapped stays chosen", () => {
    const [cost, why] = [steps[placeOf("follow-cost")]!, steps[placeOf("follow-why")]!];
    expect(steps.indexOf(why)).toBe(steps.indexOf(cost) + 1);
    expect(why.chosen).toBe(cost.choose);
    expect(why.table).toEqual(cost.table);
    expect(why.then).toBeNull();
  });

  it("remembers how far somebody has come, until the end", () => {
    expect([stepReached(), partReached()]).toEqual([null, null]);
    reach("red-lead");
    expect(partReached()).toBe("red");
    expect(steps[placeOf(stepReached())]!.id).toBe("red-lead");
    expect(steps[beginOf("red")]!.id).toBe("red-trump");
    startOver();
    expect(partReached()).toBeNull();
    expect(placeOf("no-such-step")).toBe(0);
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

  it("leaves a trick where it lies until the words about it were read", () => {
    const lying = steps.map((step, at) => [step.id, wonBefore(at)] as const).filter(([, trick]) => trick);
    expect(lying.map(([id]) => id)).toEqual([
      "color-taken",
      "color-trick",
      "red-lead",
      "red-over",
      "bid-result",
    ]);
    const [, trick] = lying[0]!;
    expect(trick).toEqual({
      cards: steps[placeOf("color-taken")]!.table.round.last_trick,
      winner: 0,
    });
  });

  it("has other words once a box is open, and only there", () => {
    const opened = Object.entries(TEXTS).flatMap(([id, words]) => (words.opened ? [id] : []));
    expect(opened).toEqual(steps.filter(({ screen }) => screen === "paradox").map(({ id }) => id));
  });

  it("has what nobody needs for a first game at its end", () => {
    expect(PARTS.filter(isOptional)).toEqual(PARTS.slice(-1));
  });

  it("goes from part to part without looking back", () => {
    const order = steps.map(partOf).filter((part, n, all) => part !== all[n - 1]);
    expect(order).toEqual(PARTS);
  });
});
