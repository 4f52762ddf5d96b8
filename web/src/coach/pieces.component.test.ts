import { expect, it } from "vitest";
import { draw, part, words } from "../ui/testing";
import AllActions from "./AllActions.svelte";
import type { Verdict } from "./analysis";
import Facts from "./Facts.svelte";
import Judgement from "./Judgement.svelte";
import Reasons from "./Reasons.svelte";
import { SAMPLE_ACTIONS, SAMPLE_BIDS } from "./samples";

const VERDICTS: readonly Verdict[] = ["best", "fine", "slip", "mistake", "close"];

it("draws every judgement with an outline of its own, and says its word", () => {
  const drawn = VERDICTS.map((verdict) => draw(Judgement, { verdict }).querySelector("svg")!);
  const outlines = drawn.map((svg) => svg.innerHTML.replace(/ class="[^"]*"/g, ""));
  expect(new Set(outlines).size).toBe(VERDICTS.length);
  expect(new Set(drawn.map((svg) => svg.getAttribute("aria-label"))).size).toBe(VERDICTS.length);
});

it("says nothing of a judgement whose word stands beside it", () => {
  const verdict: Verdict = "slip";
  const svg = draw(Judgement, { verdict, quiet: true }).querySelector("svg")!;
  expect([svg.getAttribute("role"), svg.getAttribute("aria-hidden")]).toEqual([null, "true"]);
});

it("tells for every action its name, points, paradox rate and judgement, in the order given", () => {
  const list = draw(AllActions, { all: SAMPLE_ACTIONS, open: true });
  const lines = [...list.querySelectorAll("li .sr")].map((one) => words(one));
  expect(lines[0]).toBe("Blue 4: 4.6 points (4.3 to 4.9), paradox 9%. Best");
  expect(lines[4]).toBe("Red 1: −0.6 points (−0.9 to −0.3), paradox 53%. Mistake");
  expect(words(list.querySelector("summary")!)).toBe("All 5 actions");
});

it("marks the action that was taken, unless it is the best", () => {
  const marked = (taken: string): number =>
    draw(AllActions, { all: SAMPLE_BIDS, taken }).querySelectorAll("li.taken").length;
  expect([marked("=3"), marked("=2")]).toEqual([1, 0]);
});

it("says whether a reason speaks for or against, and what is strong in it", () => {
  const list = draw(Reasons, {
    reasons: [
      { favours: true, words: "Keeps your 8 playable: *0.3 instead of 1.1*." },
      { favours: false, words: "Your group stays at *three*." },
    ],
  });
  expect([...list.querySelectorAll("b")].map((one) => one.textContent)).toEqual([
    "0.3 instead of 1.1",
    "three",
  ]);
  const signs = [...list.querySelectorAll("svg")].map((one) => one.getAttribute("aria-label"));
  expect(signs).toEqual(["Speaks for it", "Speaks against it"]);
});

it("shows three figures of an action", () => {
  const drawn = draw(Facts, { of: SAMPLE_ACTIONS[0]! });
  expect(part(drawn, "dl").textContent.replace(/\s+/g, " ").trim()).toMatch(
    /paradox 9% bid kept 71% largest group 3\.9/,
  );
});
