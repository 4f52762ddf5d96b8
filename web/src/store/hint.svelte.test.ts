import { expect, it } from "vitest";
import type { Analysis } from "../coach/analysis";
import { Hint } from "./hint.svelte";

const FOUND: Analysis = { worlds: 2, actions: [], why: {} };

/** A hint, and what it has asked of its table. */
function hintOf() {
  const asked: string[] = [];
  const coach = { askHint: () => void asked.push("ask"), endHint: () => void asked.push("end") };
  const hint = new Hint(() => coach);
  const told = (found: Analysis | null, last = false) => hint.take({ type: "Hint", id: "h", found, last });
  return { hint, asked, told };
}

it("is not asked for when it is not the player's turn", () => {
  const { hint, asked } = hintOf();
  hint.ask();
  hint.follow("1 4");
  hint.follow("");
  hint.ask();
  expect([hint.isOpen, asked]).toEqual([false, []]);
});

it("closes with its question, and tells the table once", () => {
  const { hint, asked, told } = hintOf();
  hint.follow("1 4");
  hint.ask();
  told(FOUND);
  hint.follow("1 4");
  expect([hint.isOpen, hint.found]).toEqual([true, FOUND]);
  hint.follow("1 7");
  hint.close();
  told(FOUND);
  expect([hint.isOpen, hint.found, asked]).toEqual([false, null, ["ask", "end"]]);
});

it("keeps what it found when nothing better comes, and says when there is nothing at all", () => {
  const { hint, told } = hintOf();
  hint.follow("1 4");
  hint.ask();
  told(FOUND);
  told(null, true);
  expect([hint.found, hint.hasFailed]).toEqual([FOUND, false]);
  hint.ask();
  told(null, true);
  expect([hint.found, hint.hasFailed]).toEqual([null, true]);
  hint.ask();
  expect(hint.hasFailed).toBe(false);
});
