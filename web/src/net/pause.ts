/** How long to wait before the next attempt, so that a server is not stormed when it comes back. */

const FIRST_MS = 300;
const LONGEST_MS = 15_000;

/** Twice as long each time, and a little different for everybody; `chance` is from 0 to 1. */
export function pause(attempt: number, chance: number): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 10));
  return whole * (0.6 + 0.8 * chance);
}
