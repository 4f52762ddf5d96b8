/** The published vectors (vectors/): whole rounds from their deals, and actions that must be refused. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FACES, OWN } from "../generated/rules";
import { actionOf } from "../notation";
import { Round } from "../round";
import { startEngine } from "../testing";
import { faceNamed, touchOf } from "./face";
import printed from "./printed.json";

const engine = await startEngine();
const FOLDER = join(import.meta.dirname, "../../../../vectors");
const REFUSALS: Readonly<Record<string, readonly string[]>> = printed.refusals;

type Block = Readonly<Record<string, string>>;

/** The blocks of a file that begin with a whole deal of a standard deck. */
function blocksOf(file: string): readonly Block[] {
  const text = readFileSync(join(FOLDER, file), "utf8").replaceAll(/^#.*\n/gm, "");
  const blocks = text.split("\n\n").map((block): Block => {
    const lines = block.trim().split("\n");
    return Object.fromEntries(lines.map((line) => [line.split(" ")[0]!, line.slice(line.indexOf(" ") + 1)]));
  });
  return blocks.filter((block) => block["deal"] && !block["ranks"]);
}

/** Play the moves of a block. */
function played(block: Block): Round {
  const touch = touchOf(engine, faceNamed(block["face"]!));
  const deal = {
    hands: block["deal"]!.split(" "),
    aside: block["aside"] ?? "",
    starter: Number(block["starter"]),
  };
  const round = new Round(engine, deal, touch);
  for (const word of block["moves"]?.split(" ") ?? [])
    round.act({ seat: round.turn!, action: actionOf(word)! });
  return round;
}

/** As the vectors tell it: the seat of a paradox or '-', the scores, the largest groups. */
function told(round: Round): string {
  const groups = round.won.map((_, seat) =>
    engine.largest_group(engine.view(round.state)[OWN + seat]!, round.touch),
  );
  return `paradox ${round.paradox ?? "-"} scores ${round.scores?.join(",")} groups ${groups.join(",")}`;
}

const files = readdirSync(FOLDER).filter((name) => /^(random-.*|tricky)\.txt$/.test(name));

describe.each(files)("%s", (file) => {
  const blocks = blocksOf(file);

  it("ends rounds as published", () => {
    const over = blocks.filter((block) => block["over"]);
    for (const block of over)
      expect(
        engine.within(() => told(played(block))),
        block["vector"],
      ).toBe(block["over"]);
  });

  it("refuses by the published clause", () => {
    for (const block of blocks.filter((one) => one["refuse"])) {
      const [action, clause] = block["refuse"]!.split(" ");
      if (actionOf(action!) === null) continue; // such as a bid of 0, which nobody can write
      const broken = engine.within(() => {
        const round = played(block);
        return round.broken(round.turn ?? 0, actionOf(action!)!);
      });
      expect(REFUSALS[broken]?.[1], block["vector"]).toBe(clause);
    }
  });
});

it("has the printed faces", () => {
  for (const [name, { touch }] of Object.entries(FACES)) {
    const found = engine.within(() => [...engine.view(touchOf(engine, faceNamed(name)))]);
    expect(found).toEqual(touch.map(BigInt));
  }
});
