/** What is remembered of a finished game: its rounds, their boards, and where it can be watched. */

import type { Board } from "../lib/scene";
import type { RoundPlayed } from "./highlights";

export interface Remembered {
  readonly rounds: readonly RoundPlayed[];
  /** The board at the end of each round. */
  readonly boards: readonly Board[];
  /** Where anybody can watch the game; null if nobody else can. */
  readonly link: string | null;
}

/** Where a game is remembered. */
export interface Memory {
  /** Its rounds; null if they cannot be had now. */
  recall(): Promise<Remembered | null>;
}
