// My games: a record comes from a file, is replayed without a network, and leaves as the same bytes; statistics,
// filters, and one file of everything.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { check, same, until } from "../harness/check.mjs";
import { againstBots } from "../harness/entry.mjs";
import { shown } from "../harness/look.mjs";
import { allKept } from "../harness/offline.mjs";
import { Player, playOut } from "../harness/player.mjs";
import { wordsOf } from "../harness/words.mjs";
import { SMALL } from "../harness/world.mjs";

const m = wordsOf("en");
const RECORD = join(import.meta.dirname, "../../src/pages/replay/replayed.cat");
const TABLE = "Ada | Ben | Bot";
/** The same game at other tables: whose seat is one's own, and who the others are. */
const TABLES = ["Ada | sharp | sharp", "gentle | Ada | gentle", "gentle | sharp | Ada"];
const DESK = { viewport: { width: 1440, height: 900 } };

export default async function games(world) {
  const bytes = await readFile(RECORD);
  const page = await world.visitor("/", SMALL);
  await page.getByRole("link", { name: m("replay_mine") }).click();
  await shown(page, m("games_none")).waitFor();
  await bring(page, ["game.cat", bytes]);
  const slider = page.getByRole("slider", { name: m("replay_move") });
  await slider.waitFor();
  await allKept(page);

  world.watch.expect(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  await page.context().setOffline(true);
  await page.reload();
  await slider.waitFor();
  await page.keyboard.press("End");
  same(await slider.inputValue(), await slider.getAttribute("max"), "the end of the game is shown");
  await page.getByRole("button", { name: m("see_result") }).waitFor();

  await page.goto(`${world.base}/games`);
  await shown(page, "Ada 5, Ben 9, Bot 7").waitFor();
  await page.getByRole("button", { name: `${m("games_tools")}: Ada, Ben, Bot` }).click();
  await saves(page, page.getByRole("button", { name: m("games_save") }), bytes);
  await refuses(page, bytes);
  await everything(page, bytes.toString());
  await page.context().close();
  await filtered(world, bytes.toString());
  await played(world);
  await unfinished(world);
}

/** A game against a bot that was played to its end is one of them, and counted. */
async function played(world) {
  const page = await world.visitor("/", { ...SMALL, name: "Ada" });
  await againstBots(page, { players: 2 });
  await playOut([new Player(page, { direct: true })]);
  await page.getByRole("link", { name: m("net_replay") }).click();
  await page.getByRole("slider", { name: m("replay_move") }).waitFor();
  await page.goto(`${world.base}/games`);
  await totals(page, { games: 1 });
  same(await rows(page).count(), 1, "it is there once");
  const before = await figures(page);
  await page.evaluate(forgetCounts);
  await page.reload();
  await until(async () => (await figures(page)).join() === before.join(), "an older game is counted");
  await rows(page).getByRole("link").click();
  await page.getByRole("slider", { name: m("replay_move") }).waitFor();
  await page.context().close();
}

/** In the page: games are kept as they were before there were statistics. */
function forgetCounts() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("catinthebox.games");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction("values", "readwrite");
      const store = transaction.objectStore("values");
      const all = store.getAll();
      all.onsuccess = () => {
        for (const game of all.result) {
          delete game.counted;
          store.put(game, game.key);
        }
      };
      transaction.oncomplete = () => (opening.result.close(), resolve());
    };
  });
}

/** Every game that goes on can be reached from the first page. */
async function unfinished(world) {
  const page = await world.visitor("/", { ...SMALL, name: "Ada" });
  for (let game = 0; game < 4; game += 1) {
    await againstBots(page, { players: 2 });
    await page.goto(world.base);
  }
  const open = page.locator('main a[href*="/play/"]');
  await page.getByRole("button", { name: m("home_go_on_all", { count: 4 }) }).waitFor();
  same(await open.count(), 3, "the latest are shown");
  await page.getByRole("button", { name: m("home_go_on_all", { count: 4 }) }).click();
  await until(async () => (await open.count()) === 4, "all are shown");
  await open.last().click();
  await page.locator('[role="option"]').first().waitFor();
}

const bring = (page, ...files) =>
  page
    .locator('input[type="file"]')
    .setInputFiles(
      files.map(([name, buffer]) => ({ name, mimeType: "text/plain", buffer: Buffer.from(buffer) })),
    );

const rows = (page) => page.getByRole("list", { name: m("replay_mine") }).locator("> li");
const press = (page, name) => page.getByRole("button", { name, exact: true }).click();

/** The figures at the top, as they are read. */
const figures = (page) => page.locator("dl .value").allTextContents();

const totals = (page, { games }) =>
  until(async () => (await figures(page))[0] === `${games}`, `${games} games are in the totals`);

