// The own bar on phones: who you are, bid and tricks, colors, group and points in one line.
import { check } from "./check.mjs";
import { crowded } from "./measure.mjs";

/** Phones, from the narrowest to the widest. */
const WIDTHS = [320, 340, 360, 375, 390, 412, 430];
/** Steps of the tutorial at which the bar has most to say: a stamp, a group and points; points below zero. */
const FULL = ["bid-result", "paradox-seen"];

/** At every width all of it is in sight, also with the largest numbers that a game has. */
export async function ownBarFits(world, page) {
  const before = page.viewportSize();
  const found = [];
  for (const step of FULL) {
    await page.evaluate((id) => localStorage.setItem("catinthebox.learn", id), step);
    await page.goto(`${world.base}/learn`);
    await page.locator(".mine .group").waitFor({ state: "attached" });
    await page.evaluate(fill);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 740 });
      found.push(...(await crowded(page, ".mine .plate")).map((one) => `${step} at ${width} pixels: ${one}`));
    }
  }
  check(!found.length, `the own bar is too full:\n  ${found.join("\n  ")}`);
  await page.setViewportSize(before);
}

/** In the page: points and a group of two digits, which a single round hardly ever has. */
function fill() {
  document.querySelector(".mine .points b").textContent = "−12";
  document.querySelector(".mine .group").lastChild.data = "12";
}
