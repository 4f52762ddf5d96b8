// A walk through every screen of the client; `stop` is called at each of them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { againstBots, openTable } from "./entry.mjs";
import { until } from "./check.mjs";
import { look, shown } from "./look.mjs";
import { Player, playOut } from "./player.mjs";
import { wordsOf } from "./words.mjs";

const m = wordsOf("en");
const RECORD = join(import.meta.dirname, "../../src/pages/replay/replayed.cat");
const EXAMPLE = join(import.meta.dirname, "../../../examples/two-players.cat");
const REPLAYED = join(import.meta.dirname, "../../src/pages/replay/replayed.json");

/** Pages that stand by themselves. */
export async function walkPages(world, page, stop) {
  await page.goto(world.base);
  await shown(page, m("home_line")).waitFor();
  await stop("home");
  for (const [button, name] of [
    ["home_who", "who"],
    ["home_change_label", "options"],
    ["home_new_table", "new-table"],
    ["home_device", "device"],
  ]) {
    await page.getByRole("button", { name: m(button) }).click();
    await opened(page);
    await stop(name);
    await closed(page);
  }
  world.watch.expect(/404 .*\/lost$/);
  for (const [path, name] of [
    ["/settings", "page_settings"],
    ["/rules", "page_rules"],
    ["/learn", "learn_part_color"],
    ["/daily", "daily_title"],
    ["/lost", "page_nowhere"],
  ]) {
    await page.goto(world.base + path);
    await page.getByRole("heading", { level: 1, name: m(name) }).waitFor();
    await stop(name.replace(/^(page|learn)_/, ""));
    if (path === "/rules") await searchRules(page, stop);
    if (path === "/learn") {
      await page.locator('.coach [aria-haspopup="dialog"]').click();
      await opened(page);
      await stop("parts");
    }
  }
}

/** What a search finds, and what it says when it finds nothing. */
async function searchRules(page, stop) {
  const field = page.getByRole("searchbox", { name: m("page_rules_search") });
  await field.fill("paradox");
  await page.locator("article mark").first().waitFor();
  await stop("search");
  await field.fill("zzzz");
  await shown(page, m("page_rules_nothing")).and(page.locator("article *")).waitFor();
  await stop("search-nothing");
}

/** Press a button that opens a sheet. */
async function press(page, name) {
  await page
    .getByRole("button", { name: m(name), exact: true })
    .first()
    .click();
  await opened(page);
}

/** Wait for a sheet; some are fetched when they are first wanted. */
const opened = (page) => until(async () => (await look(page)).sheet, "the sheet comes");

async function closed(page) {
  await page.keyboard.press("Escape");
  await until(async () => !(await look(page)).sheet, "the sheet goes");
}

const { positions } = JSON.parse(readFileSync(REPLAYED, "utf8"));
const PARADOX = positions.findIndex(({ round }) => round.end?.paradox != null);
const LAST = positions.length - 1;

/** My games: empty, with some and a file that is none, with everything open, and after one was deleted. */
export async function walkGames(world, page, stop) {
  await page.goto(`${world.base}/games`);
  await shown(page, m("games_none")).waitFor();
  await stop("games-none");
  const text = readFileSync(RECORD, "utf8");
  const tables = ["Ada | Ben | Bot", "Ada | sharp | sharp", "gentle | Ada | gentle", "steady | sharp | Ada"];
  const texts = [
    ...tables.map((names) => text.replace("Ada | Ben | Bot", names)),
    "catinthebox 1\nplayers 9\n",
  ];
  const files = texts.map((one, n) => ({
    name: `${n}.cat`,
    mimeType: "text/plain",
    buffer: Buffer.from(one),
  }));
  await page.locator('input[type="file"]').setInputFiles(files);
  await shown(page, m("games_added", { count: 4 })).waitFor();
  await stop("games");
  for (const table of await page.locator("summary").all()) await table.click();
  const filters = page.getByRole("button", { name: m("games_filter"), exact: true });
  if (await filters.isVisible()) await filters.click();
  await page.getByRole("button", { name: m("games_only_won"), exact: true }).click();
  await page
    .getByRole("button", { name: `${m("games_tools")}:` })
    .first()
    .click();
  await stop("games-open");
  await page
    .getByRole("button", { name: new RegExp(`^${m("games_delete")}:`) })
    .first()
    .click();
  await page.getByRole("button", { name: m("games_undo"), exact: true }).waitFor();
  await stop("games-deleted");
}

/** The review of a game from a file: which one, then a mistake, with open hands, and what else can be done with it. */
export async function walkReview(world, page, stop) {
  await page.goto(`${world.base}/review`);
  await page.getByRole("heading", { level: 1, name: m("review") }).waitFor();
  await stop("review-choose");
  await page.locator('input[type="file"]').setInputFiles(EXAMPLE);
  await page.locator("aside ol button").first().waitFor();
  await until(async () => !(await page.locator(".progress").count()), "every decision is judged");
  const next = page.getByRole("button", { name: m("review_next_fault"), exact: true });
  for (let seat = 0; !(await next.count()); seat += 1)
    await page.locator("aside tbody button").nth(seat).click();
  await next.click();
  await stop("review");
  await page.getByRole("radio", { name: m("review_open"), exact: true }).check();
  for (const folded of await page.locator("summary").all()) await folded.click();
  await stop("review-open");
  await press(page, "review_more");
  await stop("review-more");
  await closed(page);
}

