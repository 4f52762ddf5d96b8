// Every page of the client's router (web/src/lib/router.ts), with something on it, and how to come to its address.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { until } from "../../web/e2e/harness/check.mjs";
import { overPort } from "../../web/e2e/harness/chromium.mjs";
import { againstBots, openTable } from "../../web/e2e/harness/entry.mjs";
import { wordsOf } from "../../web/e2e/harness/words.mjs";

const m = wordsOf("en");
const SECOND_MS = 1000;
const RECORD = join(import.meta.dirname, "../../web/src/pages/replay/replayed.cat");

/** From the name of a page to a function that gives its address on a server, for the browser at a port. */
export const PAGES = {
  "/": () => "/",
  "/learn": () => "/learn",
  "/rules": () => "/rules",
  "/settings": () => "/settings",
  "/games": (base, port) => left(base, port, keptGame).then(() => "/games"),
  "/games/KEY": (base, port) => left(base, port, keptGame),
  "/play/ID": (base, port) => left(base, port, (page) => againstBots(page, { players: 4 })),
  "/t/KEY": (base, port) => left(base, port, sharedGame),
  "/t/KEY as a guest": async (base) => `/t/${(await linksOf(base, { name: "Ada" })).play}`,
  "/w/KEY": async (base) => `/w/${(await linksOf(base, { name: "Ada", bots: 3, start: true })).watch}`,
  "/g/KEY": async (base) => `/g/${await finishedGame(base)}`,
  "/lost": () => "/lost",
};

/** Where somebody ends up who does something in that browser, which keeps what its pages keep. */
async function left(base, port, work) {
  const browser = await overPort(port);
  const page = await browser.contexts()[0].newPage();
  await page.goto(base);
  await work(page);
  const { pathname } = new URL(page.url());
  await page.close();
  await browser.close();
  return pathname;
}

/** A game of one's own, from a file. */
async function keptGame(page) {
  await page.getByRole("link", { name: m("replay_mine") }).click();
  await page.locator('input[type="file"]').setInputFiles(RECORD);
  await page.getByRole("slider", { name: m("replay_move") }).waitFor();
}

/** A game at a table of the server, from the seat of its host. */
async function sharedGame(page) {
  await openTable(page, { players: 4 });
  await page.getByRole("button", { name: m("lobby_start_bots", { count: 3 }) }).click();
  await page.locator('[role="option"]').first().waitFor();
}

/** The links of a new table for four. */
async function linksOf(base, { bots = 0, ...rest }) {
  const headers = {
    Authorization: `Bearer ${randomBytes(32).toString("base64url")}`,
    "Content-Type": "application/json",
  };
  const levels = Array.from({ length: bots }, () => ({ level: "gentle" }));
  const body = JSON.stringify({ settings: { players: 4 }, bots: levels, ...rest });
  const answer = await fetch(`${base}/api/v1/tables`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`no table: ${await answer.text()}`);
  return (await answer.json()).links;
}

/** The key of a game that bots have played among themselves. */
async function finishedGame(base) {
  const { play } = await linksOf(base, { bots: 4, start: true });
  const [{ key }] = await until(async () => {
    await setTimeout(SECOND_MS); // asked more often, the server refuses
    const answer = await fetch(`${base}/api/v1/tables/${play}/links`);
    const { replays = [] } = await answer.json();
    return replays.length > 0 && replays;
  }, "the bots finish their game");
  return key;
}
