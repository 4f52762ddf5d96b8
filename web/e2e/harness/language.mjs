// The client in one language: nothing of another one is left, and everything fits.
import { againstBots, openTable } from "./entry.mjs";
import { ownBarFits } from "./bar.mjs";
import { check, same } from "./check.mjs";
import { lessonsFit } from "./lessons.mjs";
import { look, shown } from "./look.mjs";
import { cutOff, overflow } from "./measure.mjs";
import { Player, playUntil } from "./player.mjs";
import { textsOf, wordsOf } from "./words.mjs";

const NARROW = { width: 360, height: 740 };

/** Go through the client in a language, beginning in another one. */
export async function inLanguage(world, language, name) {
  const m = wordsOf(language);
  const page = await world.visitor("/", { viewport: NARROW, hasTouch: true });
  await page.getByRole("button", { name, exact: true }).click();
  await shown(page, m("home_line")).waitFor();
  same(await page.evaluate(() => document.documentElement.lang), language, "the page says its language");
  const seen = (where) => speaks(page, language, where);
  await seen("the first page");

  const player = new Player(page, { language, touch: true });
  await againstBots(page, { players: 4, language });
  const asked = new Set();
  await playUntil([player], async (done) => {
    const now = await look(page);
    const state = now.sheet?.title ?? player.asked(now);
    if (state && !asked.has(state)) {
      asked.add(state);
      await seen(state);
    }
    return done === "next";
  });
  await player.tap(player.button(m("legend")));
  await seen(m("legend"));
  await page.keyboard.press("Escape");
  await player.tap(player.button(m("menu")));
  await seen(m("menu"));

  await ownBarFits(world, page);
  await lessonsFit(world, page);
  await page.goto(world.base + "/settings");
  await page.getByRole("heading", { name: m("page_settings") }).waitFor();
  await seen("the settings");
  await page.goto(world.base);
  await openTable(page, { players: 4, language });
  await seen("a table before its game");
}

/** No sentence of another language, nothing too wide, nothing cut off. */
async function speaks(page, language, where) {
  const leaks = foreign(language);
  const texts = await page.evaluate(visibleTexts);
  const found = texts.filter((text) => leaks.has(text));
  check(!found.length, `${where} says in English: ${found.join(" | ")}`);
  const raw = texts.filter((text) => /\{\w+\}|undefined|\[object/.test(text));
  check(!raw.length, `${where} says what was never meant to be read: ${raw.join(" | ")}`);
  const [wide] = await overflow(page);
  check(wide <= 0, `${where} is ${wide} pixels too wide`);
  const cut = await cutOff(page);
  check(!cut.length, `${where}: cut off:\n  ${cut.join("\n  ")}`);
}

/** English texts that say something else in this language. */
function foreign(language) {
  const [english, here] = [textsOf("en"), textsOf(language)];
  const known = new Set(Object.values(here));
  return new Set(
    Object.values(english).filter((text) => typeof text === "string" && text.length > 3 && !known.has(text)),
  );
}

/** In the page: everything that is read or read aloud. */
function visibleTexts() {
  const all = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility());
  const own = all.flatMap((one) =>
    [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data.trim()),
  );
  const labels = all.flatMap((one) =>
    ["aria-label", "title", "placeholder"].map((name) => one.getAttribute(name)),
  );
  return [document.title, ...own, ...labels].filter(Boolean);
}
