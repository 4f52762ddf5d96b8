import { describe, expect, it } from "vitest";
import type { Block } from "./blocks";
import { boardOf, linesOf } from "./picture";
import de from "./rules.de.json";
import en from "./rules.en.json";
import ja from "./rules.ja.json";

const drawings = (blocks: unknown): readonly string[] =>
  (blocks as readonly Block[]).flatMap((block) => {
    if (block.is === "drawing") return [block.text];
    return block.is === "list" ? block.items.flatMap((item) => drawings(item.blocks)) : [];
  });

describe("a drawing of the rules", () => {
  it("is a board with tokens, neutral tokens and free cells", () => {
    const rows = boardOf(
      "rank     1  2  3\nred      A  .  .\nblue     .  #  .\nyellow   .  .  D\ngreen    .  .  .\n",
    )!;
    expect(rows.map(({ color, name }) => [color, name])).toEqual([
      ["r", "red"],
      ["b", "blue"],
      ["y", "yellow"],
      ["g", "green"],
    ]);
    expect(rows[0]!.cells).toEqual([
      { is: "token", seat: 0 },
      { is: "free", rank: 2 },
      { is: "free", rank: 3 },
    ]);
    expect(rows[1]!.cells[1]).toEqual({ is: "neutral" });
    expect(rows[2]!.cells[2]).toEqual({ is: "token", seat: 3 });
  });

  it("knows ranks that are shifted, as on the purple face", () => {
    const rows = boardOf("column 1 2 3\nred 1 2 -\nblue - 1 2\nyellow 1 2 -\ngreen - 1 2")!;
    expect(rows[1]!.cells).toEqual([{ is: "gap" }, { is: "free", rank: 1 }, { is: "free", rank: 2 }]);
  });

  it("is a table of words otherwise", () => {
    const trick = "turn  player  writes\n1     Ada     4y\n2     Ben     2y";
    expect(boardOf(trick)).toBeNull();
    expect(linesOf(trick)[1]).toEqual(["1", "Ada", "4y"]);
  });

  it.each(Object.entries({ en, de, ja }))("is a board in most examples (%s)", (_, rules) => {
    const all = drawings(rules);
    expect(all.filter((text) => boardOf(text)).length).toBeGreaterThanOrEqual(5);
    for (const text of all) expect(boardOf(text) ?? linesOf(text)).not.toEqual([]);
  });
});
