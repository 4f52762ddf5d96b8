import { describe, expect, it } from "vitest";
import { placesFor } from "./places";

describe("the places around the board", () => {
  it("are as many as there are seats, all different", () => {
    for (const count of [1, 2, 3, 4]) {
      const places = placesFor(count, false);
      expect(new Set(places).size).toBe(count);
      expect(places).not.toContain("south"); // the own seat
    }
  });

  it("go clockwise from the own left", () => {
    expect(placesFor(3, false)).toEqual(["west", "north", "east"]);
    expect(placesFor(4, false)).toEqual(["west", "north-west", "north-east", "east"]);
  });

  it("have one seat in front for somebody who watches", () => {
    for (const count of [2, 3, 4, 5]) {
      const places = placesFor(count, true);
      expect(new Set(places).size).toBe(count);
      expect(places[0]).toBe("south");
    }
  });
});
