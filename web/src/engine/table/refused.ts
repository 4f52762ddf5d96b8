/** Refusals of a local table, with the codes of the server: the page has a sentence for each. */

import type { RefusalCode } from "../../lib/refusals";
import printed from "../records/printed.json";
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
const CODES: Readonly<Record<string, readonly string[]>> = printed.refusals;

/** The refusal of an action, for a reason that the rules gave. */
export function illegal(
  round: Round,
  seat: number,
  action: number,
  broken: number,
  names: readonly string[],
): TableRefusal {
  const [code, clause] = CODES[broken]!;
  return new TableRefusal(code as RefusalCode, refusalSentence(round, seat, action, broken, names), clause);
}
