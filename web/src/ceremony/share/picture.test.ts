import { describe, expect, it } from "vitest";
import fixtures from "../../../gallery/fixtures.json";
import { sceneOf } from "../../lib/stage";
import type { TableShown } from "../../lib/wire";
import { boxOf, HEIGHT, WIDTH } from "./picture";

const boards = (fixtures.scenes as unknown as TableShown[]).map((table) => sceneOf(table, null).board);

describe("the picture of a game", () => {
  it("has room for every cell of every board", () => {
    for (const board of boards) {
      for (const { row, column } of board.places) {
        const { x, y, width, height } = boxOf(board, row, column);
        expect(x).toBeGreaterThan(100);
        expect(y).toBeGreaterThan(176);
        expect(x + width).toBeLessThan(WIDTH - 56);
        expect(y + height).toBeLessThan(HEIGHT - 90);
      }
    }
  });

  it("lays no cell over another", () => {
    const [board] = boards;
    const [first, right, below] = [boxOf(board!, 0, 0), boxOf(board!, 0, 1), boxOf(board!, 1, 0)];
    expect(right.x).toBeGreaterThan(first.x + first.width);
    expect(below.y).toBeGreaterThan(first.y + first.height);
  });
});
