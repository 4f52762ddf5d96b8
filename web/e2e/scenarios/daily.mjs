// The daily deal: played to its end with a reload and without a network, put on the table of the day, shared, and found
// again in the calendar.
import { check, same, until } from "../harness/check.mjs";
import { openMenu } from "../harness/entry.mjs";
import { look, shown, tapAside } from "../harness/look.mjs";
import { allFaults } from "../harness/accessible.mjs";
import { cramped, overflow } from "../harness/measure.mjs";
import { allKept } from "../harness/offline.mjs";
import { Player, playOut, playUntilSeen } from "../harness/player.mjs";
import { patternOf, wordsOf } from "../harness/words.mjs";
import { SMALL } from "../harness/world.mjs";

const m = wordsOf("en");
const DAY_MS = 86_400_000;
const ROUNDS = 3;
const standIn = m("daily_par_by", { level: m("page_level_sharp"), other: m("page_level_uncanny") });

export default async function daily(world) {
  const begun = day(0);
  try {
    await today(world);
  } catch (error) {
    if (day(0) === begun) throw error;
    await today(world); // midnight came in between, and with it another deal
  }
}

/** The date, so many days from now. */
const day = (days) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

async function today(world) {
  const first = await handOf(world);
  const page = await world.visitor("/", { ...SMALL, name: "Ada" });
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await allKept(page);
  await page.getByRole("link", { name: m("daily_title") }).click();
  await page.getByRole("heading", { level: 1, name: m("daily_title") }).waitFor();
  await fits(page, "before the game");
  world.watch.expect(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  await page.context().setOffline(true);
  await begin(page);
  same((await look(page)).hand, first, "everybody has the same cards");
  await noWayBack(page);
  await reloaded(page);
  await playOut([new Player(page)]);
  await page.getByRole("link", { name: m("daily_see") }).click();
  await page.getByRole("heading", { name: m("daily_hand") }).waitFor();
  // Without its network, par is by another player, and that is said.
  const by = async () => (await page.locator(".score").textContent()).includes(standIn);
  await until(by, "par is by the stand-in");
  same(await toEnter(page).count(), 0, "buttons that lead nowhere without a network");
  await page.context().setOffline(false);
  await page.reload();
  await page.locator(".score").waitFor();
  await until(async () => !(await by()), "par is by the strongest player");
  await toEnter(page).waitFor();
  await result(page);
  await onTheTable(world, page);
  await shares(page);
  await again(page);
  await inMyGames(world, page);
  await otherDays(world, page);
}

/** The first hand of somebody else who plays today. */
async function handOf(world) {
  const page = await world.visitor("/daily", SMALL);
  await begin(page);
  const { hand } = await look(page);
  await page.context().close();
  return hand;
}

async function begin(page) {
  await page.getByRole("button", { name: m("home_play"), exact: true }).click();
  await page.locator('[role="option"]').first().waitFor();
}

/** Everybody has one try: nothing is taken back. */
async function noWayBack(page) {
  await openMenu(page);
  const menu = page.locator("dialog[open]");
  await menu.getByRole("link", { name: m("page_home") }).waitFor();
  same(await menu.getByRole("button", { name: m("net_undo") }).count(), 0, "ways to take back");
  await page.keyboard.press("Escape");
}

/** Somebody who leaves in the middle goes on where it was, by the page of the day. */
async function reloaded(page) {
  const player = new Player(page);
  await playUntilSeen([player], (now) => player.asked(now) === "follow");
  await tapAside(page);
  const before = await look(page);
  await page.goto(new URL("/daily", page.url()).href);
  await page.getByRole("link", { name: m("daily_go_on") }).click();
  await page.locator(".table").waitFor();
  await until(async () => player.asked(await look(page)) === "follow", "the trick goes on");
  const after = await look(page);
  for (const part of ["top", "trick", "board", "hand"])
    same(after[part], before[part], `${part}, after leaving`);
}

/** Points by rounds, which add up; today is in the calendar. */
async function result(page) {
  const rows = page.locator(".rounds li");
  same(await rows.count(), ROUNDS, "rounds");
  const points = (await page.locator(".rounds .points b").allTextContents()).map(numberOf);
  same(
    numberOf(await page.locator(".score > b").textContent()),
    points.reduce((all, one) => all + one),
    "the points of all rounds",
  );
  const cell = page.locator('.days [aria-current="date"]');
  check(!(await cell.getAttribute("aria-label")).includes(m("daily_cell_none")), "today is played");
  same(await page.locator(".totals dd").first().textContent(), "1", "days in a row");
  await fits(page, "the result");
  same(await allFaults(page, "the result of a day"), [], "what axe finds");
  await page.setViewportSize({ width: 320, height: 640 });
  const [wide] = await overflow(page);
  check(wide <= 0, `the result is ${wide} pixels too wide for 320`);
  await page.setViewportSize(SMALL.viewport);
}

const toEnter = (page) => page.getByRole("button", { name: m("daily_enter"), exact: true });

/** Those who want to be on the table of the day are there, once; the server has played their game again. */
async function onTheTable(world, page) {
  await shown(page, m("daily_table_empty")).waitFor();
  await toEnter(page).click();
  const row = page.locator('.all li[aria-current="true"]');
  await until(() => row.count(), "the game is checked, and on the table");
  const total = numberOf(await page.locator(".score > b").textContent());
  same(numberOf(await row.locator("> b").textContent()), total, "the points that the server has counted");
  check((await row.textContent()).includes("Ada"), "it is under one's own name");
  await shown(page, m("daily_rank", { rank: 1, count: 1 }))
    .first()
    .waitFor();
  await fits(page, "the result with a place on the table");
  same(await allFaults(page, "the table of the day"), [], "what axe finds");
  await page.reload();
  await row.waitFor();
  same(await toEnter(page).count(), 0, "ways to be on the table twice");
  const answer = await page.request.get(`${world.base}/api/v1/daily/${day(0)}`);
  const { entries, rows } = await answer.json();
  same([entries, rows[0].points, rows[0].own], [1, total, false], "what others are told");
}

const numberOf = (text) => Number(text.replace("−", "-"));

/** The text has the day, the points, a symbol for each round and the address, and no cards. */
async function shares(page) {
  await page.evaluate(() => {
    navigator.canShare = () => true;
    navigator.share = ({ text }) => Promise.resolve((window.sharedText = text));
  });
  await page.getByRole("button", { name: m("share_button") }).click();
  const text = await until(() => page.evaluate(() => window.sharedText), "something is shared");
  const [, points, symbols, link] = text.split("\n");
  check(/par -?\d+ \([+−]?\d+\)$/.test(points), `points against par, not ${points}`);
  same(symbols.split(" ").length, ROUNDS, `a symbol for each round in ${symbols}`);
  check(/^[▲●▼][✓🙀]?$/u.test(symbols.split(" ")[0]), `above, at or below par, not ${symbols}`);
  check(/\/daily\/\d{4}-\d\d-\d\d$/.test(link), `the address of the day, not ${link}`);
  await shown(page, m("share_done")).first().waitFor();
}

/** Another try begins with the same cards, and is marked. */
async function again(page) {
  const address = page.url();
  await shown(page, m("daily_again_text")).waitFor();
  await page.getByRole("button", { name: m("daily_again"), exact: true }).click();
  await page.locator('[role="option"]').first().waitFor();
  check(/\/play\/daily-[\d-]+-2$/.test(page.url()), `a table of its own, not ${page.url()}`);
  await page.goto(address);
  await page.getByRole("link", { name: m("daily_go_on") }).waitFor();
  await page.getByRole("heading", { name: m("daily_hand") }).waitFor();
}

/** It is among one's own games, and can be watched again. */
async function inMyGames(world, page) {
  await page.getByRole("link", { name: m("net_replay") }).click();
  await page.getByRole("slider", { name: m("replay_move") }).waitFor();
  await page.goto(`${world.base}/games`);
  await page.locator('main li a[href*="/games/"]').first().waitFor();
  await page.goto(world.base);
  await shown(page, m("daily_tile_over")).waitFor();
}

/** A day that has passed is played later, one that has not come is not played; both are named. */
async function otherDays(world, page) {
  await page.goto(`${world.base}/daily/${day(2)}`);
  await shown(page, patternOf("en", "daily_future")).last().waitFor();
  same(await page.getByRole("button", { name: m("home_play"), exact: true }).count(), 0, "ways to play it");
  await page.goto(`${world.base}/daily/2026-02-30`);
  await shown(page, patternOf("en", "daily_no_day")).last().waitFor();
  await page.goto(`${world.base}/daily/${day(-1)}`);
  await shown(page, m("daily_once_late")).waitFor();
  await begin(page);
  await page.goto(`${world.base}/daily/${day(-1)}`);
  await page.getByRole("link", { name: m("daily_go_on") }).waitFor();
  await page.goto(`${world.base}/daily`);
  await page.getByRole("button", { name: m("daily_month_before") }).click();
  await page.locator("a.day.none").first().click();
  await shown(page, m("daily_once_late")).waitFor();
}

async function fits(page, where) {
  const [wide] = await overflow(page);
  check(wide <= 0, `${where} is ${wide} pixels too wide`);
  const small = await cramped(page);
  check(!small.length, `${where}: too small for a thumb:\n  ${small.join("\n  ")}`);
}
