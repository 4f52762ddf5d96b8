/** What the moves of a round tell: who played what in which trick. */

import type { Color, Played, Seat } from "./scene";

/** Read a played card, `5b`. */
export function played(seat: Seat, action: string): Played {
  return { seat, rank: Number(action[0]), color: action[1] as Color, action };
}

/** The cards of the round in tricks, from the first on; without the seats. */
export function cardsByTrick(moves: string, players: number): readonly (readonly Played[])[] {
  const cards = moves
    .split(/\s+/)
    .filter((word) => /^[1-9][rbyg]$/.test(word))
    .map((word) => played(-1, word));
  return Array.from({ length: Math.ceil(cards.length / players) }, (_, trick) =>
    cards.slice(trick * players, (trick + 1) * players),
  );
}

/** In which trick, from 1, a seat gave up a color: its card there was of another one (R16). */
export function gaveUpIn(
  moves: string,
  board: (color: Color, rank: number) => unknown,
  seat: Seat,
  color: Color,
  players: number,
): number | null {
  const tricks = cardsByTrick(moves, players);
  const index = tricks.findIndex(
    (cards) =>
      cards[0]?.color === color &&
      cards.some((card) => card.color !== color && board(card.color, card.rank) === seat),
  );
  return index < 0 ? null : index + 1;
}
