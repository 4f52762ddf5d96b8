/** Who plays in this browser: one secret, a name, and the seed of a drawn cat. No account. */

import { freshToken, isToken } from "../net/token";
import { keep, kept } from "./keep";

/** As many characters as a name may have here. */
export const NAME_SIZE = 24;

/** Names of cats, the same in every language: anyone who has not said a name goes by one of them. */
export const CAT_NAMES: readonly string[] = [
  ...["Minka", "Tora", "Luna", "Mochi", "Felix", "Nala", "Momo", "Simba", "Kuro", "Mimi", "Pixel", "Sora"],
  ...["Tiger", "Yuki", "Bella", "Coco", "Hana", "Oskar", "Kiki", "Leo", "Maru", "Nino", "Suki", "Ziggy"],
];

/** Cats to choose from, each by what it is drawn from (`pages/parts/cat.ts`). No two of them look alike. */
export const CATS: readonly string[] = [
  ...["minka", "tora", "yuki", "pixel", "coco", "boots", "karlo", "erwin", "mochi"],
  ...["nala", "simba", "kuro", "kiki", "maru", "shadow", "patch", "socks", "azuki"],
];

/** The secret of this browser, drawn on the first visit. */
export function myToken(): string {
  const known = kept("token");
  if (isToken(known)) return known;
  const token = freshToken();
  keep("token", token);
  return token;
}

/** What bots are called, at tables and in every language of this client: nobody else may be. */
export const BOT_NAMES: readonly string[] = [
  ...["gentle", "steady", "sharp", "fierce", "uncanny"],
  ...["Quark", "Muon", "Myon", "Photon", "Gluon", "Boson"],
  ...["クォーク", "ミュオン", "フォトン", "グルーオン", "ボソン"],
];

/** A name as a table takes it: in its plainest form, nothing invisible, no bar, not too long. */
export const tidyName = (text: string): string => {
  const words = text
    .normalize("NFKC")
    .replace(/[|\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, "")
    .normalize("NFKC")
    .replace(/\s+/g, " ")
    .trim();
  return [...words].slice(0, NAME_SIZE).join("").trim();
};

/** A name that nobody at a table has, nor a bot: the own one, or the same with a number after it. */
export function freeName(name: string, taken: readonly string[]): string {
  const others = new Set([...taken, ...BOT_NAMES].map((one) => one.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? "" : ` ${number}`;
    const one = [...name].slice(0, NAME_SIZE - end.length).join("") + end;
    if (!others.has(one.toLowerCase())) return one;
  }
}

const oneOf = (some: readonly string[]): string => some[Math.floor(Math.random() * some.length)]!;

class Me {
  #name = $state(tidyName(kept("name") ?? ""));
  #cat = $state(kept("cat") ?? "");

  constructor() {
    if (!this.#name) this.name = "";
    if (!this.#cat) this.cat = oneOf(CATS);
  }

  /** The name somebody has chosen; until then, one that was drawn by chance. */
  get name(): string {
    return this.#name;
  }

  set name(text: string) {
    this.#name = tidyName(text) || oneOf(CAT_NAMES);
    keep("name", this.#name);
  }

  /** What the own cat is drawn from. */
  get cat(): string {
    return this.#cat;
  }

  set cat(seed: string) {
    this.#cat = seed;
    keep("cat", seed);
  }
}

export const me = new Me();
