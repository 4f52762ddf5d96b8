// The tutorial from its first card to its end on a small phone, each step by the learner's own hands.
import { faults } from "../harness/axe.mjs";
import { check, same, until } from "../harness/check.mjs";
import { look, shown } from "../harness/look.mjs";
import { PHONES, STEPS, tooLarge } from "../harness/lessons.mjs";
import { Player } from "../harness/player.mjs";

const AGAIN = 3; // the step from which we go back once
const SMALL = PHONES.at(-1);
/** Offered after the end. */
const OPTIONAL = STEPS.findIndex(({ id }) => id.startsWith("two-"));

export default async function learn(world) {
  const page = await world.visitor("/", { viewport: SMALL, hasTouch: true });
  const learner = new Player(page, { touch: true });
  const m = learner.words;
  await learner.tap(page.getByRole("link", { name: m("home_learn") }));
  for (const [number, step] of STEPS.entries()) {
    if (number === OPTIONAL) await learner.tap(page.getByRole("button", { name: m("learn_two_offer") }));
    await reads(learner, step);
    if (number === 1) await refuse(learner, step);
    if (number === AGAIN) await goBack(learner, number);
    await take(learner, step);
  }
  await page.getByRole("heading", { name: m("learn_done") }).waitFor();
  await learner.tap(page.getByRole("button", { name: m("learn_first_game") }));
  await until(async () => learner.asked(await look(page)) === "discard", "a game begins");
  await watchBox(world);
}

/** While the box opens, no button leads on: a tap shows all of it at once, and nothing that it explains is passed over. */
async function watchBox(world) {
  const page = await world.visitor("/", { viewport: SMALL, settings: { speed: "normal" } });
  const learner = new Player(page);
  const m = learner.words;
  const next = learner.button(m("learn_next"));
  await page.evaluate(() => localStorage.setItem("catinthebox.learn", "paradox-seen"));
  await page.goto(`${world.base}/learn`);
  const box = learner.button(m("open_box"));
  await box.waitFor();
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await box.click();
  await shown(page, m("learn_paradox_open")).filter({ visible: true }).first().waitFor();
  await page.locator("[data-screen]").waitFor();
  same(await next.count(), 0, "a button leads on while the box opens");
  const place = await page.locator(".coach .go").boundingBox();
  await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
  await next.waitFor();
  check(
    await shown(page, m("learn_paradox_open")).filter({ visible: true }).first().isVisible(),
    "the words are passed over",
  );
  await next.click();
  await shown(page, m("learn_two_offer")).filter({ visible: true }).first().waitFor();
}

/** A step says what it is about, and all of it is in sight. */
async function reads({ page, words: m }, { id }) {
  const text = shown(page, m(`learn_${id.replaceAll("-", "_")}`))
    .filter({ visible: true })
    .first();
  await text.waitFor();
  for (const size of PHONES) {
    await page.setViewportSize(size);
    await fits(page, id);
    check(await inSight(text), `${id}: a part of its words is out of sight at ${size.width} pixels`);
  }
}

async function fits(page, where) {
  const fault = await tooLarge(page);
  check(!fault, `${where}: ${fault}`);
}

const inSight = (text) =>
  text.evaluate((node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  });

/** One step back, and the same way again. */
async function goBack(learner, number) {
  const before = STEPS[number - 1];
  await learner.tap(learner.button(learner.words("learn_back")));
  await reads(learner, before);
  await take(learner, before);
  await reads(learner, STEPS[number]);
}

/** Do what a step asks for. */
async function take(learner, { choose, then, sheet }) {
  const action = Object.keys(then ?? {})[0];
  if (sheet) {
    if (sheet === "paradox") await openBox(learner);
    await learner.page.locator("[data-screen]").waitFor();
    same(await faults(learner.page, sheet), [], "no fault on a screen that other walks meet by chance only");
  }
  if (choose) await learner.choose(choose);
  else if (!action)
    await learner.tap(learner.button(learner.words("learn_next")).filter({ visible: true }).last());
  else await act(learner, action);
}

/** Nothing else leads on until the box was opened; then the words are others. */
async function openBox(learner) {
  const { page, words: m } = learner;
  for (const name of ["learn_next", "see_result"])
    same(await learner.button(m(name)).count(), 0, `the box is still shut, but there is “${m(name)}”`);
  await learner.tap(learner.button(m("open_box")));
  await shown(page, m("learn_paradox_open")).filter({ visible: true }).first().waitFor();
}

async function act(learner, action) {
  const { page, words: m } = learner;
  const [sign, number] = action;
  if (sign === "=") return learner.tap(page.locator(".bids button").filter({ hasText: number }));
  const rank = Number(sign === "-" ? number : sign);
  const card = (await look(page)).hand.find((one) => one.rank === rank);
  check(card, `there is a ${rank} in the hand`);
  if (!card.chosen) await learner.choose(rank);
  for (const size of PHONES) {
    await page.setViewportSize(size);
    await fits(page, `${action}, chosen, at ${size.width} pixels`);
  }
  await learner.tap(
    sign === "-" ? learner.button(m("set_aside", { rank })) : page.locator(`.colors button.${number}`),
  );
}

/** Another color would be possible, too; the tutorial says so, and goes on waiting. */
async function refuse(learner, { then }) {
  const wanted = Object.keys(then)[0];
  const other = ["g", "y", "b"].find((color) => color !== wanted[1]);
  await learner.tap(learner.page.locator(`.colors button.${other}`));
  await shown(learner.page, learner.words("learn_not_this")).waitFor();
}
