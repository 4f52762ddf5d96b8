/** What everybody is told of an action, in order: the same words as the server's. */

import { FIRST_BID, LEADER, LEFT, NOBODY, PARADOX } from "../generated/rules";
import type { Announcement } from "../../lib/protocol";
import { isBid, isDiscard, notationOf, type Play } from "../notation";
import type { Round } from "../round";

/** Return the announcements of an action that was just carried out; `left` were the tricks to come before. */
export function acted(round: Round, play: Play, bot: boolean, left: number): Announcement[] {
  const told: Announcement[] = bot ? [{ type: "BotMoved", seat: play.seat }] : [];
  told.push(done(play));
  if (round.slot(LEFT) < left) told.push({ type: "TrickWon", seat: round.slot(LEADER) });
  return round.over ? [...told, ...ended(round)] : told;
}

function done(play: Play): Announcement {
  const { seat, action } = play;
  if (isDiscard(play)) return { type: "CardDiscarded", seat }; // R7: its rank is not shown
  if (isBid(play)) return { type: "BidMade", seat, number: action - FIRST_BID + 1 };
  return { type: "CardPlayed", seat, action: notationOf(action) };
}

function ended(round: Round): Announcement[] {
  const paradox = round.slot(PARADOX);
  const shown: Announcement[] =
    paradox === NOBODY ? [] : [{ type: "ParadoxShown", seat: paradox, hand: round.hand(paradox) }];
  return [...shown, { type: "RoundOver", scores: round.scores ?? [] }];
}

/** Tricks still to be completed. */
export const tricksLeft = (round: Round): number => round.slot(LEFT);