/** What a button saves. */
async function saved(page, button) {
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

/** A button saves these bytes. */
async function saves(page, button, bytes) {
  const { name, text } = await saved(page, button);
  check(/^catinthebox.*\.cat$/.test(name), "the file is named after the game");
  same(text, bytes.toString(), "what is saved is what came, byte for byte");
}

/** A damaged file is refused with its name, its line, and what would be right. */
async function refuses(page, bytes) {
  const text = bytes.toString().replace("winners 1", "winners 2");
  const line = text.split("\n").findIndex((one) => one === "winners 2") + 1;
  await bring(page, ["bad.cat", text]);
  await shown(page, m("games_problem", { file: "bad.cat", line })).waitFor();
  await shown(page, "the list of winners is 1, not 2 (R3)").waitFor();
  await shown(page, m("games_whole")).waitFor();
  await totals(page, { games: 1 });
}

/** Without a network: all games leave as one file, are deleted, come back, and a file with a mistake changes nothing. */
async function everything(page, text) {
  await bring(page, ...TABLES.map((names, n) => [`${n}.cat`, text.replace(TABLE, names)]));
  await shown(page, m("games_added", { count: 3 })).waitFor();
  await totals(page, { games: 4 });
  const before = await figures(page);
  const { name, text: all } = await saved(page, page.getByRole("button", { name: m("games_export") }));
  check(/^catinthebox-games-\d{4}-\d\d-\d\d\.json$/.test(name), "the file is named after the day");

  await press(page, m("games_delete_all"));
  await focused(page, m("games_keep"));
  await page.keyboard.press("Enter");
  await focused(page, m("games_delete_all"));
  await page.keyboard.press("Enter");
  await shown(page, m("games_delete_all_sure", { count: 4 })).waitFor();
  await press(page, m("games_delete_all"));
  await shown(page, m("games_none")).waitFor();
  await focused(page, m("games_undo"));
  await page.keyboard.press("Enter");
  await totals(page, { games: 4 });
  same(await figures(page), before, "what was deleted is there again");
  await press(page, m("games_delete_all"));
  await press(page, m("games_delete_all"));
  await shown(page, m("games_none")).waitFor();
  await page.reload();
  await shown(page, m("games_none")).waitFor();

  await bring(page, ["broken.json", all.replace("catinthebox 1\\nplayers 3", "catinthebox 1\\nplayers 4")]);
  await shown(page, m("games_problem", { file: "broken.json", line: 4 })).waitFor();
  await shown(page, m("games_none")).waitFor();
  await bring(page, ["all.json", all]);
  await totals(page, { games: 4 });
  same(await figures(page), before, "what was saved is there again");
  await bring(page, ["all.json", all]);
  await shown(page, [m("games_added", { count: 0 }), m("games_known", { count: 4 })].join(" · ")).waitFor();
  const again = await saved(page, page.getByRole("button", { name: m("games_export") }));
  same(again.text, all, "it leaves as the same file");

  const first = page.getByRole("button", { name: `${m("games_tools")}:` }).first();
  await first.click();
  await page
    .getByRole("button", { name: new RegExp(`^${m("games_delete")}:`) })
    .first()
    .click();
  await totals(page, { games: 3 });
  await focused(page, m("games_undo"));
  await press(page, m("games_delete_all"));
  await press(page, m("games_delete_all"));
  await shown(page, m("games_none")).waitFor();
  await focused(page, m("games_undo"));
  await press(page, m("games_undo"));
  await totals(page, { games: 4 });
  await focused(page, m("replay_mine"), "list");
  same(await figures(page), before, "whatever was deleted since the page was opened comes back");
}

/** Filters work together, by keyboard, and are in the address: after a reload, and on the way back from a replay. */
async function filtered(world, text) {
  const page = await world.visitor("/games", DESK);
  await shown(page, m("games_none")).waitFor();
  await bring(page, ...[TABLE, ...TABLES].map((names, n) => [`${n}.cat`, text.replace(TABLE, names)]));
  await totals(page, { games: 4 });
  const chip = (name) => page.getByRole("button", { name, exact: true });
  await chip(m("page_level_sharp")).focus();
  await page.keyboard.press("Space");
  await totals(page, { games: 2 });
  await shown(page, m("games_shown", { shown: 2, count: 4 })).waitFor();
  await chip(m("page_level_gentle")).focus();
  await page.keyboard.press("Enter");
  await totals(page, { games: 3 });
  await chip(m("games_only_won")).click();
  await totals(page, { games: 1 });
  same(new URL(page.url()).hash, "#level=gentle,sharp&won", "the filters are in the address");
  await page.reload();
  await totals(page, { games: 1 });
  same(await chip(m("games_only_won")).getAttribute("aria-pressed"), "true", "and there again");
  await rows(page).getByRole("link").click();
  await page.getByRole("slider", { name: m("replay_move") }).waitFor();
  await page.goBack();
  await totals(page, { games: 1 });
  await chip(m("games_people")).click();
  await shown(page, m("games_none_match")).waitFor();
  await press(page, m("games_filter_clear"));
  await totals(page, { games: 4 });
  same(new URL(page.url()).hash, "", "nothing is asked for");
  const table = page.locator("details", { hasText: m("games_paradoxes") }).last();
  await table.locator("summary").click();
  const cells = await table.locator("tbody tr").count();
  same(cells, await page.locator(".lane").count(), "the table has every mark of the chart");
  await page.context().close();
}

/** The keyboard is at something with a name. */
const focused = (page, name, role = "button") =>
  until(
    () =>
      page.getByRole(role, { name, exact: true }).evaluate((element) => element === document.activeElement),
    `${name} has the focus`,
  );
