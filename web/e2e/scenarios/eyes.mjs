// Eyes that need help: the colors of the system, large text, a narrow window. Everything fits and can be found.
import { againstBots, openTable } from "../harness/entry.mjs";
import { check, until } from "../harness/check.mjs";
import { look, shown } from "../harness/look.mjs";
import { cramped, cutOff, overflow, smallText, unseenFocus } from "../harness/measure.mjs";
import { Player, playUntilSeen } from "../harness/player.mjs";
import { walkEnds } from "../harness/screens.mjs";
import { wordsOf } from "../harness/words.mjs";

const m = wordsOf("en");
const EYES = {
  "forced colors": { forcedColors: "active" },
  "at 200 %": { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2, cell: 20 },
  "at 320 pixels": { viewport: { width: 320, height: 640 }, cell: 20 },
};

export default async function eyes(world) {
  const found = [];
  for (const [name, { cell, ...options }] of Object.entries(EYES)) {
    const page = await world.visitor("/", options);
    const stop = async (where) => found.push(...(await faults(page, `${where}, ${name}`, cell)));
    await walk(world, page, stop);
    if (options.forcedColors) found.push(...(await unmarked(world, page)));
    await page.context().close();
  }
  check(!found.length, `${found.length} faults:\n  ${found.join("\n  ")}`);
}

async function walk(world, page, stop) {
  await shown(page, m("home_line")).waitFor();
  await stop("home");
  await openTable(page, { players: 4 });
  await stop("lobby");
  await page.goto(world.base);
  await againstBots(page, { players: 5 });
  await chooseCard(page);
  await stop("a card chosen");
  await walkEnds(world, page, stop);
  for (const [path, name] of [
    ["/learn", "learn_part_color"],
    ["/rules", "page_rules"],
    ["/games", "replay_mine"],
    ["/settings", "page_settings"],
  ]) {
    await page.goto(world.base + path);
    await page.getByRole("heading", { level: 1, name: m(name) }).waitFor();
    await stop(path.slice(1));
  }
}

/** Up to the first card, and choose it. */
async function chooseCard(page) {
  const player = new Player(page);
  await playUntilSeen([player], (now) => ["lead", "follow"].includes(player.asked(now)));
  await player.choose((await look(page)).hand.find((card) => !card.dead).rank);
  await until(async () => (await look(page)).choices.length, "its colors");
}

async function faults(page, where, cell) {
  await page.keyboard.press("Shift"); // from now on the focus is drawn
  const [wide] = await overflow(page);
  const found = wide > 0 ? [`${wide} pixels too wide`] : [];
  const small = (await cramped(page, cell)).map((one) => `too small: ${one}`);
  const cut = (await cutOff(page)).map((one) => `cut off: ${one}`);
  const tiny = (await smallText(page)).map((one) => `too small to read: ${one}`);
  const focus = await unseenFocus(page);
  return [...found, ...small, ...tiny, ...cut, ...focus].map((fault) => `${where}: ${fault}`);
}

/** On the settings, in the colors of the system: a choice that was made looks different from one that was not. */
async function unmarked(world, page) {
  const groups = await page.evaluate(() => {
    const looks = (radio) => {
      const { borderColor, borderWidth, outlineStyle, outlineWidth, backgroundColor, color } =
        getComputedStyle(radio.closest("label"));
      return [borderColor, borderWidth, outlineStyle, outlineWidth, backgroundColor, color].join();
    };
    return [...document.querySelectorAll("fieldset")].flatMap((group) => {
      const radios = [...group.querySelectorAll("input[type=radio]")];
      const [on, off] = [true, false].map((value) =>
        radios.filter((one) => one.checked === value).map(looks),
      );
      return on.length && !off.includes(on[0])
        ? []
        : [group.querySelector("legend")?.textContent ?? group.className];
    });
  });
  const toggle = page.getByRole("switch", { name: m("settings_confirm") });
  await toggle.blur();
  const before = await toggle.screenshot();
  await toggle.evaluate((one) => one.click());
  await until(() => toggle.isChecked(), "the switch moves");
  await until(async () => !before.equals(await toggle.screenshot()), "the switch looks different");
  return groups.map((one) => `settings, forced colors: no mark on ${one}`);
}
