// A whole round without a mouse, from the first page on; the focus is never lost.
import { check, same, until } from "../harness/check.mjs";
import { focused, Typist } from "../harness/keyboard.mjs";
import { look } from "../harness/look.mjs";
import { playUntil } from "../harness/player.mjs";

export default async function keyboard(world) {
  const page = await world.visitor();
  const typist = new Typist(page);
  const m = typist.words;
  await typist.tabTo(m("home_play"));
  await typist.press("Enter");
  await page.locator('[role="option"]').first().waitFor();

  await playUntil([typist], async (done) => {
    if (done) await keepsFocus(page, done);
    return done === "lead" || done === "follow";
  });
  await sheets(typist);
  await playUntil([typist], async (done) => {
    if (done) await keepsFocus(page, done);
    return done === "next";
  });
  await until(async () => typist.asked(await look(page)) === "discard", "the next round begins");
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
