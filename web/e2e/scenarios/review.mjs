// The review of a finished game: a file is dropped, a damaged one refused; decisions come while they are judged, and can
// be stopped; mistakes, open hands, a game that is played on; offline; and where else a review is reached from.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { allFaults } from "../harness/accessible.mjs";
import { check, same, until } from "../harness/check.mjs";
import { againstBots, openTable } from "../harness/entry.mjs";
import { look, shown } from "../harness/look.mjs";
import { cramped, overflow } from "../harness/measure.mjs";
import { allKept } from "../harness/offline.mjs";
import { Player, playOut } from "../harness/player.mjs";
import { wordsOf } from "../harness/words.mjs";
import { SMALL } from "../harness/world.mjs";

const m = wordsOf("en");
const RECORD = join(import.meta.dirname, "../../../examples/two-players.cat");
const DESK = { viewport: { width: 1440, height: 900 } };

export default async function review(world) {
  await ofFile(world, await readFile(RECORD, "utf8"));
  await ofOwnGame(world);
  await ofServerGame(world);
}

const bring = (page, name, text) =>
  page
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
const progress = (page) => page.locator(".progress");
const button = (page, name) => page.getByRole("button", { name, exact: true });
const decisions = (page) => page.locator("aside ol button");
const judged = (page) => decisions(page).locator("svg.judgement").count();

/** The review is there, and finished. */
async function whole(page) {
  await decisions(page).first().waitFor();
  await until(async () => !(await progress(page).count()), "every decision is judged");
}

/** In the page: workers hear so many messages, then none until `goOn`. A quick one would be done before it is stopped. */
function holdAfter(count) {
  const { postMessage } = Worker.prototype;
  window.goOn = () => (Worker.prototype.postMessage = postMessage);
  Worker.prototype.postMessage = function (...given) {
    if (count-- > 0) postMessage.apply(this, given);
  };
}

/** From a file to its judged decisions, at a desk. */
async function ofFile(world, text) {
  const page = await world.visitor("/review", DESK);
  await bring(page, "bad.cat", text.replace(/^winners .*$/m, "winners 0 1"));
  const line = text.split("\n").findIndex((one) => one.startsWith("winners")) + 1;
  await shown(page, m("games_problem", { file: "bad.cat", line })).waitFor();
  await page.evaluate(holdAfter, 20);
  await bring(page, "game.cat", text);
  await button(page, m("review_cancel")).click();
  await button(page, m("review_resume")).waitFor();
  await page.evaluate(() => window.goOn());
  check(await page.getByRole("heading", { level: 1 }).isVisible(), "what was found stays");
  await button(page, m("review_resume")).click();
  await whole(page);
  same(await judged(page), await decisions(page).count(), "every decision of the list is judged");

  await page.reload();
  await whole(page);
  await faults(page);
  await fits(page, "a review at a desk");
  await openHands(page);
  await table(page);
  await drop(page, "worse.cat", "catinthebox 1\nplayers 9\n");
  await shown(page.locator("dialog[open]"), m("games_problem", { file: "worse.cat", line: 2 })).waitFor();
  await page.keyboard.press("Escape");
  check(await decisions(page).first().isVisible(), "the review is still there");
  await allKept(page);
  world.watch.expect(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  await page.context().setOffline(true);
  await page.reload();
  await whole(page);
  same(await judged(page), await decisions(page).count(), "a review is kept, and needs no network");
  await page.context().setOffline(false);
  await playOn(page);
  await page.context().close();
}

/** Drop a file on the page. */
const drop = (page, name, text) =>
  page.evaluate(
    ([name, text]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], name, { type: "text/plain" }));
      document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
    },
    [name, text],
  );

