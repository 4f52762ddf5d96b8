import { beforeEach, expect, it, vi } from "vitest";
import type * as Client from "../engine/client";
import fixtures from "../../gallery/fixtures.json";
import type { Asked, Insight } from "../lib/insight";
import type { TableShown } from "../lib/wire";
import { m } from "../paraglide/messages.js";
import type { Insights as InsightsOfPage } from "./insights.svelte";

/** Every test is a page of its own: what was told in one is told again in the next. */
let Insights: typeof InsightsOfPage;
let EngineFailed: typeof Client.EngineFailed;
let EngineMissing: typeof Client.EngineMissing;
beforeEach(async () => {
  vi.resetModules();
  ({ EngineFailed, EngineMissing } = await import("../engine/client"));
  ({ Insights } = await import("./insights.svelte"));
});

const film = fixtures.film as unknown as readonly TableShown[];
const [first, second] = [film[0]!, film[1]!];
const insight = (mark: string): Insight => ({
  board: { joined: {}, grouped: [mark] },
  options: { [mark]: { why: null, effects: [] } },
  could: {},
  gaveUp: [],
  paradox: {},
  bonuses: null,
  lost: null,
  tieBreak: false,
});

/** An engine whose answers are given by hand. */
function byHand() {
  const questions: {
    asked: Asked;
    signal: AbortSignal;
    answer: (it: Insight) => void;
    fail: (error: unknown) => void;
  }[] = [];
  const insights = new Insights(
    (asked, signal) =>
      new Promise((answer, fail) => {
        questions.push({ asked, signal, answer, fail });
      }),
  );
  return { insights, questions };
}

it("asks about a table once, and knows what was answered", async () => {
  const { insights, questions } = byHand();
  insights.ask(first);
  insights.ask({ ...first, game: { ...first.game } }); // the same in another wrapping
  expect(questions).toHaveLength(1);
  expect(questions[0]!.asked).not.toHaveProperty("seats");
  expect(insights.of(first)).toBeNull();
  const answer = insight("1r");
  questions[0]!.answer(answer);
  await Promise.resolve();
  expect(insights.of(first)).toBe(answer);
});

it("keeps the board until the next answer, and nothing that was said about the moment", async () => {
  const { insights, questions } = byHand();
  insights.ask(first);
  questions[0]!.answer(insight("1r"));
  await Promise.resolve();
  insights.ask(second);
  expect(insights.of(second)).toMatchObject({ board: { grouped: ["1r"] }, options: {} });
  const later = { ...second, game: { ...second.game, round: second.game.round + 1 } };
  expect(insights.of(later)).toBeNull();
});

it("drops an answer about an older table", async () => {
  const { insights, questions } = byHand();
  insights.ask(first);
  insights.ask(second);
  expect(questions[0]!.signal.aborted).toBe(true);
  questions[1]!.answer(insight("2b"));
  questions[0]!.answer(insight("1r"));
  await Promise.resolve();
  expect(insights.of(second)?.board.grouped).toEqual(["2b"]);
});

it("says once in a page that there is no engine; a single failure is no news", async () => {
  const { insights, questions } = byHand();
  insights.ask(first);
  questions[0]!.fail(new EngineFailed("out of luck"));
  await new Promise(process.nextTick);
  expect(insights.missing).toBe("");
  insights.ask(second);
  questions[1]!.fail(new EngineMissing("wasm"));
  await new Promise(process.nextTick);
  expect(insights.missing).toBe(m.engine_missing());
  const other = byHand();
  other.insights.ask(first);
  other.questions[0]!.fail(new EngineMissing("wasm"));
  await new Promise(process.nextTick);
  expect(other.insights.missing).toBe("");
});

it("does not blame the browser for rules that could not be loaded", async () => {
  const { insights, questions } = byHand();
  insights.ask(first);
  questions[0]!.fail(new EngineMissing("load", "503"));
  await new Promise(process.nextTick);
  expect(insights.missing).toBe(m.local_no_rules());
});
