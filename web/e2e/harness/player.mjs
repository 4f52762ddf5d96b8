// Somebody who plays by pointing: chooses any card and any color that the page offers.
import { check, PATIENCE_MS, until } from "./check.mjs";
import { handSize, look } from "./look.mjs";
import { patternOf, wordsOf } from "./words.mjs";

/** Questions, by the text that asks them. */
const ASKS = { discard: "ask_discard", bid: "ask_bid", lead: "ask_lead", follow: "ask_follow" };
/** A trick that was won, and the end of a round, are looked at for less than this. */
const LOOK_MS = 2_000;
/** What browsers take for one place, and for one double tap. */
const [THUMB, TWICE_MS] = [100, 400];

/** Contexts whose time runs as we say. */
const timed = new WeakSet();

export class Player {
  #moves = 0;
  #hurried = "";
  #tapped = { at: 0, place: [0, 0] };

  /** `direct`: straight onto the board, without choosing a card first. `patient`: time takes its time. */
  constructor(page, { language = "en", touch = false, direct = false, patient = false } = {}) {
    Object.assign(this, { page, touch, direct, patient });
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

  /** Do the next thing, if there is one to be done, by what is seen; what was done is told. */
  async step(before = null) {
    before ??= await look(this.page);
    if (before.sheet) return this.#leaveScreen(before.sheet);
    const ask = this.asked(before);
    if (!ask) return this.#lookOn(before);
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

  /** From one screen of the end of a round to the next; a sheet that lies over the table is not ours to leave. */
  async #leaveScreen({ screen, buttons }) {
    const [count, podium, next] = ["paradox_count", "see_podium", "next_round"].map((name) =>
      this.words(name),
    );
    if (screen === "victory") return "final";
    if (buttons.includes(count)) await this.tap(this.button(count));
    else if (buttons.includes(podium)) await this.tap(this.button(podium));
    else if (buttons.includes(next)) await this.goOn(next);
    else return null; // the others are not ready yet
    return screen === "paradox" ? "paradox" : buttons.includes(podium) ? "counted" : "next";
  }

  /** Go on to the next round; with that the button is gone, or waits for the others. */
  async goOn(next) {
    await this.tap(this.button(next));
    await until(async () => !(await look(this.page)).sheet?.buttons.includes(next), "the next round");
  }

  /** Nothing is asked: look at the trick that was won, or at how the round ended. */
  async #lookOn(now) {
    const over = this.isOver(now);
    if (over || now.trick.length === now.seats.length) await this.hurry(now);
    if (over) await this.#openResult();
    return over ? "over" : null;
  }

  isOver({ prompt }) {
    return [this.words("over_round"), this.words("over_game")].includes(prompt);
  }

  /** The counting opens by itself, too, and then the button lies under it; a paradox waits. */
  async #openResult() {
    const { sheet } = await look(this.page);
    if (sheet) return;
    const box = this.button(this.words("open_box"));
    const button = (await box.count()) ? box : this.button(this.words("see_result"));
    await this.tap(button, { timeout: 500 }).catch(() => null);
  }

  /** Wait for the end of a round: the counting opens by itself, a paradox waits until the box is opened. */
  async endOfRound() {
    const box = this.button(this.words("open_box"));
    return until(async () => {
      if (await box.count()) await this.tap(box, { timeout: 500 }).catch(() => null);
      return (await look(this.page)).sheet;
    }, "the result opens");
  }

  /** Let the time that something is looked at pass at once: once for all that is seen, the rest takes its time. */
  async hurry({ top, prompt, trick }, ms = LOOK_MS) {
    const sight = JSON.stringify([top, prompt, trick]);
    if (this.patient || sight === this.#hurried) return;
    this.#hurried = sight;
    const context = this.page.context();
    if (!timed.has(context)) await context.clock.install();
    timed.add(context);
    await context.clock.runFor(ms);
  }
}

/** Let everybody play until something was done; `enough` is asked after every step. */
export const playUntil = (players, enough) => go(players, () => false, enough);

/** Let everybody play until something is seen; `enough` is asked before every step, of what it would act on. */
export const playUntilSeen = (players, enough) => go(players, enough, () => false);

async function go(players, seen, done) {
  let last = Date.now();
  for (;;) {
    let idle = true;
    for (const player of players) {
      const now = await look(player.page);
      if (await seen(now, player)) return;
      const did = await player.step(now);
      if (await done(did, player)) return;
      if (did && did !== "final") idle = false;
    }
    if (!idle) last = Date.now();
    else if (Date.now() - last > PATIENCE_MS)
      throw new Error(`in vain: the game does not go on\n${await stand(players)}`);
    else await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Let everybody play to the end of the game. */
export async function playOut(players) {
  const done = new Set();
  await playUntil(players, (what, player) => what === "final" && done.add(player).size === players.length);
}

async function stand(players) {
  const all = await Promise.all(players.map((player) => look(player.page)));
  return all.map(({ prompt, top, sheet }) => `  ${top} | ${prompt} | ${sheet?.title ?? ""}`).join("\n");
}

const any = (things) => things[Math.floor(Math.random() * things.length)];
