// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { drawSymbol, inkOf } from "./symbols";

const sprite = readFileSync("src/art/sprite.svg", "utf8");
const parsed = new DOMParser().parseFromString(sprite, "image/svg+xml");
const symbols = (name: string): Element | null => parsed.querySelector(`symbol[id="${name}"]`);

/** A canvas that notes what is drawn on it, with the ink it is drawn in. */
function recorder() {
  const drawn: string[] = [];
  const canvas = {
    save() {},
    restore() {},
    translate() {},
    scale: vi.fn(),
    fill: () => drawn.push(`fill ${canvas.fillStyle}`),
    stroke: () => drawn.push(`stroke ${canvas.strokeStyle} ${canvas.lineWidth}`),
    fillStyle: "",
    strokeStyle: "",
    lineWidth: 0,
    globalAlpha: 1,
    lineCap: "butt",
    lineJoin: "miter",
  };
  return { drawn, canvas };
}

beforeEach(() =>
  vi.stubGlobal(
    "Path2D",
    class {
      arc(): void {}
    },
  ),
);
afterEach(() => vi.unstubAllGlobals());

describe("drawings of the sprite on a canvas", () => {
  it("puts colors into custom properties, or takes what the drawing offers", () => {
    const inks = { "--edge": "#123", currentColor: "#fff" };
    expect(inkOf("var(--edge)", inks)).toBe("#123");
    expect(inkOf("var(--edge-y,var(--edge))", inks)).toBe("#123");
    expect(inkOf("var(--card,#fffdf8)", inks)).toBe("#fffdf8");
    expect(inkOf("currentColor", inks)).toBe("#fff");
    expect(inkOf("none", inks)).toBe("");
  });

  it("draws a shape that is only outlined without a ground", () => {
    const { drawn, canvas } = recorder();
    drawSymbol(canvas as never, symbols("seat-0"), [0, 0, 64], { currentColor: "#fff" });
    expect(drawn).toEqual(["stroke #fff 2.6"]);
    expect(canvas.scale).toHaveBeenCalledWith(2, 2);
  });

  it("can draw everything that the sprite has", () => {
    const names = [...sprite.matchAll(/symbol id="([^"]+)"/g)].map((match) => match[1]!);
    const known = {
      "--fill-r": "r",
      "--fill-b": "b",
      "--fill-y": "y",
      "--fill-g": "g",
      "--edge": "e",
      currentColor: "c",
    };
    for (const name of names) {
      const { drawn, canvas } = recorder();
      drawSymbol(canvas as never, symbols(name), [0, 0, 10], known);
      const shapes = symbols(name)!.querySelectorAll("path, circle").length;
      expect(drawn.length, name).toBeGreaterThanOrEqual(shapes);
      expect(drawn.join(), name).not.toMatch(/var\(|NaN/);
    }
  });

  it("draws nothing for a name that the sprite does not have", () => {
    const { drawn, canvas } = recorder();
    drawSymbol(canvas as never, symbols("nobody"), [0, 0, 10], {});
    expect(drawn).toEqual([]);
  });
});
