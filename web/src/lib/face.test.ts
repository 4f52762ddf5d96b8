import { describe, expect, it } from "vitest";
import type { BoardInsight } from "./insight";
import { layOut, ownerAt, parseFace } from "./face";

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

  it("draws what is known to belong together, in the places where it lies", () => {
    const known: BoardInsight = {
      joined: { "1r": ["2r", "1b"], "2r": ["1r"], "1b": ["1r"] },
      grouped: ["1r", "2r", "1b"],
    };
    const board = layOut(WHITE, rows, 9, "1b", known);
    const at = (cell: string) => board.places.find((place) => place.color + place.rank === cell);
    expect(at("r1")).toMatchObject({ owner: 0, joinsRight: true, joinsDown: true, inGroup: true });
    expect(at("r2")).toMatchObject({ owner: 0, joinsRight: false, joinsDown: false, inGroup: true });
    expect(at("b1")).toMatchObject({ inGroup: true, fresh: true });
    expect(at("b3")).toMatchObject({ owner: 1, joinsRight: false, inGroup: false });
    expect(at("b4")).toMatchObject({ owner: "neutral", joinsRight: false });
  });

  it("draws nothing between tokens of which nothing is known", () => {
    const board = layOut(WHITE, rows, 9, null, null);
    expect(board.places.filter((place) => place.owner !== null)).toHaveLength(5);
    expect(board.places.some((place) => place.joinsRight || place.joinsDown || place.inGroup)).toBe(false);
  });

  it("lies elsewhere on another face", () => {
    const board = layOut(PURPLE, rows, 9, null, null);
    expect(board.places.find((place) => place.color + place.rank === "b1")).toMatchObject({ column: 1 });
  });

  it("covers a printed column that is not in play, in a narrow one if it can", () => {
    expect(layOut(WHITE, rows, 9, null, null)).toMatchObject({ columns: 9, narrowEnd: true });
    expect(layOut(WHITE, ["......", "......", "......", "......"], null, null, null).covers).toEqual([]);
    expect(layOut(PURPLE, rows, 9, null, null).covers).toHaveLength(4);
  });

  it("knows whose token lies where", () => {
    expect(ownerAt(rows, "b", 3)).toBe(1);
    expect(ownerAt(rows, "b", 4)).toBe("neutral");
    expect(ownerAt(rows, "g", 1)).toBeNull();
  });
});
