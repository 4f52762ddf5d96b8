import jsQR from "jsqr";
import { mount, unmount } from "svelte";
import { expect, it } from "vitest";
import Qr from "./Qr.svelte";

const PIXELS = 4; // for each module

/** What the component draws, as a camera would see it: dark squares on light. */
function photograph(svg: SVGElement): { data: Uint8ClampedArray; size: number } {
  const side = Number(svg.getAttribute("viewBox")!.split(" ")[2]);
  const size = side * PIXELS;
  const data = new Uint8ClampedArray(size * size * 4).fill(255);
  const squares = svg
    .querySelector("path")!
    .getAttribute("d")!
    .matchAll(/M(\d+) (\d+)h1v1h-1z/g);
  for (const [, x, y] of squares) {
    for (let n = 0; n < PIXELS ** 2; n += 1) {
      const [column, row] = [Number(x) * PIXELS + (n % PIXELS), Number(y) * PIXELS + Math.floor(n / PIXELS)];
      data.fill(0, (row * size + column) * 4, (row * size + column) * 4 + 3);
    }
  }
  return { data, size };
}

it.each([
  "https://example.org/t/abc",
  `http://192.168.0.17:8000/t/${"k".repeat(180)}`,
  "https://example.org/t/ねこ",
])("is read by a camera as %s", async (text) => {
  const shown = mount(Qr, { target: document.body, props: { text, label: "Code" } });
  const { data, size } = photograph(document.querySelector<SVGElement>('svg[aria-label="Code"]')!);
  expect(jsQR(data, size, size)?.data).toBe(text);
  await unmount(shown);
});
