import { flushSync } from "svelte";
import { fromStore, writable } from "svelte/store";
import { expect, it, onTestFinished, vi } from "vitest";
import { voice } from "../store/say.svelte";
import { draw, part, tap, words } from "../ui/testing";
import AllActions from "./AllActions.svelte";
import type { Analysis, Verdict } from "./analysis";
import Facts from "./Facts.svelte";
import HintPanel from "./HintPanel.svelte";
import HintVerdict from "./HintVerdict.svelte";
import Judgement from "./Judgement.svelte";
import Reasons from "./Reasons.svelte";
import { SAMPLE_ACTIONS, SAMPLE_BIDS, SAMPLE_FOUND, sampleOf } from "./samples";

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

/** A hint as it is drawn, and what is wanted of it. */
function hintOf(found: Analysis | null, failed = false) {
  const [onact, onclose] = [vi.fn(), vi.fn()];
  return { root: draw(HintPanel, { found, failed, onact, onclose }), onact, onclose };
}

it("tells the best action, three reasons against the next worse one, then all actions, and does it", () => {
  const { root, onact, onclose } = hintOf(SAMPLE_FOUND);
  expect(words(part(root, "h3"))).toBe("Blue 4");
  expect(words(part(root, ".why"))).toContain("Compared with: Yellow 4 (−0.8 points)");
  expect(root.querySelectorAll(".why li")).toHaveLength(3);
  const [best, why, all] = ["h3", ".why", "details"].map((one) => part(root, one));
  expect(best!.compareDocumentPosition(why!)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(why!.compareDocumentPosition(all!)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  tap(part(root, "button.main", "Play blue 4"));
  tap(part(root, "button", "Close"));
  expect([onact.mock.calls, onclose.mock.calls.length]).toEqual([[["4b"]], 1]);
});

it("has the focus on its heading, and says what it is doing while there is nothing yet", () => {
  const { root } = hintOf(null);
  expect(words(document.activeElement!)).toBe("Hint");
  expect(words(part(root, ".wait"))).toBe("Looking ahead …");
  expect(words(part(hintOf(null, true).root, ".wait"))).toContain("no hint right now");
});

it("says why there are no reasons", () => {
  const close = { ...SAMPLE_FOUND, actions: SAMPLE_ACTIONS.slice(0, 2) };
  const only = { ...SAMPLE_FOUND, actions: SAMPLE_ACTIONS.slice(0, 1) };
  const texts = [close, only, { ...SAMPLE_FOUND, why: {} }].map((found) =>
    words(part(hintOf(found).root, ".why")),
  );
  expect(texts[0]).toBe("The others are too close to call.");
  expect(texts[1]).toBe("There’s nothing else you can do.");
  expect(texts[2]).toContain("Many small things speak for it.");
});

it("draws a hint for a bid and for a card that is set aside", () => {
  for (const [actions, name] of [
    [["=2", "=1", "=3"], "Bid 2"],
    [["-5", "-6", "-8"], "Set the 5 aside"],
  ] as const) {
    const { root } = hintOf(sampleOf(actions));
    expect([words(part(root, "h3")), words(part(root, "button.main"))]).toEqual([name, name]);
  }
});

it("says the best action, and says it again only if it becomes another one", () => {
  const shown = writable(SAMPLE_FOUND);
  const current = fromStore(shown);
  const said = vi.spyOn(voice, "say");
  onTestFinished(() => said.mockRestore());
  draw(HintPanel, {
    get found() {
      return current.current;
    },
    onact: () => undefined,
    onclose: () => undefined,
  });
  shown.set({ ...SAMPLE_FOUND, worlds: 3000 });
  flushSync();
  shown.set(sampleOf(["8b", "4b"]));
  flushSync();
  expect(said.mock.calls.flat()).toEqual([
    "Hint: Play blue 4. 4.6 points expected, 4.3 to 4.9.",
    "Hint: Play blue 8. 4.6 points expected, 4.3 to 4.9.",
  ]);
});

it("keeps the list folded that somebody has folded, also when better figures come", () => {
  const shown = writable(SAMPLE_FOUND);
  const current = fromStore(shown);
  const root = draw(HintPanel, {
    get found() {
      return current.current;
    },
    onact: () => undefined,
    onclose: () => undefined,
  });
  const list = root.querySelector("details")!;
  expect(list.open).toBe(true);
  list.open = false;
  list.dispatchEvent(new Event("toggle"));
  flushSync();
  shown.set({ ...sampleOf(["8b", "4b", "4y"]), worlds: 3000 });
  flushSync();
  expect([root.querySelectorAll("details li").length, list.open]).toEqual([3, false]);
});

it("judges the chosen card’s colors, and says nothing of what is not legal", () => {
  const drawn = (action: string): string[] =>
    [...draw(HintVerdict, { action, found: SAMPLE_FOUND }).querySelectorAll("svg")].map((one) =>
      one.getAttribute("aria-label")!,
    );
  expect(["4b", "4y", "4g"].map(drawn)).toEqual([["Best"], ["Slip"], []]);
});
