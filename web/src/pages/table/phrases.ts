/** What can be said at a table, by the names the server knows. */

import { m } from "../../paraglide/messages.js";

const PHRASES: Readonly<Record<string, () => string>> = {
  hello: m.net_say_hello,
  thanks: m.net_say_thanks,
  sorry: m.net_say_sorry,
  well_played: m.net_say_well_played,
  good_game: m.net_say_good_game,
  your_turn: m.net_say_your_turn,
  thinking: m.net_say_thinking,
  back_soon: m.net_say_back_soon,
  laugh: m.net_say_laugh,
  wow: m.net_say_wow,
  oops: m.net_say_oops,
  paradox: m.paradox,
};

/** Emotes come with a cat. */
const CATS: Readonly<Record<string, string>> = {
  laugh: "cat-7",
  wow: "cat-8",
  oops: "cat-2",
  paradox: "logo",
};

export const phrases = Object.keys(PHRASES).filter((name) => !(name in CATS));
export const emotes = Object.keys(CATS);

/** What a phrase says; a text says itself. */
export const phraseWords = (text: string, preset: boolean): string =>
  preset ? (PHRASES[text]?.() ?? text) : text;

/** The cat of an emote; nothing for words. */
export const phraseCat = (text: string, preset: boolean): string | null =>
  preset ? (CATS[text] ?? null) : null;
