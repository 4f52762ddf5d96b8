import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SOUNDS } from "./sounds.mjs";
import { RATE } from "./synth.mjs";
import { sprite } from "./wav.mjs";

const folder = new URL("../src/ceremony/sound/", import.meta.url);
const { wav, table } = sprite(SOUNDS);

describe("the sounds", () => {
  it("are what the script makes", () => {
    expect(Buffer.compare(Buffer.from(wav), readFileSync(new URL("sounds.wav", folder)))).toBe(0);
    expect(JSON.parse(readFileSync(new URL("sounds.json", folder), "utf8"))).toEqual(table);
  });

  it("are short, loud enough to be heard, and never clipped", () => {
    for (const [name, make] of Object.entries(SOUNDS)) {
      const sound = make();
      const peak = sound.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      expect(sound.length / RATE, name).toBeLessThan(1.5);
      expect(peak, name).toBeGreaterThan(0.2);
      expect(peak, name).toBeLessThanOrEqual(0.7);
    }
  });

  it("begin and end in silence, so that nothing clicks", () => {
    for (const [name, make] of Object.entries(SOUNDS)) {
      const sound = make();
      const end = Math.max(...sound.slice(-20).map(Math.abs));
      expect(Math.abs(sound[0] ?? 1), name).toBeLessThan(0.01);
      expect(end, name).toBeLessThan(0.02);
    }
  });

  it("lie one after the other in the file", () => {
    let at = 0;
    for (const [begin, length] of Object.values(table)) {
      expect(begin).toBeGreaterThanOrEqual(at);
      at = begin + length;
    }
    expect(wav.length).toBeGreaterThan(44 + 2 * Math.floor(at * RATE));
  });
});
