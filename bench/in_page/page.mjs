// A page on a phone that plays by itself, in a Chromium whose CPU is slowed.
import { watchPage, watchWorker } from "./inside.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, locale: "en-US" };
export const LOOK_MS = 1_000; // seldom, so that looking costs nothing that counts

/**
 * Open the page. Its main thread is slowed by Chromium, its worker by what is put before the worker's script. `look`:
 * for how long the person looks at the end of a round; `longest`: what takes longer has stopped.
 */
export async function opened(browser, base, { slowdown, speed, look, longest }) {
  const context = await browser.newContext({ ...PHONE, serviceWorkers: "block" });
  context.setDefaultTimeout(longest);
  await context.addInitScript(watchPage, { settings: { speed }, look });
  await context.route("**/assets/worker-*.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `(${watchWorker})(${slowdown});\n${await response.text()}` });
  });
  const page = await context.newPage();
  await page.goto(base);
  const protocol = await context.newCDPSession(page);
  await protocol.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  return page;
}
