import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { startEngine } from "../testing";
import type { Game, GameLog } from "./game";
import { replayRecord } from "./positions";
import { reading, readRecord } from "./read";
import samples from "./samples.json";
import { writeRecord } from "./write";

const engine = await startEngine();

/** JSON with its keys in order, as the generator writes it. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(",")}}`;
}

const digest = (value: unknown): string =>
  createHash("sha256").update(canonical(value)).digest("hex").slice(0, 8);

const logOf = ({ header, rounds, secret }: Game): GameLog => ({
  ...header,
  rounds: rounds.map(({ deal, log }) => ({ ...deal, actions: log })),
  secret,
});

function found<T>(read: ReturnType<typeof reading<T>>): T {
  if (!read.ok) throw new Error(JSON.stringify(read.problem));
  return read.found;
}

describe.each(samples.games)("a record: $name", ({ text, json, positions }) => {
  it("is written as Python writes it", () => {
    expect(found(readRecord(engine, text)).text).toBe(text);
    expect(writeRecord(engine, found(reading(engine, text, logOf)))).toBe(text);
  });

  it("has the JSON form and the positions that Python gives it", () => {
    const replayed = found(replayRecord(engine, text));
    expect(digest(replayed.record)).toBe(json);
    expect(replayed.positions.map(digest).join(" ")).toBe(positions);
  });

  it("is read up to any white space after its header", () => {
    const header = text.indexOf("\n", text.indexOf("\nstarter ") + 1);
    const cuts = [...text.matchAll(/\s/g)]
      .map(({ index }) => index)
      .filter((at, n) => at > header && n % 5 === 0);
    for (const at of cuts)
      expect(readRecord(engine, text.slice(0, at)), text.slice(0, at)).toMatchObject({ ok: true });
  });
});

describe("a damaged record", () => {
  const told = (text: string): readonly unknown[] => {
    const read = readRecord(engine, text);
    if (read.ok) return [];
    const { line, column, code, clause, message } = read.problem;
    return [line, column, code, clause, message];
  };

  it.each(samples.damages.map((damage, n) => ({ n, ...damage })))(
    "is refused where and as Python refuses it: $n",
    ({ game, edit, end, told: expected }) => {
      const lines = samples.games[game]!.text.trimEnd().split("\n");
      const [at, gone, ...put] = edit as [number, number, ...string[]];
      lines.splice(at, gone, ...put);
      const text = lines.join("\n") + end;
      expect(told(text), text).toEqual(expected);
    },
  );

  it("has a limit", () => {
    expect(told("#\n".repeat(2001))[0]).toBe(2000);
    expect(told(`# ${"é".repeat(1000)}`).slice(0, 2)).toEqual([1, 1000]);
    expect(told("")).toEqual([
      1,
      1,
      "record.syntax",
      "",
      "the record ends before its header does: 'catinthebox' is missing",
    ]);
  });
});

it("leaves nothing in the module's memory", () => {
  const top = (): number => engine.within(() => engine.row(1).ptr);
  const before = top();
  for (const { text } of samples.games.slice(0, 3)) replayRecord(engine, text);
  readRecord(engine, samples.games[0]!.text.replace("trick", "track"));
  expect(top()).toBe(before);
});
