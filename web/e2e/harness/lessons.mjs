// The tutorial in one language, without doing what it asks: its words leave enough room for the table.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "./check.mjs";

export const STEPS = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../src/pages/learn/steps.json"), "utf8"),
);
/** The phone that most people have, and a small one, which has smaller letters. */
export const PHONES = [
  { width: 390, height: 844 },
  { width: 375, height: 667 },
];
const SLIP = 2; // pixels that nobody sees

/** Every step fits on a phone, also while the card that it is about is chosen. */
export async function lessonsFit(world, page) {
  const before = page.viewportSize();
  const found = [];
  for (const { id, then } of STEPS) {
    await page.evaluate((step) => localStorage.setItem("catinthebox.learn", step), id);
    await page.goto(`${world.base}/learn`);
    await page.locator(".coach .words").waitFor();
    found.push(...(await outside(page, id)));
    const [action] = Object.keys(then ?? {});
    if (!action || action.startsWith("=")) continue;
    await page.locator(`[data-rank="${action.replace(/\D/g, "")}"]`).click({ position: { x: 14, y: 30 } });
    await page.locator(".docked button").first().waitFor();
    found.push(...(await outside(page, `${id}, card chosen`)));
  }
  check(!found.length, `parts of the tutorial are out of sight:\n  ${found.join("\n  ")}`);
  await page.setViewportSize(before);
}

async function outside(page, where) {
  const found = [];
  for (const phone of PHONES) {
    await page.setViewportSize(phone);
    const fault = await tooLarge(page);
    if (fault) found.push(`${where}: ${fault} at ${phone.width} × ${phone.height}`);
  }
  return found;
}

/** What is wrong with the size of a page, in words; empty if nothing is. */
export async function tooLarge(page) {
  const [wide, high] = await page.evaluate(settled, SLIP);
  return Math.max(wide, high) > SLIP ? `${wide} pixels too wide and ${high} too high` : "";
}

/** In the page: by how much it is too wide and too high once the table has taken the room that the words leave it, some frames later. */
async function settled(slip) {
  const FRAMES = 30;
  for (let frame = 0; ; frame += 1) {
    await new Promise((done) => requestAnimationFrame(done));
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
    const out = [scrollWidth - clientWidth, scrollHeight - clientHeight];
    if (frame >= FRAMES || (frame > 1 && Math.max(...out) <= slip)) return out;
  }
}
