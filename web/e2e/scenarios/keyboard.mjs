// A whole game without a mouse, from the first page on, and everything that opens over it; the focus is never lost.
import { check, same, until } from "../harness/check.mjs";
import { focused, Typist } from "../harness/keyboard.mjs";
import { look } from "../harness/look.mjs";
import { playUntil } from "../harness/player.mjs";

export default async function keyboard(world) {
  const page = await world.visitor();
  const typist = new Typist(page);
  const m = typist.words;
  for (const name of ["home_change_label", "home_new_table", "home_device"]) await opens(typist, name);
  await typist.tabTo(m("home_play"));
  await typist.press("Enter");
  await page.locator('[role="option"]').first().waitFor();

  await playUntil([typist], async (done) => {
    if (done) await keepsFocus(page, done);
    return done === "lead" || done === "follow";
  });
  await sheets(typist);
  await opens(typist, "menu");
  let rounds = 1;
  await playUntil([typist], async (done) => {
    if (done && done !== "final") await keepsFocus(page, done);
    if (done === "next") rounds += 1;
    return done === "final";
  });
  same(rounds, 3, "how many rounds were played");
  await typist.tabTo(m("net_replay"));
  await typist.press("Enter");
  await page.getByRole("slider", { name: m("replay_move") }).waitFor();
}

/** A button opens a sheet, Tab stays inside, and Escape gives the focus back to the button. */
async function opens(typist, name) {
  const { page, words: m } = typist;
  const begins = (one) => one.name.startsWith(m(name));
  await until(
    async () => {
      await typist.press("Tab");
      return begins(await focused(page));
    },
    `Tab leads to “${m(name)}”`,
  );
  await typist.press("Enter");
  await until(async () => (await look(page)).sheet, `“${m(name)}” opens something`);
  let [inside, around] = [0, 0];
  for (let steps = 0; steps < 20; steps += 1) {
    await typist.press("Tab");
    const place = await page.evaluate(placeOfFocus);
    check(place !== "outside", `Tab stays inside “${m(name)}”`);
    around = place === "around" ? around + 1 : 0;
    check(around <= 1, `“${m(name)}” keeps the focus`);
    if (place === "inside") inside += 1;
  }
  check(inside > 0, `Tab reaches something in “${m(name)}”`);
  await typist.press("Escape");
  await until(async () => !(await look(page)).sheet, "Escape closes it");
  await until(async () => begins(await focused(page)), `the focus is back at “${m(name)}”`);
}

/** In the page: whether the focus is in the sheet, or on its way around, which leads past the browser's own buttons. */
function placeOfFocus() {
  const { activeElement, body } = document;
  if (activeElement === body) return "around";
  return activeElement?.closest("dialog[open]") ? "inside" : "outside";
}

/** The focus may be nowhere for the blink of an eye, while things change places. */
const keepsFocus = (page, done) =>
  until(async () => !(await focused(page)).lost, `the focus is somewhere after “${done}”`);

/** The sheets have keys of their own, and give the focus back. */
async function sheets(typist) {
  const { page, words: m } = typist;
  for (const [key, title] of [
    ["l", m("last_trick")],
    ["?", m("legend")],
  ]) {
    await typist.tabToHand();
    const before = await focused(page);
    await typist.press(key);
    const sheet = await until(async () => (await look(page)).sheet, `${key} opens something`);
    same(sheet.title, title, `what ${key} opens`);
    await typist.press("Escape");
    await until(async () => !(await look(page)).sheet, "Escape closes it");
    same((await focused(page)).rank, before.rank, "the focus is back where it was");
  }
  check((await look(page)).hand.length > 0, "the hand is still there");
}
