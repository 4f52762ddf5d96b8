import { expect, it } from "vitest";
import { cut, found, text, type Block } from "./blocks";
import rules from "./rules.en.json";

const blocks = rules as unknown as readonly Block[];

it("finds a clause by its name, and by its words, under its heading", () => {
  const hits = found(blocks, "r14");
  expect(hits.some((block) => block.is === "list" && block.items.some((item) => item.name === "R14"))).toBe(true);
  const wrap = found(blocks, "wrap around");
  expect(wrap.map((block) => block.is)).toEqual(["heading", "list"]);
  expect(text(wrap[1]!)).toContain("R27");
});

it("finds everything, or nothing", () => {
  expect(found(blocks, "  ")).toBe(blocks);
  expect(found(blocks, "xyzzy")).toEqual([]);
});

it("cuts words at hits", () => {
  expect(cut("Red and red", "red")).toEqual(["", "Red", " and ", "red", ""]);
  expect(cut("blue", "red")).toEqual(["blue"]);
});
