import { describe, expect, it } from "vitest";
import { layOut, parseFace } from "../lib/face";
import { largestGroups } from "./groups";

const FACE = parseFace("face white\nr1 r2 r3 r4\nb1 b2 b3 b4\ny1 y2 y3 y4\ng1 g2 g3 g4");
const grouped = (...rows: string[]): string[] =>
  [...largestGroups(layOut(FACE, rows, 0, 3, null).places)].map(({ rank, color }) => rank + color).sort();

describe("the largest groups", () => {
  it("are those of every seat, and one for each", () => {
    expect(grouped("00.1", "...1", "0..1", "0...")).toEqual(["1r", "2r", "4b", "4r", "4y"]);
  });

  it("go round corners, not across", () => {
    expect(grouped("00..", ".0..", "..0.", "....")).toEqual(["1r", "2b", "2r"]);
  });

  it("are none of a single token, nor of neutral ones", () => {
    expect(grouped("0.1.", "....", "**..", "....")).toEqual([]);
  });
});
