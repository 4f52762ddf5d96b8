/** The hint that somebody reads at a table: asked for, found, better and better, and gone once the table moves on. */

import type { Analysis } from "../coach/analysis";
import type { HintTold } from "../net/local";

/** What a hint needs of a connection. */
interface Coach {
  askHint(): void;
  endHint(): void;
}

export class Hint {
  isOpen = $state(false);
  found = $state.raw<Analysis | null>(null);
  /** Nothing was found, and nothing will be. */
  hasFailed = $state(false);
  /** What the player is asked now; nothing, if it is not the player's turn. */
  #question = "";
  readonly #coach: () => Coach;

  constructor(coach: () => Coach) {
    this.#coach = coach;
  }

  ask(): void {
    if (!this.#question) return;
    [this.isOpen, this.found, this.hasFailed] = [true, null, false];
    this.#coach().askHint();
  }

  close(): void {
    if (!this.isOpen) return;
    [this.isOpen, this.found] = [false, null];
    this.#coach().endHint();
  }

  /** A hint is about one question: with another one it closes. */
  follow(question: string): void {
    if (question !== this.#question) this.close();
    this.#question = question;
  }

  /** Take what the table has told. What was found stays, also if it does not become better any more. */
  take({ found }: HintTold): void {
    if (!this.isOpen) return;
    if (found) this.found = found;
    else this.hasFailed = this.found === null;
  }
}
