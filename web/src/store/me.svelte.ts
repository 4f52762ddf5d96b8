/** Who plays in this browser: one secret, a name, and the seed of a drawn cat. No account. */

import { freshToken, isToken } from "../net/token";
import { keep, kept } from "./keep";

const NAME_SIZE = 24;

/** The secret of this browser, drawn on the first visit. */
export function myToken(): string {
  const known = kept("token");
  if (isToken(known)) return known;
  const token = freshToken();
  keep("token", token);
  return token;
}

/** A name as a table takes it: printable, no bar, not too long. */
export const tidyName = (text: string): string =>
  text
    .replace(/[|\p{C}]/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, NAME_SIZE);

class Me {
  #name = $state(tidyName(kept("name") ?? ""));
  #cat = $state(kept("cat") ?? "");

  constructor() {
    if (!this.#cat) this.anotherCat();
  }

  /** Empty until somebody has chosen one. */
  get name(): string {
    return this.#name;
  }

  set name(text: string) {
    this.#name = tidyName(text);
    keep("name", this.#name);
  }

  /** What the own cat is drawn from. */
  get cat(): string {
    return this.#cat;
  }

  anotherCat(): void {
    this.#cat = freshToken().slice(0, 8);
    keep("cat", this.#cat);
  }
}

export const me = new Me();
