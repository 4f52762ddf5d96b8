/** What an action would have come to with the hands as they were: hindsight, which no seat had. */

import type { Action } from "../lib/scene";

export interface WouldBe {
  readonly action: Action;
  /** The own points, and half the width of their 95 % interval. */
  readonly points: number;
  readonly within: number;
  /** How often the seat would have caused a paradox, and earned its bonus. */
  readonly paradox: number;
  readonly bonus: number;
}
