/** Drawings of the sprite on a canvas: the same that the page shows, so that there is one drawing of each. */

import { loadSprite, signId } from "../../art/sprite";

/** What stands for the custom properties and `currentColor` of the drawing. */
export type Inks = Readonly<Record<string, string>>;

export type Symbols = (name: string) => Element | null;

/** The drawings of the page; null if they cannot be had. */
export const loadSymbols = async (): Promise<Symbols | null> =>
  (await loadSprite()) ? (name) => document.getElementById(signId(name)) : null;

/** Draw a symbol into a square. */
export function drawSymbol(
  canvas: CanvasRenderingContext2D,
  symbol: Element | null,
  [x, y, size]: readonly [x: number, y: number, size: number],
  inks: Inks,
): void {
  if (!symbol) return;
  const [left = 0, top = 0, width = 1] = (symbol.getAttribute("viewBox") ?? "").split(/\s+/).map(Number);
  canvas.save();
  canvas.translate(x, y);
  canvas.scale(size / width, size / width);
  canvas.translate(-left, -top);
  for (const child of symbol.children)
    drawShape(canvas, child, { fill: inks["currentColor"] ?? "#000" }, inks);
  canvas.restore();
}

type Paint = Readonly<Record<string, string>>;
const INHERITED = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-opacity",
  "stroke-width",
  "stroke-linecap",
  "stroke-linejoin",
] as const;

function drawShape(canvas: CanvasRenderingContext2D, shape: Element, outer: Paint, inks: Inks): void {
  const own = INHERITED.flatMap((name) => {
    const value = shape.getAttribute(name);
    return value === null ? [] : [[name, value]];
  });
  const paint: Paint = { ...outer, ...Object.fromEntries(own) };
  if (shape.localName === "g") {
    for (const child of shape.children) drawShape(canvas, child, paint, inks);
    return;
  }
  const path = pathOf(shape);
  if (!path) return;
  fill(canvas, path, paint, inks);
  stroke(canvas, path, paint, inks);
}

function pathOf(shape: Element): Path2D | null {
  const number = (name: string): number => Number(shape.getAttribute(name) ?? 0);
  if (shape.localName === "path") return new Path2D(shape.getAttribute("d") ?? "");
  if (shape.localName !== "circle") return null;
  const circle = new Path2D();
  circle.arc(number("cx"), number("cy"), number("r"), 0, 2 * Math.PI);
  return circle;
}

function fill(canvas: CanvasRenderingContext2D, path: Path2D, paint: Paint, inks: Inks): void {
  const ink = inkOf(paint["fill"] ?? "none", inks);
  if (!ink) return;
  canvas.globalAlpha = Number(paint["fill-opacity"] ?? 1);
  canvas.fillStyle = ink;
  canvas.fill(path);
  canvas.globalAlpha = 1;
}

function stroke(canvas: CanvasRenderingContext2D, path: Path2D, paint: Paint, inks: Inks): void {
  const ink = inkOf(paint["stroke"] ?? "none", inks);
  if (!ink) return;
  canvas.globalAlpha = Number(paint["stroke-opacity"] ?? 1);
  canvas.strokeStyle = ink;
  canvas.lineWidth = Number(inkOf(paint["stroke-width"] ?? "1", inks));
  canvas.lineCap = (paint["stroke-linecap"] ?? "butt") as CanvasLineCap;
  canvas.lineJoin = (paint["stroke-linejoin"] ?? "miter") as CanvasLineJoin;
  canvas.stroke(path);
  canvas.globalAlpha = 1;
}

/** A value of the drawing with its custom property put in; empty for `none`. */
export function inkOf(value: string, inks: Inks): string {
  const variable = /^var\((--[\w-]+)(?:\s*,\s*(.*))?\)$/.exec(value);
  if (variable) return inks[variable[1]!] ?? inkOf(variable[2] ?? "none", inks);
  if (value === "currentColor") return inks["currentColor"] ?? "#000";
  return value === "none" ? "" : value;
}
