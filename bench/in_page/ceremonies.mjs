// A game against bots in the page, at full speed and with a slowed CPU; a line of JSON for every ceremony that was seen
// (bench/ceremonies.py).
import { openChromium } from "../../web/e2e/harness/chromium.mjs";
import { againstBots } from "../../web/e2e/harness/entry.mjs";
import { Server } from "../../web/e2e/harness/server.mjs";
import { markCeremonies } from "./inside.mjs";
import { LOOK_MS, opened } from "./page.mjs";
import { spansOf, WITH_FRAMES } from "./trace.mjs";

const LONGEST_MS = 500_000; // a game that takes longer has stopped

const { games, players, seed, look, lengths } = JSON.parse(process.argv[2]);
const server = new Server();
const browser = await openChromium();
try {
  await server.start();
  for (const game of games) await play(game);
} finally {
  await browser.close();
  await server.close();
}

/** Play a whole game, and tell of its ceremonies. */
async function play({ slowdown, most }) {
  const options = { slowdown, speed: "normal", look, longest: LONGEST_MS, seed };
  const page = await opened(browser, server.base, options);
  await browser.startTracing(page, { categories: WITH_FRAMES });
  await page.evaluate(markCeremonies);
  await againstBots(page, { players, level: "page_level_gentle" });
  await page.evaluate(() => (window.bench.isPlaying = true));
  const isOver = () => window.bench.screen === "victory";
  await page.waitForFunction(isOver, null, { polling: LOOK_MS, timeout: LONGEST_MS });
  await page.waitForTimeout(lengths.victory);
  for (const span of spansOf(await browser.stopTracing(), lengths, most)) {
    console.log(JSON.stringify({ slowdown, ...span }));
  }
  await page.context().close();
}
