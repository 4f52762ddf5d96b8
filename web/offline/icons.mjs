// Draws public/icon-*.png from public/icon.svg, with the browser of the tests: node offline/icons.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openChromium } from "../e2e/harness/chromium.mjs";

const PUBLIC = join(import.meta.dirname, "../public");
/**
 * Systems cut maskable icons, and iPhones all icons, to shapes of their own: their ground goes to the edges, and
 * the drawing stays in the middle (a circle of four fifths is always in sight).
 */
const ICONS = [
  { name: "icon-192", side: 192 },
  { name: "icon-512", side: 512 },
  { name: "icon-512-maskable", side: 512, full: true, scale: 0.76 },
  { name: "icon-180", side: 180, full: true, scale: 0.9 },
];

const drawing = readFileSync(join(PUBLIC, "icon.svg"), "utf8");
const [, ground] = /<rect[^>]* fill="(#\w+)"/.exec(drawing);
const browser = await openChromium();
const page = await browser.newPage();
for (const { name, side, full = false, scale = 1 } of ICONS) {
  await page.setViewportSize({ width: side, height: side });
  await page.setContent(`<style>
    html { background: ${full ? ground : "transparent"} }
    body { margin: 0 }
    svg { display: block; width: ${side}px; height: ${side}px; scale: ${scale} }
  </style>${drawing}`);
  const png = await page.screenshot({ omitBackground: true });
  writeFileSync(join(PUBLIC, `${name}.png`), png);
  console.log(`${name}.png: ${png.length} bytes`);
}
await browser.close();
