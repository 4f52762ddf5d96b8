/** A frame's table as the rules hold it: a vector of integers. */

import type { Asked } from "../lib/insight";
import { COLORS, type Action, type Color } from "../lib/scene";
import {
  BID,
  COUNT_BITS,
  FREE,
  LANE,
  LANES,
  LED,
  LEGAL,
  MAY,
  NOBODY,
  OWN,
  PARADOX,
  RED_OPEN,
  ROW,
  SIZE,
  TRICK,
  WON,
  type Row,
} from "./generated/rules";
import type { Engine } from "./module";

/** The number of a cell, by the action that declares it: `5b`. */
export const cellOf = (action: Action): number =>
  LANE * COLORS.indexOf(action[1] as Color) + Number(action[0]) - 1;

/** The action that declares a cell. */
export const actionOf = (cell: number): Action => `${(cell % LANE) + 1}${COLORS[Math.floor(cell / LANE)]}`;

/** Whether an action, or a word of the round's moves, declares a card. */
export const declares = (action: string): boolean => /^[1-9][rbyg]$/.test(action);

/** The cells of a set, row by row: numbers are much faster than bigints. */
export function cellsIn(set: bigint): readonly number[] {
  const cells: number[] = [];
  for (let first = 0; first < LANES; first += LANE) {
    const lane = Number((set >> BigInt(first)) & BigInt(ROW));
    for (let place = 0; place < LANE; place += 1) if ((lane >> place) & 1) cells.push(first + place);
  }
  return cells;
}

const setOf = (actions: readonly Action[]): bigint =>
  actions.reduce((set, action) => set | (1n << BigInt(cellOf(action))), 0n);

const rowOf = (color: string): bigint => BigInt(ROW) << BigInt(LANE * COLORS.indexOf(color as Color));

/**
 * Write down what a table shows. Slots that only bots need stay empty: the strength of the trick's best card,
 * the cards set aside, whose turn it is.
 */
export function positionOf(engine: Engine, asked: Asked): Row {
  const { round } = asked;
  const s = engine.row(SIZE);
  engine.open_round(s, round.won.length, round.board[0]?.length ?? 0, 0, round.starter);
  giveHands(engine, s, asked);
  const slots = engine.view(s); // from here on nothing takes memory
  slots[FREE] = lying(round.board, ".");
  slots[TRICK] = setOf(round.trick.map((card) => card.action));
  slots[LED] = round.trick[0] ? rowOf(round.trick[0].action[1] ?? "") : 0n;
  slots[RED_OPEN] = BigInt(round.red_open);
  slots[PARADOX] = BigInt(round.end?.paradox ?? NOBODY);
  slots[LEGAL] = setOf((asked.own?.legal ?? []).filter(declares));
  for (let at = 0; at < round.won.length; at += 1) {
    slots[MAY + at] = [...(round.tokens[at] ?? "")].reduce((rows, color) => rows | rowOf(color), 0n);
    slots[OWN + at] = lying(round.board, `${at}`);
    slots[WON + at] = BigInt(round.won[at] ?? 0);
    slots[BID + at] = BigInt(round.bids[at] ?? 0);
  }
  return s;
}

/** The own hand, and the one that a paradox has opened (R22). */
function giveHands(engine: Engine, s: Row, { seat, own, round: { end } }: Asked): void {
  if (seat !== null && own) engine.give_hand(s, seat, countsOf(own.hand));
  if (end?.paradox != null) {
    engine.give_hand(s, end.paradox, countsOf(end.hand.map((rank) => ({ rank, copies: 1 }))));
  }
}

/** The cells of a board that have this mark. */
function lying(board: readonly string[], wanted: string): bigint {
  const cells = board.flatMap((row, color) =>
    [...row].flatMap((mark, place) => (mark === wanted ? [LANE * color + place] : [])),
  );
  return cells.reduce((set, cell) => set | (1n << BigInt(cell)), 0n);
}

/** Cards as counts per rank. */
const countsOf = (cards: readonly { readonly rank: number; readonly copies: number }[]): bigint =>
  cards.reduce((hand, { rank, copies }) => hand + (BigInt(copies) << BigInt(COUNT_BITS * (rank - 1))), 0n);
