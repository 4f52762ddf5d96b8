import { expect, it } from "vitest";
import fixtures from "../../gallery/fixtures.json";
import { insightOf } from "../engine/insight";
import { startEngine } from "../engine/testing";
import { askedOf } from "../lib/insight";
import { sceneOf } from "../lib/stage";
import type { TableShown } from "../lib/wire";
import { draw, words } from "../ui/testing";
import { countSteps, shownAfter } from "./counting";
import Tally from "./Tally.svelte";

const tables = fixtures.scenes as unknown as readonly (TableShown & { readonly name: string })[];
const engine = await startEngine();

/** The counting of each seat of a scene, at its end: what is struck out, and all it says. */
function countedOf(name: string) {
  const table = tables.find((one) => one.name === name)!;
  const scene = sceneOf(table, insightOf(engine, askedOf(table)));
  const steps = countSteps(scene.result!);
  const shown = shownAfter(steps, steps.length);
  return scene.result!.lines.map((line) => {
    const root = draw(Tally, { scene, line, counted: shown.get(line.seat) });
    return { line, struck: root.querySelector(".struck")?.textContent ?? "", says: words(root) };
  });
}

it("strikes out the group of a seat that kept its bid and caused the paradox, and says why", () => {
  const { line, struck, says } = countedOf("4-paradox-kept").find((one) => one.line.causer)!;
  expect(struck).toContain(`${line.group}`);
  expect(says).toContain("bid kept, but the paradox costs the group");
});

it("says nothing of a group to a seat that caused a paradox and missed its bid", () => {
  for (const name of ["3-paradox-mine", "5-paradox"]) {
    const { struck, says } = countedOf(name).find((one) => one.line.causer)!;
    expect(struck).toBe("");
    expect(says).not.toContain("group");
  }
});
