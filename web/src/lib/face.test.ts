import { describe, expect, it } from "vitest";
import { groupWith, layOut, ownerAt, parseFace } from "./face";

const WHITE = parseFace("face white\n" + ["r", "b", "y", "g"].map(row).join("\n"));
const PURPLE = parseFace(
  "face purple\n" + ["r", "b", "y", "g"].map((c, n) => ". ".repeat(n) + row(c)).join("\n"),
);

function row(color: string): string {
  return Array.from({ length: 9 }, (_, rank) => `${color}${rank + 1}`).join(" ");
}

describe("a face", () => {
  it("is read as it lies on the table", () => {
    expect(WHITE.name).toBe("white");
    expect(WHITE.spots).toHaveLength(36);
    expect(PURPLE.spots.find((spot) => spot.color === "b" && spot.rank === 4)).toMatchObject({
      row: 1,
      column: 4,
    });
  });

  it("skips remarks and empty lines", () => {
    expect(parseFace("face odd\n\n# low\nr1 . b2\n").spots).toEqual([
      { color: "r", rank: 1, row: 0, column: 0 },
      { color: "b", rank: 2, row: 0, column: 2 },
    ]);
  });
});

describe("the board", () => {
  const rows = ["00......", "0.1*....", "........", "........"];

  it("joins tokens of one seat that touch, and outlines the largest groups", () => {
    const board = layOut(WHITE, rows, 4, "1b");
    const at = (cell: string) => board.places.find((place) => place.color + place.rank === cell);
    expect(at("r1")).toMatchObject({ owner: 0, joinsRight: true, joinsDown: true, inGroup: true });
    expect(at("b1")).toMatchObject({ inGroup: true, fresh: true });
    expect(at("b3")).toMatchObject({ owner: 1, joinsRight: false, inGroup: false });
    expect(at("b4")).toMatchObject({ owner: "neutral", joinsRight: false });
  });

  it("touches other cells on another face", () => {
    const board = layOut(PURPLE, rows, 4, null);
    const b1 = board.places.find((place) => place.color === "b" && place.rank === 1);
    expect(b1).toMatchObject({ column: 1, inGroup: true });
    expect(board.places.find((place) => place.color + place.rank === "r1")?.joinsDown).toBe(false);
  });

  it("covers a printed column that is not in play, in a narrow one if it can", () => {
    expect(layOut(WHITE, rows, 4, null)).toMatchObject({ columns: 9, narrowEnd: true });
    expect(layOut(WHITE, ["......", "......", "......", "......"], 3, null).covers).toEqual([]);
    expect(layOut(PURPLE, rows, 4, null).covers).toHaveLength(4);
  });

  it("says how large a group becomes", () => {
    const board = layOut(WHITE, rows, 4, null);
    expect(groupWith(board, 0, "b", 2)).toBe(4);
    expect(groupWith(board, 0, "g", 8)).toBe(3);
  });

  it("knows whose token lies where", () => {
    expect(ownerAt(rows, "b", 3)).toBe(1);
    expect(ownerAt(rows, "b", 4)).toBe("neutral");
    expect(ownerAt(rows, "g", 1)).toBeNull();
  });
});

const SMALL = parseFace("face white\nr1 r2 r3 r4\nb1 b2 b3 b4\ny1 y2 y3 y4\ng1 g2 g3 g4");
const grouped = (...rows: string[]): string[] =>
  layOut(SMALL, rows, 3, null)
    .places.filter((place) => place.inGroup)
    .map(({ rank, color }) => rank + color)
    .sort();

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
