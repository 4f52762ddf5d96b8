/** How a paradox is shown: the lights go out, the box opens, each card is laid on its cells and struck. */

import {
  COLORS,
  type Board,
  type Color,
  type ParadoxView,
  type Place,
  type Rank,
  type Reason,
} from "../lib/scene";

export type ParadoxStep =
  | { readonly kind: "dark" | "shake" | "open" | "verdict"; readonly hold: number }
  | { readonly kind: "card"; readonly card: number; readonly hold: number }
  | { readonly kind: "strike"; readonly card: number; readonly cell: number; readonly hold: number };

const DARK_MS = 300;
const SHAKE_MS = 600;
const OPEN_MS = 400;
const CARD_MS = 500;
const STRIKE_MS = 120;
const VERDICT_MS = 400;
/** However many cards there are, all of them together take no longer. */
const CARDS_MS = 2200;

/** Every step of it; less than four seconds at the usual speed. */
export function paradoxSteps({ cards }: ParadoxView): readonly ParadoxStep[] {
  const one = CARD_MS + COLORS.length * STRIKE_MS;
  const quick = Math.min(1, CARDS_MS / (one * Math.max(1, cards.length)));
  return [
    { kind: "dark", hold: DARK_MS },
    { kind: "shake", hold: SHAKE_MS },
    { kind: "open", hold: OPEN_MS },
    ...cards.flatMap((_, card): ParadoxStep[] => [
      { kind: "card", card, hold: CARD_MS * quick },
      ...COLORS.map((__, cell): ParadoxStep => ({ kind: "strike", card, cell, hold: STRIKE_MS * quick })),
    ]),
    { kind: "verdict", hold: VERDICT_MS },
  ];
}

/** A cell that one of the cards cannot be, and why. */
export interface StruckCell {
  readonly place: Place;
  readonly why: Reason | null;
  /** Which of the card's cells it is, from the top. */
  readonly order: number;
}

/** A card that can be nothing, and its cells on the board. */
export interface DoomedCard {
  readonly rank: Rank;
  readonly copies: number;
  readonly cells: readonly StruckCell[];
  /** Its cells lie below each other, so that the card can be laid over them; null where they do not (purple boards). */
  readonly column: number | null;
}

/** Lay the cards out on the board. */
export const doomedOn = (board: Board, { cards }: ParadoxView): readonly DoomedCard[] =>
  cards.map(({ rank, copies, reasons }) => {
    const places = board.places.filter((place) => place.rank === rank).sort((a, b) => a.row - b.row);
    const why = (color: Color): Reason | null =>
      reasons.find((reason) => reason.color === color)?.why ?? null;
    const columns = new Set(places.map((place) => place.column));
    return {
      rank,
      copies,
      cells: places.map((place, order) => ({ place, why: why(place.color), order })),
      column: columns.size === 1 ? (places[0]?.column ?? null) : null,
    };
  });

/** The colors that were given up and would have been a way out: the cell was free. */
export const waysOut = ({
  cards,
}: ParadoxView): readonly { readonly color: Color; readonly trick: number | null }[] =>
  COLORS.flatMap((color) => {
    const gaveUp = cards
      .flatMap((card) => card.reasons)
      .find((reason) => reason.color === color && reason.why.kind === "gave-up");
    return gaveUp?.why.kind === "gave-up" ? [{ color, trick: gaveUp.why.trick }] : [];
  });
