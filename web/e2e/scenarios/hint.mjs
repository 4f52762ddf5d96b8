// A hint in a game against bots: asked for, read, followed, closed with its question; and where there is none.
import { allFaults } from "../harness/accessible.mjs";
import { check, same, until } from "../harness/check.mjs";
import { againstBots } from "../harness/entry.mjs";
import { look } from "../harness/look.mjs";
import { cramped, overflow } from "../harness/measure.mjs";
import { Player, playUntilSeen } from "../harness/player.mjs";
import { wordsOf } from "../harness/words.mjs";
import { SMALL } from "../harness/world.mjs";

const m = wordsOf("en");
const DESK = { viewport: { width: 1440, height: 900 } };

export default async function hint(world) {
  await onPhone(world);
  await onDesktop(world);
  await atOneDevice(world);
  await nowhereElse(world);
}

const lamp = (page) => page.getByRole("button", { name: m("hint"), exact: true });
const panel = (page) => page.getByRole("region", { name: m("hint"), exact: true });

/** Press the button, and wait until something was found. */
async function ask(page) {
  await lamp(page).click();
  await panel(page).locator("h3").waitFor();
}

/** A discard and a bid by the hint; then a play, after a look at all actions. */
async function onPhone(world) {
  const page = await world.visitor("/", SMALL);
  await againstBots(page, { players: 4 });
  const player = new Player(page);
  for (const question of ["discard", "bid"]) {
    await playUntilSeen([player], (now) => player.asked(now) === question);
    await ask(page);
    await panel(page).locator("footer button").click();
    await until(async () => !(await panel(page).count()), `the hint goes with its question: ${question}`);
  }
  await playUntilSeen([player], (now) => ["lead", "follow"].includes(player.asked(now)));
  await ask(page);
  same(await page.locator(".mark.best").count(), 1, "the best cell is framed");
  await fits(page, "a hint on a phone");
  await panel(page).locator("summary").click();
  const listed = await panel(page).locator("details li").count();
  same(await page.locator(".mark").count(), listed, "every action has its cell");
  await page.keyboard.press("Escape");
  await until(async () => (await look(page)).hand.length, "the hand is back");
  same(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), m("hint"), "the focus");
  await page.context().close();
}

/** Beside the board; by its key; and it becomes better. */
async function onDesktop(world) {
  const page = await world.visitor("/", DESK);
  await againstBots(page, { players: 3 });
  const player = new Player(page);
  await playUntilSeen([player], (now) => ["lead", "follow"].includes(player.asked(now)));
  await page.keyboard.press("h");
  await panel(page).locator("h3").waitFor();
  check((await look(page)).hand.length > 0, "the hand is there beside the hint");
  await fits(page, "a hint on a desktop");
  await player.step();
  await until(async () => !(await panel(page).count()), "an own card ends the hint");
  await page.context().close();
}

/** People who share a device have hints if all agree, and say so before they play. */
async function atOneDevice(world) {
  for (const agreed of [false, true]) {
    const page = await world.visitor("/", SMALL);
    await page.getByRole("button", { name: m("home_device") }).click();
    const sheet = page.locator("dialog[open]");
    const agree = sheet.getByRole("switch", { name: m("home_hints") });
    check(!(await agree.isChecked()), "nobody has agreed yet");
    if (agreed) await agree.check();
    await sheet.getByRole("button", { name: m("home_play"), exact: true }).click();
    await page.locator("main.cover button").first().click();
    await until(async () => (await look(page)).hand.length, "the cards are open");
    same(await lamp(page).count(), agreed ? 1 : 0, "a hint, if all agree");
    if (agreed) await ask(page);
    if (agreed) await panel(page).locator("footer button").click();
    else await page.keyboard.press("h");
    await until(async () => !(await panel(page).count()), "no hint is left open");
    if (agreed) await page.locator("main.cover").waitFor();
    await page.context().close();
  }
}

async function fits(page, where) {
  const [wide, high] = await overflow(page);
  check(wide <= 0 && high <= 0, `${where} is ${wide} pixels too wide, ${high} too high`);
  const small = await cramped(page);
  check(!small.length, `${where}: too small for a thumb:\n  ${small.join("\n  ")}`);
  same(await allFaults(page, where), [], where);
}

/** Not in the deal of a day. */
async function nowhereElse(world) {
  const page = await world.visitor("/daily", SMALL);
  await page.getByRole("button", { name: m("home_play"), exact: true }).click();
  await page.locator('[role="option"]').first().waitFor();
  same(await lamp(page).count(), 0, "there is no hint in the deal of a day");
  await page.keyboard.press("h");
  same(await panel(page).count(), 0, "and none by its key");
  await page.context().close();
}
