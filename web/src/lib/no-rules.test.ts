/**
 * The rules are written once, in Python, and the build makes the engine's module of them. This looks for the signs of
 * rules in TypeScript. To pass it, ask the engine instead: a `@rule` in src/catinthebox/rules, exported by
 * src/catinthebox/wasm/exports.py, asked for in engine/insight.ts.
 */

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const SOURCES = join(import.meta.dirname, "..");
const MADE = /(^|\/)(generated|paraglide)\/|\.test\.ts$/;

interface Sign {
  readonly what: string;
  readonly pattern: RegExp;
  /** What it looked like in this client, or might look like. */
  readonly samples: readonly string[];
  /** Files in which it means something else. */
  readonly except?: readonly string[];
}

const SIGNS: readonly Sign[] = [
  {
    what: "a table of player counts: take it from lib/counts.ts",
    pattern:
      /\b(const|let)\s+(TRICKS|COVERED|FACES|FACES_FOR|RANKS|DEALT|BIDS|MODEST)\b|\b2:\s*[^,{}]{1,30},\s*3:\s/,
    samples: [
      "const TRICKS: Readonly<Record<number, number>> = { 2: 8, 3: 8, 4: 8, 5: 7 };",
      "const COVERED = { 2: 6, 4: 9 };",
      "const many = { 2: 8, 3: 8 };",
    ],
  },
  {
    what: "a choice by the number of players: ask lib/counts.ts or the engine",
    pattern: /\bplayers\s*(===|!==|[<>]=?)\s*[2-5]\b/,
    samples: ["players === 2 ? 4 : 3", "if (game.players < 3)"],
    except: ["engine/records/check.ts"], // reads and names what a record of two players has
  },
  {
    what: "cells that touch, or groups of them (R27, R28): ask the engine",
    pattern:
      /\[\s*-1\s*,\s*0\s*\]|\[\s*0\s*,\s*-1\s*\]|\b(largestGroup|groupWith|floodFill|neighbou?rs(Of)?)\b/,
    samples: [
      "[0, -1],",
      "for (const [down, right] of [[-1, 0], [1, 0]])",
      "largestGroup(spots)",
      "neighborsOf(cell)",
    ],
  },
  {
    what: "what red or trump means (R14, R18): ask the engine",
    pattern: /[!=]==?\s*["'](r|red)["']|\btrump(s|ed)?\s*=[^>]|\.(endsWith|has|includes)\(["']r["']\)/,
    samples: [
      'color === "r" && !round.red_open',
      'const trumps = color !== "r"',
      'legal.some((action) => action.endsWith("r"))',
      '!legal.has("r")',
    ],
    // red's name in the legend and on the sheet to print; a letter of the module's calls
    except: ["table/Legend.svelte", "pages/rules/PrintSheet.svelte", "engine/module.ts"],
  },
  {
    what: "a comparison with the led color (R15, R16): ask the engine",
    pattern: /[!=]==\s*(\w+\.)*led\b(?!\s*[=:])|\bled\s*[!=]==/,
    samples: ["color === ask.led", "card.color !== led", "led === color"],
    except: ["table/Board.svelte", "table/BoardTable.svelte"], // mark its row
  },
  {
    what: "who wins a trick (R18): the frame says it",
    pattern: /\brank\s*[<>]=?\s*(\w+\.)*rank\b/,
    samples: ["a.rank > best.rank"],
  },
  {
    what: "what earns a bonus, or what it is worth (R24 to R27): ask the engine",
    pattern:
      /\bbid\s*===\s*(\w+\.)*won\b|\bwon\s*===\s*(\w+\.)*bid\b|\bpoints\s*[->]\s*(\w+\.)*won\b|\bwon\s*<=\s*\d/,
    samples: ["line.bid === line.won && !line.causer", "points > won ? points - won : null", "won <= 4"],
  },
  {
    what: "who wins the game (R3): the frame says it",
    pattern: /Math\.max\(\.\.\.(\w+\.)*totals\)/,
    samples: ["const best = Math.max(...game.totals);"],
  },
  {
    what: "why a color is not possible (R12, R13): ask the engine",
    pattern: /\b(gaveUpIn|cardsByTrick)\b|\btaken\.has\(|!\s*(\w+\.)*tokens(\[\w+\])?\??\.includes\(/,
    samples: [
      "gaveUpIn(round.moves, at, seat, color)",
      "!taken.has(rank + one)",
      "if (!round.tokens[seat]?.includes(color))",
    ],
    except: ["table/Tokens.svelte"], // draws the tokens that are gone
  },
];

/** Code without its comments. */
const bare = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|(^|\s)\/\/.*$/gm, "");

const files = globSync("**/*.{ts,svelte}", { cwd: SOURCES })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => !MADE.test(name));

describe("TypeScript has no rules", () => {
  it("is looked for everywhere", () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files).toContain("lib/stage.ts");
    expect(files).toContain("engine/insight.ts");
  });

  it.each(SIGNS)("$what", ({ pattern, samples, except = [] }) => {
    for (const sample of samples) expect(sample).toMatch(pattern);
    const found = files
      .filter((name) => !except.includes(name))
      .flatMap((name) =>
        bare(readFileSync(join(SOURCES, name), "utf8"))
          .split("\n")
          .flatMap((line) => (pattern.test(line) ? [`${name}: ${line.trim()}`] : [])),
      );
    expect(found).toEqual([]);
  });
});
