/** Chance of a local game: the browser's own, without bias. Nobody else plays, so nothing is promised. */

import { ASIDE, COPIES, DEALT, RANKS } from "../generated/rules";

/** Return a number from 0 to n - 1, each as likely as the others. */
export type Below = (n: number) => number;

const WORDS = 2 ** 32;

/** Draw from the browser's source of random bits; a word that would favor small numbers is drawn again. */
export const below: Below = (n) => {
  const most = WORDS - (WORDS % n);
  for (;;) {
    const [word] = crypto.getRandomValues(new Uint32Array(1));
    if (word! < most) return word! % n;
  }
};

/** A seed for the rules: 62 bits. */
export function drawnSeed(): bigint {
  const [word] = crypto.getRandomValues(new BigUint64Array(1));
  return word! >> 2n;
}

/** Hands by seat as digits, and at two players the cards left aside (R5, R6). */
export interface DealtHands {
  readonly hands: readonly string[];
  readonly aside: string;
}

/** Where the cards come from. */
export interface Dealer {
  /** Draw the first starter (R1). */
  starter(players: number): number;
  /** Deal a round; they count from 1. */
  deal(players: number, round: number): DealtHands;
}

/** Deal the whole deck at random; the rules say how many cards there are, and how many each gets. */
export function dealt(players: number, draw: Below = below): DealtHands {
  const deck = shuffled(deckFor(players), draw);
  const size = DEALT[players]!;
  const hand = (seat: number): string =>
    deck
      .slice(seat * size, (seat + 1) * size)
      .sort()
      .join("");
  const hands = Array.from({ length: players }, (_, seat) => hand(seat));
  return { hands, aside: deck.slice(players * size, players * size + ASIDE[players]!).join("") };
}

const deckFor = (players: number): string[] =>
  Array.from({ length: RANKS[players]! * COPIES }, (_, n) => `${Math.floor(n / COPIES) + 1}`);

/** Fisher and Yates: every order is as likely as any other. */
function shuffled(cards: string[], draw: Below): string[] {
  for (let last = cards.length - 1; last > 0; last -= 1) {
    const other = draw(last + 1);
    [cards[last], cards[other]] = [cards[other]!, cards[last]!];
  }
  return cards;
}
