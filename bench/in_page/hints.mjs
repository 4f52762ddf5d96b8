// Games against bots in the page, with a hint at every decision; a line of JSON for each hint (bench/hints.py).
import { openChromium } from "../../web/e2e/harness/chromium.mjs";
import { until } from "../../web/e2e/harness/check.mjs";
import { againstBots } from "../../web/e2e/harness/entry.mjs";
import { look, tapAside } from "../../web/e2e/harness/look.mjs";
import { Player } from "../../web/e2e/harness/player.mjs";
import { Server } from "../../web/e2e/harness/server.mjs";
import { wordsOf } from "../../web/e2e/harness/words.mjs";

const DESK = { viewport: { width: 1440, height: 900 }, locale: "en-US" };
const LONGEST_MS = 60_000; // what takes longer has stopped
const m = wordsOf("en");
const roundOf = ({ top }) => Number(/\d+/.exec(top)[0]);

const games = JSON.parse(process.argv[2]);
const server = new Server();
const browser = await openChromium();
try {
  await server.start();
  for (const game of games) await play(game);
} finally {
  await browser.close();
  await server.close();
}

/** Play until so many hints were asked for, and tell how long each took. */
async function play({ players, hints }) {
  const context = await browser.newContext(DESK);
  context.setDefaultTimeout(LONGEST_MS);
  await context.addInitScript(watchHints);
  const page = await context.newPage();
  // The page's own clock has to run as it does, or times would not be true.
  const player = new Player(page, { patient: true });
  for (let [n, game, did] = [0, 0, "final"]; n < hints; ) {
    if (did === "final") {
      await page.goto(server.base);
      await againstBots(page, { players });
      game += 1;
    }
    const now = await look(page);
    const question = now.sheet ? null : player.asked(now);
    if (question) {
      const ms = await ask(page);
      console.log(JSON.stringify({ players, first: n === 0, round: `${game}.${roundOf(now)}`, question, ms }));
      n += 1;
    }
    did = await player.step();
    if (!did) await tapAside(page);
  }
  await context.close();
}

/** Ask for a hint, by a real click, and take it away again. */
async function ask(page) {
  const [lamp, panel] = ["button", "region"].map((role) =>
    page.getByRole(role, { name: m("hint"), exact: true }),
  );
  await page.evaluate(() => window.bench.clear());
  await lamp.click();
  await page.waitForFunction(() => window.bench.ms !== null);
  await page.keyboard.press("Escape");
  await until(async () => !(await panel.count()), "the hint goes");
  return page.evaluate(() => window.bench.ms);
}

/** In the page: from the click to the frame that shows the first figures. */
function watchHints() {
  localStorage.setItem("catinthebox.settings", JSON.stringify({ speed: "fast" }));
  window.bench = { ms: null, clear: () => (window.bench.ms = null) };
  let clicked = null;
  const drawn = () => {
    const since = clicked;
    clicked = null;
    // After the next frame was handed over, not before it was drawn.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => (window.bench.ms = performance.now() - since);
      port2.postMessage(null);
    });
  };
  addEventListener("click", (event) => event.target.closest(".lamp") && (clicked = event.timeStamp), true);
  document.addEventListener("DOMContentLoaded", () =>
    new MutationObserver(() => {
      if (clicked !== null && document.querySelector("section.hint h3")) drawn();
    }).observe(document.body, { childList: true, subtree: true }),
  );
}
