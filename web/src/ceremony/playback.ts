/**
 * Shows things one after the other, each for its time. Live tables, the tutorial, replays and the
 * ceremonies at the end of a round all run on it, so that a tap, a pause and a hurry mean the same
 * everywhere.
 */

/** Something to show, and for how long it is looked at before the next comes. */
export interface Cue {
  readonly show: () => void;
  /** In milliseconds; 0: the next cue follows at once. */
  readonly hold: number;
}

/** Cues that belong together; anyone in a hurry skips all of them but the first of the last entry. */
export type Entry = readonly Cue[];

export class Playback {
  /** Entries that have not begun. */
  #entries: Entry[] = [];
  /** The rest of the entry that is shown now. */
  #rest: Cue[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #holding = false;
  #paused = false;
  /** When the hold ends; while paused, how much of it is left. */
  #due = 0;
  #left = 0;

  /** Nothing is held, and nothing waits. */
  get idle(): boolean {
    return !this.#holding && !this.#rest.length && !this.#entries.length;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Show an entry: now, or after everything that was added before. */
  add(entry: Entry): void {
    this.#entries.push(entry);
    this.#run();
  }

  /** Show the next cue now. */
  skip(): void {
    this.#release();
    this.#run();
  }

  /**
   * Show all that waits now. The last entry begins as usual, unless it has begun already: what nobody
   * has seen yet is worth a look.
   */
  hurry(): void {
    this.#release();
    const last = this.#entries.pop();
    for (const cue of [...this.#rest, ...this.#entries.flat()]) cue.show();
    this.#rest = [];
    this.#entries = last ? [last] : [];
    this.#run();
  }

  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    clearTimeout(this.#timer);
    this.#left = Math.max(0, this.#due - Date.now());
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (this.#holding) this.#hold(this.#left);
    else this.#run();
  }

  /** Forget all that waits; what is shown stays. */
  clear(): void {
    this.#release();
    this.#rest = [];
    this.#entries = [];
  }

  #run(): void {
    while (!this.#holding && !this.#paused) {
      if (!this.#rest.length) this.#rest = [...(this.#entries.shift() ?? [])];
      const cue = this.#rest.shift();
      if (!cue) return;
      if (cue.hold > 0) this.#hold(cue.hold); // first, so that `show` may add, skip or clear
      cue.show();
    }
  }

  #hold(ms: number): void {
    this.#holding = true;
    this.#due = Date.now() + ms;
    this.#timer = setTimeout(() => this.skip(), ms);
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#holding = false;
    this.#left = 0;
  }
}
