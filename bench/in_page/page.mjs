// A page on a phone that plays by itself, in a Chromium whose CPU is slowed.
import { drawnFrom, watchPage, watchWorker } from "./inside.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, locale: "en-US" };
export const LOOK_MS = 1_000; // seldom, so that looking costs nothing that counts

/**
 * Open the page. Its main thread is slowed by Chromium, its worker by what is put before the worker's script. `look`:
 * for how long the person looks at the end of a round; `longest`: what takes longer has stopped; `seed`: of the deals and
 * the bots, or null for chance.
 */
export async function opened(browser, base, { slowdown, speed, look, longest, seed = null }) {
  const context = await browser.newContext({ ...PHONE, serviceWorkers: "block" });
  context.setDefaultTimeout(longest);
  await context.addInitScript(watchPage, { settings: { speed }, look });
  await context.route("**/assets/worker-*.js", async (route) => {
    const response = await route.fetch();
    const before = [`(${watchWorker})(${slowdown});`, seed === null ? "" : `(${drawnFrom})(${seed});`];
    await route.fulfill({ response, body: [...before, await response.text()].join("\n") });
  });
  const page = await context.newPage();
  await page.goto(base);
  const protocol = await context.newCDPSession(page);
  await protocol.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  return page;
}
