import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { made } from "./make.mjs";
import { clauses, parse } from "./parse.mjs";

const file = (name: string): URL => new URL(name, import.meta.url);
const read = (language: string): string => readFileSync(file(`rules.${language}.json`), "utf8");
const NAMES = [
  ...Array.from({ length: 34 }, (_, n) => `R${n + 1}`),
  ...[1, 2, 3, 4, 5, 6].map((n) => `F${n}`),
];

describe("the rules of the page", () => {
  it.each(["en", "de", "ja"])("have every clause once, in order (%s)", (language) => {
    expect(clauses(JSON.parse(read(language)))).toEqual(NAMES);
  });

  it.each(["de", "ja"])("are made of their source (%s)", (language) => {
    expect(read(language)).toBe(made(language));
  });

  it.runIf(existsSync(file("../../../../docs/rules.md")))("say what docs/rules.md says", () => {
    expect(read("en")).toBe(made("en"));
  });
});

it("reads clauses, tables, drawings and links", () => {
  const found = parse(
    '## A title\n\n- <a id="r1"></a>**R1** One *two*\n  three [R2](#r2).\n  - sub\n\n| a | b |\n|---|---|\n| `1` | 2 |\n\n```text\nx  y\n```\n',
  );
  expect(found).toEqual([
    { is: "heading", level: 2, id: "a-title", text: "A title" },
    {
      is: "list",
      numbered: false,
      items: [
        {
          id: "r1",
          name: "R1",
          blocks: [
            { is: "text", text: ["One ", { italic: "two" }, " three ", { label: "R2", to: "r2" }, "."] },
            {
              is: "list",
              numbered: false,
              items: [{ id: "", name: "", blocks: [{ is: "text", text: ["sub"] }] }],
            },
          ],
        },
      ],
    },
    { is: "table", head: [["a"], ["b"]], rows: [[[{ mono: "1" }], ["2"]]] },
    { is: "drawing", text: "x  y" },
  ]);
});
