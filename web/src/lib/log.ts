/** The log of a round, read from its moves. Whose a card was, the token on its cell tells; who won, who led next. */

import { ownerAt } from "./face";
import type { Insight } from "./insight";
import type { Color, Rank, TrickLog } from "./scene";
import type { RoundShown } from "./wire";

type Shown = Pick<RoundShown, "moves" | "board" | "won" | "leader" | "trick">;

/** The tricks of a round, the first one first. */
export function logOf(round: Shown, gaveUp: Insight["gaveUp"] | null): readonly TrickLog[] {
  const plays = round.moves.split(/\s+/).flatMap((move) => playIn(round, move));
  const size = round.won.length;
  const tricks = Array.from({ length: Math.ceil(plays.length / size) }, (_, at) =>
    plays.slice(at * size, (at + 1) * size),
  );
  return tricks.map((cards, at) => ({
    number: at + 1,
    plays: cards.map((card) => ({ ...card, gaveUp: lostBy(gaveUp, card.seat, at + 1) })),
    winner: cards.length < size ? null : (tricks[at + 1]?.[0]?.seat ?? round.leader),
  }));
}

function playIn(round: Shown, move: string): { seat: number; rank: Rank; color: Color }[] {
  const [, rank, color] = /^([1-9])([rbyg])$/.exec(move) ?? [];
  if (!rank || !color) return []; // a bid, a card set aside, a hand that was opened
  const seat = ownerAt(round.board, color as Color, Number(rank));
  return typeof seat === "number" ? [{ seat, rank: Number(rank), color: color as Color }] : [];
}

const lostBy = (gaveUp: Insight["gaveUp"] | null, seat: number, trick: number): Color | null =>
  gaveUp?.[seat]?.find((one) => one.trick === trick)?.color ?? null;
