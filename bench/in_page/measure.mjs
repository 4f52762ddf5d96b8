// Games against bots in the page, at full speed and with a slowed CPU; a line of JSON for each (bench/moves.py).
import { openChromium } from "../../web/e2e/harness/chromium.mjs";
import { againstBots } from "../../web/e2e/harness/entry.mjs";
import { Server } from "../../web/e2e/harness/server.mjs";
import { LOOK_MS, opened } from "./page.mjs";
import { CATEGORIES, workOf } from "./trace.mjs";

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
  const page = await opened(browser, server.base, { slowdown, speed, look: 0, longest: LONGEST_MS });
  await againstBots(page, { players: 4, level: `page_level_${level}` });
  await browser.startTracing(page, { categories: CATEGORIES });
  await page.evaluate(() => (window.bench.isPlaying = true));
  await page.waitForFunction((most) => window.bench.moves >= most, moves, { polling: LOOK_MS, timeout: LONGEST_MS });
  const { long } = await page.evaluate(() => window.bench);
  const { toScreen, ...work } = workOf(await browser.stopTracing(), "move");
  const inside = await page.workers()[0].evaluate(() => self.bench);
  await page.context().close();
  return { shown: toScreen, ...work, long, ...inside };
}
