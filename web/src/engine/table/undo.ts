/** Taking back. Alone against bots it goes back to the own last decision; bots decide again. */

import { DISCARDING, NOBODY, PHASE, SIZE } from "../generated/rules";
import { isDiscard, type Play } from "../notation";
import type { Round } from "../round";
import { TableRefusal } from "./refused";

/** Say why the last action of a seat cannot be taken back. `people` are the seats of this device. */
export function refuseUndo(
  round: Round | null,
  log: readonly Play[],
  seat: number,
  people: readonly number[],
): void {
  if (!round || round.over || !log.some((play) => play.seat === seat)) {
    throw new TableRefusal("table.undo_nothing", "you have done nothing in this round to take back");
  }
  if (people.length > 1) refuseAmongPeople(round, log, seat);
}

/** Among people it is as on the server: nobody else has acted since, and nothing hidden was shown. */
function refuseAmongPeople(round: Round, log: readonly Play[], seat: number): void {
  if (round.slot(PHASE) !== DISCARDING && log.at(-1)!.seat !== seat) {
    throw new TableRefusal("table.undo_late", "somebody else has acted since");
  }
  if (round.turn !== seat && revealedLegality(round)) {
    throw new TableRefusal("table.undo_shown", "the next seat could play, which was not certain");
  }
}

/** Whether the turn revealed that the seat on turn can declare something (R20). */
function revealedLegality({ engine, state }: Round): boolean {
  return engine.within(() => {
    const shown = engine.row(SIZE);
    engine.observe(state, NOBODY, shown);
    return Number(engine.uncertain(shown, engine.unseen(shown))) !== NOBODY;
  });
}

/** Return what stays: everything before the last decision of a seat, and the discards of others (R7). */
export function withoutLast(log: readonly Play[], seat: number): readonly Play[] {
  const last = log.findLastIndex((play) => play.seat === seat);
  return [...log.slice(0, last), ...log.slice(last + 1).filter(isDiscard)];
}