/** A replay, of a game that was played long ago. */
export async function walkReplay(world, page, stop) {
  await longAgo(page);
  await page.goto(`${world.base}/g/long-ago#20`);
  await page.getByRole("slider", { name: m("replay_move") }).waitFor();
  await stop("replay");
  for (const [button, name] of [
    ["replay_moves", "moves"],
    ["replay_fairness", "fairness"],
    ["menu", "replay-menu"],
  ]) {
    await page.getByRole("button", { name: m(button), exact: true }).click();
    await opened(page);
    await stop(name);
    await closed(page);
  }
  await walkEnds(world, page, stop);
}

const longAgo = (page) => page.route("**/record.cat", (route) => route.fulfill({ path: RECORD }));

/** How a round of that game ended, and the game. */
export async function walkEnds(world, page, stop) {
  await longAgo(page);
  const open = async (move, name) => {
    await page.goto(`${world.base}/g/long-ago?${move}#${move}`); // the rest alone would be no new page
    await page.getByRole("button", { name: m(name), exact: true }).click();
    await opened(page);
  };
  await open(PARADOX, "see_paradox");
  await stop("paradox");
  await open(LAST, "see_result");
  await stop("final");
}

/** The cover between two people who share a device. */
export async function walkCover(world, page, stop) {
  await page.goto(world.base);
  await page.getByRole("button", { name: m("home_device") }).click();
  await page
    .locator("dialog[open]")
    .getByRole("button", { name: m("home_play"), exact: true })
    .click();
  await page.locator("main.cover").waitFor();
  await stop("cover");
}

/** A table before its game, as its host and as a guest. */
export async function walkLobby(world, page, stop, options = {}) {
  await page.goto(world.base);
  const link = await openTable(page, { players: 4 });
  await stop("lobby");
  const guest = await world.visitor(new URL(link).pathname, options);
  await shown(guest, m("lobby_choose")).waitFor();
  await stop("lobby-guest", guest);
  await guest.context().close();
  await press(page, "net_talk");
  await stop("net_talk");
  await closed(page);
  await page.getByRole("button", { name: m("lobby_start_bots", { count: 3 }) }).click();
  await page.locator('[role="option"]').first().waitFor();
  await press(page, "menu");
  await press(page, "net_people");
  await stop("people");
  await page.getByRole("radio", { name: m("lobby_link_watch") }).check();
  const watched = await page.getByLabel(m("lobby_link"), { exact: true }).inputValue();
  await closed(page);
  const spectator = await world.visitor(new URL(watched).pathname, options);
  await spectator.locator(".table").waitFor();
  await stop("watch", spectator);
  await spectator.context().close();
}

/** The end of a game of one's own: another one can follow. */
export async function walkVictory(world, page, stop) {
  await page.goto(world.base);
  await againstBots(page, { players: 2 });
  await playOut([new Player(page, { direct: true })]);
  await page.getByRole("link", { name: m("net_replay") }).waitFor();
  await stop("victory");
}

/** A game from its first question to the end of the round (or of the game), and everything that opens over it. */
export async function walkGame(world, page, stop, game = { players: 3 }, last = "next") {
  const player = new Player(page);
  await page.goto(world.base);
  await againstBots(page, game);
  const seen = new Set();
  const ends = [last, "final"];
  for (let done = null; !ends.includes(done); done = await player.step()) await visit(player, seen, stop);
}

async function visit(player, seen, stop) {
  const { page } = player;
  const now = await look(page);
  const ask = player.asked(now);
  const once = async (name, work = null) => {
    if (seen.has(name)) return;
    seen.add(name);
    await work?.();
    await stop(name);
  };
  if (now.sheet?.screen === "paradox") await once("paradox");
  else if (now.sheet?.screen === "victory")
    await once("victory", () => shown(page, m("victory_highlights")).waitFor());
  else if (now.sheet) await once("result");
  else if (ask === "discard" || ask === "bid") await once(ask);
  else if (ask === "lead" || ask === "follow") {
    await once(ask);
    await once(`${ask}-chosen`, () => player.choose(now.hand.find((card) => !card.dead).rank));
    if (!seen.has("menu")) await visitSheets(player, once);
    if (!seen.has("hint")) await visitHint(player, once);
  }
}

/** Where there are hints. */
async function visitHint({ page }, once) {
  const [lamp, panel] = ["button", "region"].map((role) =>
    page.getByRole(role, { name: m("hint"), exact: true }),
  );
  if (!(await lamp.count())) return;
  await lamp.click();
  await panel.locator("h3").waitFor();
  await once("hint");
  await page.keyboard.press("Escape");
  await until(async () => !(await panel.count()), "the hint goes");
}

async function visitSheets({ page }, once) {
  // On a desktop the last trick is in the rail, and needs no sheet.
  const hasRail = await page.locator("aside.side").isVisible();
  for (const name of hasRail ? ["legend", "menu"] : ["last_trick", "legend", "menu"]) {
    await once(name, () => press(page, name));
    await closed(page);
  }
}
