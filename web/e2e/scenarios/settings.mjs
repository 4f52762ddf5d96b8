// Every choice takes effect at once, and is still there tomorrow.
import { againstBots, pick } from "../harness/entry.mjs";
import { check, same, until } from "../harness/check.mjs";
import { handSize, look } from "../harness/look.mjs";
import { Player, playUntilSeen } from "../harness/player.mjs";
import { wordsOf } from "../harness/words.mjs";

const m = wordsOf("en");

export default async function settings(world) {
  const page = await world.visitor("/", { settings: {} });
  await page.getByRole("link", { name: m("page_settings") }).click();
  await page.getByRole("heading", { name: m("page_settings") }).waitFor();

  const light = await ground(page);
  await pick(page, m("settings_theme"), m("settings_theme_dark"));
  check((await ground(page)) !== light, "dark is darker");
  await pick(page, m("settings_palette"), m("settings_palette_contrast"));
  same(await ground(page), "rgb(0, 0, 0)", "high contrast stands on black");
  await pick(page, m("settings_cards"), m("settings_cards_large"));
  await pick(page, m("settings_speed"), m("settings_speed_off"));
  for (const name of ["confirm", "mute", "sounds", "notify"]) await toggle(page, name).check();
  for (const name of ["vibrate", "keys", "awake"]) await toggle(page, name).uncheck();

  await until(async () => (await kept(page)).notify, "the browser has allowed notifications");
  await page.reload();
  const wanted = {
    theme: "dark",
    palette: "contrast",
    cards: "large",
    speed: "off",
    confirm: true,
    volume: 0.7,
  };
  const switches = { sounds: true, notify: true, vibrate: false, awake: false, keys: false, mute: true };
  same(await kept(page), { ...wanted, ...switches }, "what is kept in the browser");
  same(await ground(page), "rgb(0, 0, 0)", "the look is as it was");
  for (const [name, value] of Object.entries({ confirm: true, ...switches })) {
    same(await toggle(page, name).isChecked(), value, `${name}, after loading again`);
  }
  await confirmTwice(world, page);
}

/** With the second tap asked for, the first one plays nothing. */
async function confirmTwice(world, page) {
  await page.goto(world.base);
  await againstBots(page, { players: 3 });
  const player = new Player(page);
  player.bid = async () => {
    await page.locator(".bids button").first().click();
    await page.getByRole("button", { name: m("confirm_bid") }).click();
  };
  await playUntilSeen([player], (now) => ["lead", "follow"].includes(player.asked(now)));
  const before = await look(page);
  for (const { rank } of before.hand) await page.keyboard.press(`${rank}`);
  check(!(await look(page)).hand.some((card) => card.chosen), "a digit does nothing any more");
  await player.choose(before.hand.find((card) => !card.dead).rank);
  await page.locator('.colors button[aria-disabled="false"]').first().click();
  const second = page.getByRole("button", { name: m("confirm_play") });
  await second.waitFor();
  same(handSize(await look(page)), handSize(before), "the first tap plays nothing");
  await second.click();
  await until(async () => handSize(await look(page)) < handSize(before), "the second one does");
}

const toggle = (page, name) => page.getByRole("switch", { name: m(`settings_${name}`) });

const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("catinthebox.settings")));

const ground = (page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
