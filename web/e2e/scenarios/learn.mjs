// The tutorial from its first card to its end, each step by the learner's own hands.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { faults } from "../harness/axe.mjs";
import { check, same, until } from "../harness/check.mjs";
import { look } from "../harness/look.mjs";
import { Player } from "../harness/player.mjs";

const STEPS = JSON.parse(readFileSync(join(import.meta.dirname, "../../src/pages/learn/steps.json"), "utf8"));

export default async function learn(world) {
  const page = await world.visitor("/", { viewport: { width: 390, height: 844 }, hasTouch: true });
  const learner = new Player(page, { touch: true });
  const m = learner.words;
  await learner.tap(page.getByRole("link", { name: m("home_learn") }));
  for (const [number, step] of STEPS.entries()) {
    const text = m(`learn_${step.id.replaceAll("-", "_")}`);
    await page.getByText(text).filter({ visible: true }).first().waitFor();
    if (number === 1) await refuse(learner, step);
    await take(learner, step);
  }
  await page.getByRole("heading", { name: m("learn_done") }).waitFor();
  await learner.tap(page.getByRole("button", { name: m("learn_first_game") }));
  await until(async () => learner.asked(await look(page)) === "discard", "a game begins");
}

/** Do what a step asks for. */
async function take(learner, { choose, then, sheet }) {
  const action = Object.keys(then ?? {})[0];
  if (sheet) {
    await learner.page.locator("dialog[open]").waitFor();
    same(await faults(learner.page, sheet), [], "no fault on a sheet that other walks meet by chance only");
  }
  if (sheet === "paradox") await learner.tap(learner.button(learner.words("see_result")).last());
  if (choose) await learner.choose(choose);
  else if (!action)
    await learner.tap(learner.button(learner.words("learn_next")).filter({ visible: true }).last());
  else await act(learner, action);
}

async function act(learner, action) {
  const { page, words: m } = learner;
  const [sign, number] = action;
  if (sign === "=") return learner.tap(page.locator(".bids button").filter({ hasText: number }));
  const rank = Number(sign === "-" ? number : sign);
  const card = (await look(page)).hand.find((one) => one.rank === rank);
  check(card, `there is a ${rank} in the hand`);
  if (!card.chosen) await learner.choose(rank);
  await learner.tap(
    sign === "-" ? learner.button(m("set_aside", { rank })) : page.locator(`.colors button.${number}`),
  );
}

/** Another color would be possible, too; the tutorial says so, and goes on waiting. */
async function refuse(learner, { then }) {
  const wanted = Object.keys(then)[0];
  const other = ["g", "y", "b"].find((color) => color !== wanted[1]);
  await learner.tap(learner.page.locator(`.colors button.${other}`));
  await learner.page.getByText(learner.words("learn_not_this")).waitFor();
}