/** From mistake to mistake, by button and by key; the address leads to the same decision again. */
async function faults(page) {
  const next = button(page, m("review_next_fault"));
  for (let seat = 0; !(await next.count()); seat += 1)
    await page.locator("aside tbody button").nth(seat).click();
  await next.click();
  const first = new URL(page.url()).hash;
  check(/^#\d+$/.test(first), "the decision is in the address");
  await page.locator(".mark.better, .picture.better, .verdict h2").first().waitFor();
  await page.keyboard.press("n");
  await page.keyboard.press("p");
  await until(() => new URL(page.url()).hash === first, "there and back");
  await page.keyboard.press("ArrowRight");
  await until(async () => new URL(page.url()).hash !== first, "the next decision");
  await page.keyboard.press("ArrowLeft");
  await page.reload();
  await whole(page);
  same(new URL(page.url()).hash, first, "a link leads to the decision");
  same(await page.locator('[aria-current="step"]').count(), 1, "which is the one that is shown");
}

async function openHands(page) {
  const others = page.getByRole("list", { name: m("review_open"), exact: true });
  same(await others.count(), 0, "the hand of the other seat is hidden");
  await page.getByRole("radio", { name: m("review_open"), exact: true }).check();
  await others.waitFor();
  await page.keyboard.press("o");
  await until(async () => !(await others.count()), "and hidden again");
}

/** The curve can be read. */
async function table(page) {
  await page.locator(".chart summary").click();
  const rows = await page.locator(".chart tbody tr").count();
  check(rows > 3, "the table has a row for the deal, every decision and the end");
  await page.locator(".chart summary").click();
}

/** A game goes on from the decision, and is none of the own games. */
async function playOn(page) {
  const back = page.url();
  await page.getByRole("button", { name: m("review_play_on") }).click();
  await page.locator(".table").waitFor();
  const player = new Player(page, { direct: true });
  await playOut([player]);
  await page.getByRole("link", { name: m("review_to"), exact: true }).click();
  same(page.url(), back, "the way back leads to the decision");
  await page.goto(new URL("/games", back).href);
  await until(
    async () => (await page.locator("dl .value").allTextContents())[0] === "1",
    "one game is kept: the reviewed one",
  );
}

/** A game on a server is passed on by a link, which does not open its table, and to others nobody's seat is their own. */
async function ofServerGame(world) {
  const page = await world.visitor("/", { ...SMALL, name: "Ada" });
  await openTable(page, { players: 2 });
  const key = page.url().split("-")[1];
  await page.getByLabel(m("home_level")).selectOption({ label: m("page_level_gentle") });
  await page.getByRole("button", { name: m("lobby_start_bots", { count: 1 }) }).click();
  await page.locator('[role="option"]').first().waitFor();
  await playOut([new Player(page, { direct: true })]);
  await page.getByRole("link", { name: m("review"), exact: true }).click();
  await page.getByRole("heading", { name: m("review_yours") }).waitFor();
  check(!page.url().includes(key), "the link of a review is not the one to play");
  await button(page, m("review_more")).click();
  await button(page, m("replay_link")).waitFor();
  const context = await world.person(SMALL);
  await context.addInitScript(holdAfter, 20);
  const other = await context.newPage();
  await other.goto(page.url());
  await decisions(other).first().waitFor();
  await button(other, m("review_cancel")).click();
  await button(other, m("review_resume")).waitFor();
  await context.close();
  await page.context().close();
}

/** From the end of an own game, on a phone. */
async function ofOwnGame(world) {
  const page = await world.visitor("/", { ...SMALL, name: "Ada" });
  await againstBots(page, { players: 2 });
  await playOut([new Player(page, { direct: true })]);
  await page.getByRole("link", { name: m("review"), exact: true }).click();
  await page.getByRole("heading", { name: m("review_yours") }).waitFor();
  await whole(page);
  await fits(page, "a review on a phone");
  await page.goto(`${world.base}/review`);
  await page.locator('main a[href^="/review/"]').click();
  await page.getByRole("heading", { name: m("review_yours") }).waitFor();
  check((await look(page)).hand.length === 0, "nothing is asked in a review");
  await page.context().close();
}

async function fits(page, where) {
  const [wide] = await overflow(page);
  check(wide <= 0, `${where} is ${wide} pixels too wide`);
  if (where.includes("phone")) {
    const small = await cramped(page);
    check(!small.length, `${where}: too small for a thumb:\n  ${small.join("\n  ")}`);
  }
  same(await allFaults(page, where), [], where);
}
