import { describe, expect, it } from "vitest";
import type { Seats, Spoken } from "../lib/wire";
import { remembered } from "./talk";

const person = (name: string) => ({ kind: "person", name, here: true, covered: false, cat: "" }) as const;
const seats: Seats = { type: "Seats", seats: [person("Ada"), person("Ben")], host: 0 };
const said = (seat: number, name: string, at: number): Spoken => ({
  type: "Spoken",
  ...{ seat, name, text: "hello", preset: true, at },
});
const times = (lines: readonly Spoken[]) => lines.map((line) => line.at);

describe("remembered", () => {
  it("keeps everything while there is room", () => {
    const lines = [said(0, "Ada", 1), said(1, "Mallory", 2)];
    expect(remembered(lines, seats, 2)).toBe(lines);
  });

  it("forgets the oldest line of somebody who has left", () => {
    const lines = [said(0, "Ada", 1), said(1, "Mallory", 2), said(1, "Mallory", 3), said(1, "Ben", 4)];
    expect(times(remembered(lines, seats, 3))).toEqual([1, 3, 4]);
  });

  it("forgets the oldest line of the person who said most, if all are still there", () => {
    const lines = [
      said(0, "Ada", 1),
      said(1, "Ben", 2),
      said(1, "Ben", 3),
      said(0, "Ada", 4),
      said(1, "Ben", 5),
    ];
    expect(times(remembered(lines, seats, 3))).toEqual([3, 4, 5]);
  });
});
