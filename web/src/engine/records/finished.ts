/** A local game that was played to its end, as what a record is written of. */

import { actionOf } from "../notation";
import type { FinishedGame } from "../table/saved";
import { faceNamed } from "./face";
import type { GameLog } from "./game";

/** Return the log of a game; a move that is none is an error. */
export function logOf({ names, face, edition, starter, rounds }: FinishedGame): GameLog {
  return {
    names,
    edition,
    face: faceNamed(face),
    starter,
    evidence: null,
    rounds: rounds.map(({ hands, aside, moves }) => ({ hands, aside, actions: moves.map(playOf) })),
    secret: "",
  };
}

/** Read a move such as `0:5b`. */
function playOf(move: string): { readonly seat: number; readonly action: number } {
  const action = actionOf(move.slice(2));
  if (action === null) throw new Error(`${move} is no move`);
  return { seat: Number(move[0]), action };
}
