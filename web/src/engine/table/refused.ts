/** Refusals of a local table, with the codes of the server: the page has a sentence for each. */

import {
  ALREADY_DISCARDED,
  BID_NOT_ALLOWED,
  BID_NOW,
  CELL_TAKEN,
  DISCARD_NOW,
  NO_BIDS_AT_TWO,
  NO_CARD,
  NO_CARD_TO_DISCARD,
  OTHERS_BID,
  OTHERS_TURN,
  PARADOX_ENDED,
  PLAY_NOW,
  RED_CLOSED,
  ROUND_ENDED,
  TOKEN_LOST,
} from "../generated/rules";
import type { RefusalCode } from "../../lib/refusals";
import { refusalSentence } from "../refusals";
import type { Round } from "../round";

/** A code of the list that Python and the page share, or one for mistakes of a program. */
export type LocalCode = RefusalCode | "input.action" | "table.local";

/** A command that is not carried out, and why. */
export class TableRefusal extends Error {
  override readonly name = "TableRefusal";

  constructor(
    readonly code: LocalCode,
    message: string,
    readonly clause = "",
  ) {
    super(message);
  }
}

/** Reason → code for programs, clause of the rules. */
const CODES: Readonly<Record<number, readonly [code: RefusalCode, clause: string]>> = {
  [ROUND_ENDED]: ["illegal.round_over", "R19"],
  [PARADOX_ENDED]: ["illegal.round_over", "R21"],
  [DISCARD_NOW]: ["illegal.discard_first", "R7"],
  [BID_NOW]: ["illegal.bid_first", "R8"],
  [PLAY_NOW]: ["illegal.play_now", "R11"],
  [NO_BIDS_AT_TWO]: ["illegal.no_bids", "R9"],
  [ALREADY_DISCARDED]: ["turn.already_discarded", "R7"],
  [NO_CARD_TO_DISCARD]: ["illegal.not_in_hand", "R7"],
  [OTHERS_BID]: ["turn.not_yours", "R8"],
  [BID_NOT_ALLOWED]: ["illegal.bid", "R8"],
  [OTHERS_TURN]: ["turn.not_yours", "R10"],
  [NO_CARD]: ["illegal.not_in_hand", "R11"],
  [CELL_TAKEN]: ["illegal.cell_taken", "R12"],
  [TOKEN_LOST]: ["illegal.token_lost", "R13"],
  [RED_CLOSED]: ["illegal.red_closed", "R14"],
};

/** The refusal of an action, for a reason that the rules gave. */
export function illegal(
  round: Round,
  seat: number,
  action: number,
  broken: number,
  names: readonly string[],
): TableRefusal {
  const [code, clause] = CODES[broken]!;
  return new TableRefusal(code, refusalSentence(round, seat, action, broken, names), clause);
}
