/** The moment of a replay in the address, `#17`: a link to it can be copied from there. */

/** Safari throws at anyone who changes the address more than a hundred times in half a minute. */
const MOST = 60;
const WINDOW_MS = 30_000;
const LATER_MS = 1_000;

/** The moment that an address asks for; null if it asks for none. */
export function momentOf(hash: string): number | null {
  return /^#[0-9]{1,6}$/.test(hash) ? Number(hash.slice(1)) : null;
}

/** Writes moments down: at once, and once a second for anyone who runs through a game. */
export class Address {
  readonly #write: (moment: number) => void;
  #times: number[] = [];
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(write: (moment: number) => void) {
    this.#write = write;
  }

  show(moment: number): void {
    this.stop();
    const now = Date.now();
    this.#times = this.#times.filter((time) => time > now - WINDOW_MS);
    if (this.#times.length < MOST) this.#put(moment);
    else this.#later = setTimeout(() => this.#put(moment), LATER_MS);
  }

  /** The page is left: its address is no longer ours. */
  stop(): void {
    clearTimeout(this.#later);
  }

  #put(moment: number): void {
    this.#times.push(Date.now());
    this.#write(moment);
  }
}
