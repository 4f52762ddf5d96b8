// Ways from the first page to a table, by the buttons that are there.
import { wordsOf } from "./words.mjs";

/** Choose one of a few, by its label. */
export async function pick(page, legend, label) {
  const group = page.getByRole("group", { name: legend, exact: true });
  await group.getByRole("radio", { name: label, exact: true }).check();
}

/** Play against bots at once. */
export async function againstBots(
  page,
  { players = 3, level = "page_level_gentle", face = "white", language = "en" } = {},
) {
  const m = wordsOf(language);
  await page.getByRole("button", { name: m("home_change_label") }).click();
  const sheet = page.locator("dialog[open]");
  await pick(sheet, m("home_bots"), `${players - 1}`);
  await pick(sheet, m("home_level"), m(level));
  if (players === 3 || players === 4) await pick(sheet, m("home_face"), m(`home_face_${face}`));
  await sheet.getByRole("button", { name: m("home_play"), exact: true }).click();
  await page.locator('[role="option"]').first().waitFor();
}

/** Open a table for people, and give its link. */
export async function openTable(page, { players = 4, language = "en", listed = false, clock = null } = {}) {
  const m = wordsOf(language);
  await page.getByRole("button", { name: m("home_new_table") }).click();
  const sheet = page.locator("dialog[open]");
  await pick(sheet, m("home_players"), `${players}`);
  if (clock) await pick(sheet, m("home_clock"), m(`home_clock_${clock}`));
  if (listed) await sheet.getByRole("switch", { name: m("home_listed") }).check();
  await sheet.getByRole("button", { name: m("home_open") }).click();
  return page.getByLabel(m("lobby_link"), { exact: true }).inputValue();
}

/** Come to a table by its link, with a name, and sit down. */
export async function comeIn(world, path, name, options = {}) {
  const guest = await world.visitor(path, options);
  await guest.getByLabel(wordsOf("en")("home_name")).fill(name);
  await sitDown(guest);
  await guest.getByRole("button", { name: wordsOf("en")("net_leave") }).waitFor();
  return guest;
}

/** Open the menu of a table and press something in it. */
export async function fromMenu(page, name) {
  await openMenu(page);
  await page.locator("dialog[open]").getByRole("button", { name, exact: true }).click();
}

/** Open the menu of a table. */
export const openMenu = (page) =>
  page.getByRole("button", { name: wordsOf("en")("menu"), exact: true }).click();

/** Sit down on the first free seat. */
export async function sitDown(page, language = "en") {
  await page
    .getByRole("button", { name: wordsOf(language)("lobby_sit") })
    .first()
    .click();
}
