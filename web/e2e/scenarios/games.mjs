// My games: a record comes from a file, is replayed without a network, and leaves as the same bytes.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { check, same, until } from "../harness/check.mjs";
import { againstBots } from "../harness/entry.mjs";
import { shown, unshown } from "../harness/look.mjs";
import { allKept } from "../harness/offline.mjs";
import { Player, playOut } from "../harness/player.mjs";
import { patternOf, wordsOf } from "../harness/words.mjs";
import { SMALL } from "../harness/world.mjs";

const m = wordsOf("en");
const RECORD = join(import.meta.dirname, "../../src/pages/replay/replayed.cat");

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
  await saves(page, page.getByRole("button", { name: m("games_save") }).first(), bytes);
  await refuses(page, bytes);
  await many(page, bytes);
  await deletes(page);
  await played(world);
  await unfinished(world);
}

/** A game against a bot that was played to its end is one of them. */
async function played(world) {
  const page = await world.visitor("/", { ...SMALL, name: "Ada" });
  await againstBots(page, { players: 2 });
  await playOut([new Player(page, { direct: true })]);
  await page.getByRole("link", { name: m("net_replay") }).click();
  await page.getByRole("slider", { name: m("replay_move") }).waitFor();
  await page.goto(`${world.base}/games`);
  await shown(page, patternOf("en", "games_place")).waitFor();
  same(await page.locator("main li").count(), 1, "it is there once");
  await page.locator("main li a").click();
  await page.getByRole("slider", { name: m("replay_move") }).waitFor();
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

/** A button saves these bytes. */
async function saves(page, button, bytes) {
  const [saved] = await Promise.all([page.waitForEvent("download"), button.click()]);
  check(/^catinthebox.*\.cat$/.test(saved.suggestedFilename()), "the file is named after the game");
  const found = await readFile(await saved.path());
  same(Buffer.compare(found, Buffer.from(bytes)), 0, "what is saved is what came, byte for byte");
}

/** A damaged file is refused with its name, its line, and what would be right. */
async function refuses(page, bytes) {
  const text = bytes.toString().replace("winners 1", "winners 2");
  const line = text.split("\n").findIndex((one) => one === "winners 2") + 1;
  await bring(page, ["bad.cat", text]);
  await shown(page, m("games_problem", { file: "bad.cat", line })).waitFor();
  await shown(page, "the list of winners is 1, not 2 (R3)").waitFor();
}

/** Several games in one file come and go together. */
async function many(page, bytes) {
  const other = bytes.toString().replace("Ada | Ben", "Ava | Ben");
  await bring(page, ["game.cat", bytes], ["other.cat", other]);
  await shown(page, m("games_added", { count: 1 })).waitFor();
  await saves(page, page.getByRole("button", { name: m("games_save_all") }), `${other}\n${bytes}`);
}

/** Nothing is deleted without being asked twice. */
async function deletes(page) {
  const rows = page.locator("main li");
  same(await rows.count(), 2, "both games are there");
  await page.getByRole("button", { name: `${m("games_delete")}: Ava, Ben, Bot` }).click();
  await focused(page, m("games_keep"));
  await page.keyboard.press("Enter");
  await focused(page, `${m("games_delete")}: Ava, Ben, Bot`);
  await page.getByRole("button", { name: `${m("games_delete")}: Ava, Ben, Bot` }).click();
  await page.getByRole("button", { name: m("games_delete"), exact: true }).click();
  await unshown(page, patternOf("en", "games_delete_sure"));
  same(await rows.count(), 1, "one is left");
  await focused(page, m("replay_mine"), "list");
  await page.getByRole("button", { name: m("games_delete_all") }).click();
  await focused(page, m("games_keep"));
  await shown(page, m("games_delete_all_sure", { count: 1 })).waitFor();
  await page.getByRole("button", { name: m("games_delete_all") }).click();
  await shown(page, m("games_none")).waitFor();
  await page.reload();
  await shown(page, m("games_none")).waitFor();
}

/** The keyboard is at something with a name. */
const focused = (page, name, role = "button") =>
  until(
    () =>
      page.getByRole(role, { name, exact: true }).evaluate((element) => element === document.activeElement),
    `${name} has the focus`,
  );
