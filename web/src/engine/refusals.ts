/** Why the rules refuse something, in a sentence: what was wrong, and what would be right. */

import {
  ALREADY_DISCARDED,
  BID_NOT_ALLOWED,
  BID_NOW,
  BIDS,
  CELL_TAKEN,
  DISCARD_NOW,
  FIRST_BID,
  FIRST_DISCARD,
  LANE,
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
} from "./generated/rules";
import { COLOR_NAMES, declared } from "./notation";
import { bitsOf, NEUTRAL, type Round } from "./round";

/** Return the sentence for a reason that the rules gave. */
export function refusalSentence(
  round: Round,
  seat: number,
  action: number,
  broken: number,
  names: readonly string[],
): string {
  const { color, rank } = declared(action);
  switch (broken) {
    case CELL_TAKEN:
    case TOKEN_LOST:
      return `${causeSentence(round, seat, { color, rank }, broken, names, "you")}; ${stillPossible(round, seat, rank)}`;
    case RED_CLOSED:
      return `red may not be led before somebody has declared red; ${stillPossible(round, seat, rank)}`;
    case NO_CARD:
      return `you hold no ${rank}; your hand is ${round.hand(seat).join(" ")}`;
    case NO_CARD_TO_DISCARD:
      return `you hold no ${action - FIRST_DISCARD + 1}; your hand is ${round.hand(seat).join(" ")}`;
    case BID_NOT_ALLOWED:
      return `${action - FIRST_BID + 1} may not be bid; allowed are ${bidWords(round.players)}`;
    default:
      return momentSentence(round, broken, names);
  }
}

/** Explain a refusal that is about the moment rather than the card. */
function momentSentence(round: Round, broken: number, names: readonly string[]): string {
  const turn = round.turn === null ? "" : `it is ${names[round.turn]}'s turn`;
  const causer = round.paradox === null ? "" : names[round.paradox];
  const sentences: Readonly<Record<number, string>> = {
    [ROUND_ENDED]: "the round is over",
    [PARADOX_ENDED]: `the round is over: ${causer} caused a paradox`,
    [DISCARD_NOW]: "everybody sets one card aside first; write -5 to discard a 5",
    [BID_NOW]: `now the bids are made; allowed are ${bidWords(round.players)}`,
    [PLAY_NOW]: "discards and bids are made; write 5b to play a 5 as blue",
    [NO_BIDS_AT_TWO]: "two players do not bid; write 5b to play a 5 as blue",
    [ALREADY_DISCARDED]: "this seat has set its card aside already",
    [OTHERS_BID]: `${turn} to bid`,
    [OTHERS_TURN]: turn,
  };
  return sentences[broken] ?? "";
}

const bidWords = (players: number): string => bitsOf(BigInt(BIDS[players] ?? 0)).join(", ");

/** Say what the card could be instead. */
function stillPossible(round: Round, seat: number, rank: number): string {
  const colors = round
    .legal(seat)
    .map(declared)
    .filter((play) => play.rank === rank);
  const words = colors.map(({ color }) => COLOR_NAMES[color]!);
  if (!words.length) return `your ${rank} cannot be played now, choose another card`;
  const last = words.pop();
  return `your ${rank} can still be ${words.length ? `${words.join(", ")} or ` : ""}${last}`;
}

/** Why a card cannot be a color: somebody's token lies there, or the color was given up. */
function causeSentence(
  round: Round,
  seat: number,
  { color, rank }: { readonly color: number; readonly rank: number },
  broken: number,
  names: readonly string[],
  who: string,
): string {
  if (broken !== CELL_TAKEN)
    return `${who} gave up ${COLOR_NAMES[color]} in trick ${round.lostIn(seat, color)}`;
  const owner = round.owner(color, rank);
  const token = owner === null || owner === NEUTRAL ? "a neutral token" : names[owner];
  return `${COLOR_NAMES[color]} ${rank} is already on the board (${token})`;
}

/** Explain a paradox: one line for the hand, then one for each card (R22). */
export function paradoxSentences(round: Round, seat: number, names: readonly string[]): readonly string[] {
  const who = names[seat] ?? "";
  const hand = round.hand(seat);
  const causes = (rank: number): string =>
    COLOR_NAMES.map((_, color) => {
      const broken = Number(round.engine.broken_play(round.state, seat, color * LANE + rank - 1));
      return causeSentence(round, seat, { color, rank }, broken, names, who);
    }).join("; ");
  return [
    `${who} cannot play any of ${hand.join(" ")}:`,
    ...[...new Set(hand)].map((rank) => `${rank}: ${causes(rank)}`),
  ];
}
