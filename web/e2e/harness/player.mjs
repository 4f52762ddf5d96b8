// Somebody who plays by pointing: chooses any card and any color that the page offers.
import { check, until } from "./check.mjs";
import { handSize, look } from "./look.mjs";
import { patternOf, wordsOf } from "./words.mjs";

/** Questions, by the text that asks them. */
const ASKS = { discard: "ask_discard", bid: "ask_bid", lead: "ask_lead", follow: "ask_follow" };
const PATIENCE_MS = 60_000;
/** What browsers take for one place, and for one double tap. */
const [THUMB, TWICE_MS] = [100, 400];

export class Player {
  #moves = 0;
  #tapped = { at: 0, place: [0, 0] };

  /** `direct`: straight onto the board, without choosing a card first. */
  constructor(page, { language = "en", touch = false, direct = false } = {}) {
    Object.assign(this, { page, touch, direct });
    this.words = wordsOf(language);
    this.asks = Object.entries(ASKS).map(([ask, name]) => [ask, patternOf(language, name)]);
  }

  /** What is asked of this player: a kind of question, or nothing. */
  asked({ prompt }) {
    return this.asks.find(([, pattern]) => pattern.test(prompt))?.[0] ?? null;
  }

  async tap(locator, options) {
    if (!this.touch) return locator.click(options);
    await this.#liftThumb(locator, options);
    await locator.tap(options);
    this.#tapped.at = Date.now();
  }

  /** Two taps on one place in no time would be one double tap, which nobody means here. */
  async #liftThumb(locator, { timeout } = {}) {
    const box = await locator.boundingBox({ timeout });
    if (!box) return;
    const [here, last] = [[box.x + box.width / 2, box.y + box.height / 2], this.#tapped];
    const near = here.every((place, n) => Math.abs(place - last.place[n]) < THUMB);
    const since = Date.now() - last.at;
    if (near && since < TWICE_MS) await new Promise((resolve) => setTimeout(resolve, TWICE_MS - since));
    last.place = here;
  }

  button(name, inside = this.page) {
    return inside.getByRole("button", { name, exact: true });
  }

  /** Do the next thing, if there is one to be done; what was done is told. */
  async step() {
    const before = await look(this.page);
    if (before.sheet) return this.#leaveSheet(before.sheet);
    const ask = this.asked(before);
    if (!ask) return this.#openResult(before);
    if (ask === "discard") await this.discard(before);
    else if (ask === "bid") await this.bid(before);
    else await this.play(before);
    await this.#answered(before);
    return ask;
  }

  async discard({ hand }) {
    const card = any(hand.filter((one) => !one.dead));
    if (!card.chosen) await this.choose(card.rank);
    await this.tap(this.button(this.words("set_aside", { rank: card.rank })));
  }

  async bid({ bids }) {
    check(bids > 0, "a bid is asked for, but none can be made");
    await this.tap(this.page.locator(".bids button").nth(Math.floor(Math.random() * bids)));
  }

  /** A card, then its color: by a button, or every third time by the cell itself. */
  async play({ hand }) {
    const card = any(hand.filter((one) => !one.dead));
    check(card, "it is this player's turn, but no card can be played");
    if (this.direct) return this.#straight();
    if (!card.chosen) await this.choose(card.rank);
    this.#moves += 1;
    const way = this.#moves % 3 ? '.colors button[aria-disabled="false"]' : ".cell.lit";
    await this.tap(this.page.locator(way).first());
  }

  /** Straight onto the board; a cell that costs a color wants to be tapped twice. */
  async #straight() {
    await this.tap(this.page.locator(".cell.open").first());
    const again = this.page.locator(".cell.armed");
    if (await again.count()) await this.tap(again);
  }

  /** Neighbours cover the right part of a card, so it is touched at the left, as a thumb would. */
  async choose(rank) {
    await this.tap(this.page.locator(`[data-rank="${rank}"]`), { position: { x: 14, y: 30 } });
  }

  /** Wait until the table has taken it: a card is gone, or the question. */
  async #answered(before) {
    const size = handSize(before);
    const taken = (now) => (before.bids ? !now.bids : handSize(now) !== size || now.sheet);
    await until(async () => taken(await look(this.page)), `no answer to ${before.prompt}`);
  }

  async #leaveSheet({ title, buttons }) {
    const next = this.words("next_round");
    if (title === this.words("result_final")) return "final";
    if (title === this.words("paradox"))
      await this.tap(this.button(this.words("see_result"), this.page.locator("dialog[open]")));
    else if (buttons.includes(next)) await this.goOn(next);
    else return null; // the others are not ready yet
    return title === this.words("paradox") ? "paradox" : "next";
  }

  /** Go on to the next round; with that the button is gone, or waits for the others. */
  async goOn(next) {
    const button = this.button(next);
    await this.tap(button);
    await until(async () => !(await button.isEnabled({ timeout: 100 }).catch(() => false)), "the next round");
  }

  /** It opens by itself, too, and then the button lies under it. */
  async #openResult({ prompt }) {
    const over = [this.words("over_round"), this.words("over_game")].includes(prompt);
    if (over) await this.tap(this.button(this.words("see_result")), { timeout: 500 }).catch(() => null);
    return over ? "over" : null;
  }
}

/** Let everybody play until somebody has seen enough; `enough` is asked after every step. */
export async function playUntil(players, enough, ms = PATIENCE_MS) {
  const end = Date.now() + ms;
  for (;;) {
    let idle = true;
    for (const player of players) {
      const done = await player.step();
      if (await enough(done, player)) return;
      if (done && done !== "final") idle = false;
    }
    if (Date.now() > end) throw new Error(`in vain: the game does not go on\n${await stand(players)}`);
    if (idle) await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Let everybody play to the end of the game. */
export async function playOut(players, ms) {
  const done = new Set();
  await playUntil(
    players,
    (what, player) => what === "final" && done.add(player).size === players.length,
    ms,
  );
}

async function stand(players) {
  const all = await Promise.all(players.map((player) => look(player.page)));
  return all.map(({ prompt, top, sheet }) => `  ${top} | ${prompt} | ${sheet?.title ?? ""}`).join("\n");
}

const any = (things) => things[Math.floor(Math.random() * things.length)];
