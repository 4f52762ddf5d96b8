import { describe, expect, it } from "vitest";
import { share, sharing } from "./sharing";

describe("structural sharing", () => {
  const old = {
    board: {
      places: [
        { at: "5b", owner: null },
        { at: "5r", owner: 1 },
      ],
    },
    led: "b",
    trick: [],
  };
  const copy = () => structuredClone(old);

  it("keeps the old value if nothing differs", () => {
    expect(share(old, copy())).toBe(old);
  });

  it("keeps equal parts, and has the new values everywhere", () => {
    const wanted = { ...copy(), led: "g" };
    wanted.board.places[1]!.owner = 2;
    const found = share(old, wanted);
    expect(found).toEqual(wanted);
    expect(found.board).not.toBe(old.board);
    expect(found.board.places[0]).toBe(old.board.places[0]);
    expect(found.trick).toBe(old.trick);
  });

  it("sees what was added, taken away or replaced by another kind of thing", () => {
    for (const value of [
      { a: [1, 2] },
      { a: [1] },
      { a: {} },
      { a: null },
      { a: undefined },
      {},
      { b: 1 },
      { a: 1, b: 1 },
    ]) {
      for (const before of [{ a: [1] }, { a: [1, 2, 3] }, { a: { 0: 1 } }, { a: null }, {}, { a: 1 }, null]) {
        expect(share(before, value)).toStrictEqual(value);
      }
    }
  });

  it("changes neither of the two", () => {
    const before = copy();
    const wanted = { ...copy(), led: "g" };
    share(before, wanted);
    expect(before).toStrictEqual(old);
    expect(wanted).toStrictEqual({ ...old, led: "g" });
  });

  it("goes from each value to the next", () => {
    const next = sharing<typeof old>();
    const first = next(copy());
    expect(next(copy())).toBe(first);
    const changed = next({ ...copy(), led: "g" });
    expect(changed.board).toBe(first.board);
    expect(next({ ...copy(), led: "g" })).toBe(changed);
  });
});
