// Somebody who plays without ever pointing: digits, letters, arrows, Tab, Enter and Escape.
import { check, until } from "./check.mjs";
import { look } from "./look.mjs";
import { Player } from "./player.mjs";

const LETTERS = ["r", "b", "y", "g"];

export class Typist extends Player {
  #moves = 0;

  press(key) {
    return this.page.keyboard.press(key);
  }

  /** Go on with Tab until something with this name has the focus. */
  async tabTo(name, most = 60) {
    for (let steps = 0; steps < most; steps += 1) {
      if ((await focused(this.page)).name === name) return;
      await this.press("Tab");
    }
    throw new Error(`Tab does not lead to “${name}”; it is at ${JSON.stringify(await focused(this.page))}`);
  }

  /** Every button is reached by Tab and pressed by Enter. */
  async tap(locator) {
    await this.tabTo(((await locator.getAttribute("aria-label")) ?? (await locator.innerText())).trim());
    await this.press("Enter");
  }

  async discard({ hand }) {
    const card = hand.find((one) => !one.dead);
    if (!card.chosen) await this.choose(card.rank);
    await this.press("Enter");
  }

  async bid() {
    await this.press("1");
  }

  async play({ hand }) {
    const card = hand.filter((one) => !one.dead).at(-1);
    check(card, "it is this player's turn, but no card can be played");
    if (!card.chosen) await this.choose(card.rank);
    const { choices } = await until(async () => {
      const seen = await look(this.page);
      return seen.choices.length && seen;
    }, "the colors of the chosen card");
    await this.press(LETTERS[choices.findIndex((choice) => choice.legal)]);
  }

  /** By its digit; every other time by walking there. */
  async choose(rank) {
    this.#moves += 1;
    if (this.#moves % 2) return this.press(`${rank}`);
    await this.tabToHand();
    await this.press("Home");
    while ((await focused(this.page)).rank !== rank) await this.press("ArrowRight");
    await this.press("Enter");
  }

  async tabToHand(most = 40) {
    for (let steps = 0; steps < most && !(await focused(this.page)).rank; steps += 1) await this.press("Tab");
    check((await focused(this.page)).rank, "Tab leads to the hand");
  }
}

/** What has the focus. */
export const focused = (page) =>
  page.evaluate(() => {
    const one = document.activeElement;
    return {
      name: one?.getAttribute("aria-label") ?? one?.innerText?.trim() ?? "",
      rank: Number(one?.dataset?.rank ?? 0),
      lost: !one || one === document.body || one === document.documentElement,
    };
  });
