import { expect, it } from "vitest";
import { cut, found, headingsOf, quickReference, termsOf, text, type Block } from "./blocks";
import rules from "./rules.en.json";

const blocks = rules as unknown as readonly Block[];

it("finds a clause by its name, and by its words, under its heading", () => {
  const hits = found(blocks, "r14");
  expect(hits.some((block) => block.is === "list" && block.items.some((item) => item.name === "R14"))).toBe(
    true,
  );
  const wrap = found(blocks, "wrap around");
  expect(wrap.map((block) => block.is)).toEqual(["heading", "list"]);
  expect(text(wrap[1]!)).toContain("R27");
});

it("finds everything, or nothing", () => {
  expect(found(blocks, "  ")).toBe(blocks);
  expect(found(blocks, "xyzzy")).toEqual([]);
});

it("finds an answer to a question: words that say nothing are left out", () => {
  expect(termsOf("Why a paradox?")).toEqual(["paradox"]);
  expect(termsOf("なぜパラドックス？")).toEqual(["パラドックス"]);
  expect(termsOf("is it")).toEqual(["is", "it"]);
  const answers = found(blocks, "why paradox");
  expect(answers.some((block) => text(block).includes("you cause a paradox"))).toBe(true);
  expect(answers).toEqual(found(blocks, "Paradox"));
});

it("finds clauses that have all words, wherever they are", () => {
  const hits = found(blocks, "red lead");
  expect(hits.length).toBeGreaterThan(0);
  for (const block of hits.filter(({ is }) => is === "list"))
    expect(text(block).toLowerCase()).toMatch(/red[\s\S]*lead|lead[\s\S]*red/);
});

it("lists the chapters, of which the last is all on one page", () => {
  const headings = headingsOf(blocks);
  expect(headings.map(({ text }) => text)).toContain("Paradox");
  expect(headings.every(({ level, id }) => level > 1 && id)).toBe(true);
  expect(quickReference(blocks)[0]).toEqual(headings.at(-1));
  expect(quickReference([])).toEqual([]);
});

it("cuts words at hits", () => {
  expect(cut("Red and red", "red")).toEqual(["", "Red", " and ", "red", ""]);
  expect(cut("blue", "red")).toEqual(["blue"]);
  expect(cut("red and blue", "blue red")).toEqual(["", "red", " and ", "blue", ""]);
});

it("looks for the beginnings of words, and in Japanese anywhere", () => {
  expect(cut("A closed cell: you lose it, the loser says", "lose")).toEqual([
    "A closed cell: you ",
    "lose",
    " it, the ",
    "lose",
    "r says",
  ]);
  expect(cut("closed", "lose")).toEqual(["closed"]);
  expect(cut("R14, 114", "14")).toEqual(["R", "14", ", 114"]);
  expect(cut("überlose Öffnung", "öff")).toEqual(["überlose ", "Öff", "nung"]);
  expect(cut("このパラドックスは", "ドックス")).toEqual(["このパラ", "ドックス", "は"]);
  expect(cut("赤5のR14は", "r14")).toEqual(["赤5の", "R14", "は"]);
});
