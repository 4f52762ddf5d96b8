/** What to expect, corrected: careful rollouts are too sure of themselves (`coach/calibration.py`, docs/coach.md). */

import { CORRECTIONS, DISCARDING, HAND, PHASE, PROSPECT, SIZE, WON } from "../generated/rules";
import type { Engine } from "../module";
import { copiesIn } from "../round";
import type { Sight } from "../table/sight";

type Line = readonly [number, number];

/** The corrections at one decision; none, if what was found is to be left as it is. */
export class Calibration {
  /** How much of the round is left: 1 at its beginning, 0 in its last trick. */
  readonly #left: number;
  /** The bonus is out of reach, whatever happens. */
  readonly #isBonusLost: boolean;
  readonly #lines: (typeof CORRECTIONS)[number];

  constructor(engine: Engine, { view, seat, players }: Sight, isCorrected: boolean) {
    const cards = copiesIn(Number(view[HAND + seat])).reduce((sum, copies) => sum + copies, 0);
    const tricks = cards - (Number(view[PHASE]) === DISCARDING ? 2 : 1);
    const won = view.slice(WON, WON + players).map(Number);
    const all = won.reduce((sum, each) => sum + each, tricks);
    this.#left = isCorrected ? (tricks - 1) / (all - 1) : 0;
    this.#isBonusLost = engine.within(() => Boolean(engine.bonus_lost(engine.row(SIZE, view), seat)));
    this.#lines = CORRECTIONS[players]!;
  }

  /** Expected points, moved towards what is usual. */
  points(found: number): number {
    const [intercept, slope] = this.#lines.points;
    return found + this.#left * (intercept + slope * found);
  }

  /** The width of their interval. */
  width(found: number): number {
    return (1 + this.#left * this.#lines.points[1]) * found;
  }

  /** The mean of a column over some worlds: the chances of a paradox and of the bonus are corrected, others are as found. */
  chance(column: number, found: number, worlds: number): number {
    if (column === PROSPECT.caused) return this.#chance(this.#lines.paradox, found, worlds);
    if (column !== PROSPECT.kept || this.#isBonusLost) return found;
    return this.#chance(this.#lines.bonus, found, worlds);
  }

  /** A chance of 0 or 1 counts as half a world less. */
  #chance([intercept, slope]: Line, found: number, worlds: number): number {
    if (this.#left === 0) return found;
    const share = (found * worlds + 0.5) / (worlds + 1);
    const odds = Math.log(share / (1 - share));
    return 1 / (1 + Math.exp(-(odds + this.#left * (intercept + slope * odds))));
  }
}
