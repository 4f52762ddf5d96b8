// A finished game again: from its end to its replay, step by step, from every seat, and its proof.
import { openTable, sitDown } from "../harness/entry.mjs";
import { check, same, until } from "../harness/check.mjs";
import { look, shown } from "../harness/look.mjs";
import { Player, playOut } from "../harness/player.mjs";
import { wordsOf } from "../harness/words.mjs";
import { SMALL } from "../harness/world.mjs";

const m = wordsOf("en");

export default async function replay(world) {
  const page = await world.visitor("/", {
    ...SMALL,
    name: "Ada",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await begin(page);
  const key = page.url().split("-")[1];
  check(key.length > 20, "a table has a key");
  await playOut([new Player(page, { direct: true })]);
  await page.getByRole("link", { name: m("net_replay") }).click();
  const slider = page.getByRole("slider", { name: m("replay_move") });
  await slider.waitFor();
  check(!page.url().includes(key), "the link of a replay is not the one to play");
  same(await slider.inputValue(), "0", "it begins at the beginning");
  const last = Number(await slider.getAttribute("max"));

  await page.getByRole("button", { name: m("replay_next") }).click();
  await page.getByRole("button", { name: m("replay_trick_next") }).click();
  check(Number(await slider.inputValue()) > 1, "a trick on is more than a move on");
  await page.keyboard.press("ArrowRight");
  const moment = await slider.inputValue();
  await page.waitForURL((url) => url.hash === `#${moment}`); // the moment is in the address
  await page.reload();
  same(await slider.inputValue(), moment, "and the address leads there again");

  await seats(page);
  await page.keyboard.press("End");
  same(await slider.inputValue(), `${last}`, "End is the end");
  await finds(page, "replay_fair_proven", "replay_fair_noted");
  await stranger(world, page);
  await file(world, page);
}

/** Sit down, get up, sit down again, and begin: the own part in the shuffling stays the same one. */
async function begin(page) {
  await openTable(page, { players: 2 });
  await page.getByRole("button", { name: m("net_leave") }).click();
  await shown(page, m("lobby_choose")).waitFor();
  await sitDown(page);
  await page.getByLabel(m("home_level")).selectOption({ label: m("page_level_gentle") });
  await page.getByRole("button", { name: m("lobby_start_bots", { count: 1 }) }).click();
  await page.locator('[role="option"]').first().waitFor();
}

/** The check of the deals says this. */
async function finds(page, ...names) {
  await page.getByRole("button", { name: m("replay_fairness") }).click();
  const sheet = page.locator("dialog[open]");
  for (const name of names) await shown(sheet, m(name)).waitFor();
  same(await sheet.locator("li.bad").count(), 0, "everything that was checked is right");
  await page.keyboard.press("Escape");
}

/** Anyone who was not there can only say that the record agrees with itself. */
async function stranger(world, page) {
  const other = await world.visitor(new URL(page.url()).pathname, SMALL);
  await finds(other, "replay_fair_consistent");
  await other.context().close();
}

/** As one of them saw it, only their cards are open. */
async function seats(page) {
  const see = async (label) => {
    await page.getByRole("button", { name: m("menu"), exact: true }).click();
    await page.getByRole("button", { name: label, exact: true }).click();
    await until(async () => !(await look(page)).sheet, "the sheet goes");
  };
  await see(m("replay_public"));
  same((await look(page)).hand, [], "everybody saw no hand");
  await see(m("replay_as", { name: "Ada" }));
  check((await look(page)).hand.length > 0, "Ada saw hers");
  await see(m("replay_open"));
}

/** A record saved as a file opens again. */
async function file(world, page) {
  await page.getByRole("button", { name: m("menu"), exact: true }).click();
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: ".cat", exact: true }).click(),
  ]);
  const path = await saved.path();
  await page.goto(`${world.base}/g/`);
  await page.locator('input[type="file"]').setInputFiles(path);
  await page.getByRole("slider", { name: m("replay_move") }).waitFor();
}
