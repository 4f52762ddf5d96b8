/** What happens at a table, as whole sentences, for screen readers. */

import type { Color } from "../lib/scene";
import { colorWord, listed } from "../lib/words";
import type { News } from "../lib/wire";
import { m } from "../paraglide/messages.js";
import { namesAt } from "./names";
import type { TableState } from "./state";

/** The sentence of some news; empty for what is not worth a word, or is said elsewhere (presence.ts). */
export function sentenceOf(state: TableState, news: News): string {
  switch (news.type) {
    case "RoundDealt":
      return m.net_told_dealt({ round: news.number });
    case "CardDiscarded":
      return mine(state, news.seat) ? m.net_told_you_set() : m.net_told_set(who(state, news.seat));
    case "BidMade":
      return mine(state, news.seat)
        ? m.net_told_you_bid({ bid: news.number })
        : m.net_told_bid({ ...who(state, news.seat), bid: news.number });
    case "CardPlayed":
      return playedWords(state, news.seat, news.action);
    case "TrickWon":
      return mine(state, news.seat) ? m.net_told_you_won() : m.net_told_won(who(state, news.seat));
    case "ParadoxShown":
      return paradoxWords(state, news.seat, news.hand.length);
    case "RoundOver":
      return m.over_round();
    case "GameOver":
      return m.net_told_over({ names: listed(news.winners.map((seat) => who(state, seat).name)) });
    default:
      return toldOfPeople(state, news);
  }
}

function paradoxWords(state: TableState, seat: number, count: number): string {
  return mine(state, seat)
    ? m.net_told_you_paradox({ count })
    : m.net_told_paradox({ ...who(state, seat), count });
}

function toldOfPeople(state: TableState, news: News): string {
  switch (news.type) {
    case "TimeOut":
      return mine(state, news.seat) ? m.net_told_you_late() : m.net_told_late(who(state, news.seat));
    case "TakenBack":
      return mine(state, news.seat) ? m.net_told_you_undid() : m.net_told_undid(who(state, news.seat));
    case "UndoEnded":
      return m.net_told_undo_ended();
    default:
      return "";
  }
}

function playedWords(state: TableState, seat: number, action: string): string {
  const card = m.card_as({ color: colorWord(action[1] as Color), rank: Number(action[0]) });
  return mine(state, seat) ? m.net_told_you_play({ card }) : m.net_told_play({ ...who(state, seat), card });
}

const mine = (state: TableState, seat: number): boolean => state.seat === seat;

const who = (state: TableState, seat: number): { name: string } => ({
  name: mine(state, seat) ? m.you() : (namesAt(state)[seat] ?? ""),
});
