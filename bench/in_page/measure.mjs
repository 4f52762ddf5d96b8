// Games against bots in the page, at full speed and with a slowed CPU; a line of JSON for each (bench/moves.py).
import { openChromium } from "../../web/e2e/harness/chromium.mjs";
import { againstBots } from "../../web/e2e/harness/entry.mjs";
import { Server } from "../../web/e2e/harness/server.mjs";
import { watchPage, watchWorker } from "./inside.mjs";
import { CATEGORIES, workOf } from "./trace.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, locale: "en-US" };
const LOOK_MS = 1_000; // seldom, so that looking costs nothing that counts
const LONGEST_MS = 120_000; // a game that takes longer has stopped

const jobs = JSON.parse(process.argv[2]);
const server = new Server();
const browser = await openChromium();
try {
  await server.start();
  for (const job of jobs) console.log(JSON.stringify({ ...job, ...(await measured(job)) }));
} finally {
  await browser.close();
  await server.close();
}

/** Play some moves of one game. */
async function measured({ level, slowdown, moves, speed }) {
  const page = await opened(slowdown, speed);
  await againstBots(page, { players: 4, level: `page_level_${level}` });
  await browser.startTracing(page, { categories: CATEGORIES });
  await page.evaluate(() => (window.bench.isPlaying = true));
  await page.waitForFunction((most) => window.bench.moves >= most, moves, { polling: LOOK_MS, timeout: LONGEST_MS });
  const { long } = await page.evaluate(() => window.bench);
  const { toScreen, each } = workOf(await browser.stopTracing(), "move");
  const inside = await page.workers()[0].evaluate(() => self.bench);
  await page.context().close();
  return { shown: toScreen, each, long, ...inside };
}

/** A page on a phone; its main thread is slowed by Chromium, its worker by what is put before the worker's script. */
async function opened(slowdown, speed) {
  const context = await browser.newContext({ ...PHONE, serviceWorkers: "block" });
  context.setDefaultTimeout(LONGEST_MS);
  await context.addInitScript(watchPage, { settings: { speed }, look: 0 });
  await context.route("**/assets/worker-*.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `(${watchWorker})(${slowdown});\n${await response.text()}` });
  });
  const page = await context.newPage();
  await page.goto(server.base);
  const protocol = await context.newCDPSession(page);
  await protocol.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  return page;
}
