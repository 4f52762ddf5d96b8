import { expect, it } from "vitest";
import { startEngine } from "../testing";
import { logOf } from "./finished";
import { asText } from "./from_json";
import { reading } from "./read";
import samples from "./samples.json";
import { recordObject } from "./serialize";
import { writeRecord } from "./write";
import { notationOf } from "../notation";

const engine = await startEngine();
const { text } = samples.games.find(({ name }) => name === "2 white careful")!;

it("writes the record of a local game", () => {
  const read = reading(engine, text, ({ header, rounds }) => ({
    ...{ names: header.names, face: header.face.name, edition: header.edition, starter: header.starter },
    rounds: rounds.map(({ deal, log }) => ({
      hands: deal.hands,
      aside: deal.aside,
      moves: log.map(({ seat, action }) => `${seat}:${notationOf(action)}`),
    })),
  }));
  if (!read.ok) throw new Error("not read");
  expect(writeRecord(engine, logOf(read.found))).toBe(text);
  expect(() => logOf({ ...read.found, rounds: [{ hands: [], aside: "", moves: ["0:9x"] }] })).toThrow("0:9x");
  const wrong = { ...read.found, rounds: [{ ...read.found.rounds[0]!, moves: ["0:5b"] }] };
  expect(() => writeRecord(engine, logOf(wrong))).toThrow("may not do this");
});

it.each(samples.games)("reads the JSON form as the text: $name", ({ text }) => {
  const read = reading(engine, text, recordObject);
  if (!read.ok) throw new Error("not read");
  expect(asText(JSON.stringify(read.found))).toBe(text.replaceAll("\n\n", "\n"));
  expect(asText(text)).toBe(text);
});
