/**
 * What the rules say about a table beside what the server sends: the engine works it out (engine/insight.ts),
 * and the scene draws it. Cells are written as the action that declares them: `5b`.
 */

import type { Action, Color, Effect, Reason } from "./scene";
import type { TableShown } from "./wire";

/** As much of a table as the rules are asked about: nothing that its seat may not see. */
export interface Asked {
  readonly seat: number | null;
  readonly game: Pick<TableShown["game"], "face" | "totals" | "winners">;
  readonly round: TableShown["round"];
  readonly turn: Pick<TableShown["turn"], "to_act">;
  readonly own: TableShown["own"];
}

/** What the rules are asked about a table. */
export function askedOf({ seat, game, round, turn, own }: TableShown): Asked {
  const { face, totals, winners } = game;
  return { seat, game: { face, totals, winners }, round, turn: { to_act: turn.to_act }, own };
}

export interface BoardInsight {
  /** For a cell with a player's token, the cells that touch it and have a token of the same seat. */
  readonly joined: Readonly<Record<Action, readonly Action[]>>;
  /** The cells of every seat's largest group, if that is more than one token (R27). */
  readonly grouped: readonly Action[];
}

/** Why a card of the own hand cannot be a color, and what it would do; null if it is not the seat's turn. */
export interface OptionInsight {
  readonly why: Reason | null;
  readonly effects: readonly Effect[] | null;
}

export interface Insight {
  readonly board: BoardInsight;
  readonly options: Readonly<Record<Action, OptionInsight>>;
  /** What the cards of the current and the last trick could have been besides what they are. */
  readonly could: Readonly<Record<Action, readonly Color[]>>;
  /** By seat, the colors that it gave up, and in which trick (R16). */
  readonly gaveUp: readonly (readonly { readonly color: Color; readonly trick: number }[])[];
  /** Why a causer's cards can be nothing (R22). */
  readonly paradox: Readonly<Record<Action, Reason>>;
  /** By seat, once the round is over: the bonus, null if there is none (R24 to R27). */
  readonly bonuses: readonly (number | null)[] | null;
  /** By seat, once the round is over: the bonus that a paradox has cost it, null if it has cost none (R24). */
  readonly lost: readonly (number | null)[] | null;
  /** Equal totals at the top were decided by the last round (R3). */
  readonly tieBreak: boolean;
}

/** As much of an insight as still holds when something has happened since. */
export const stale = (insight: Insight): Insight => ({
  ...{ options: {}, could: {}, gaveUp: insight.gaveUp, paradox: {} },
  ...{ bonuses: null, lost: null, tieBreak: false },
  board: insight.board,
});
