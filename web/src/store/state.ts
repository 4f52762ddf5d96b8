/** A table as far as this browser knows it, and the only way in which that changes. */

import type { Frame, FromServer, News, Snapshot, TableShown } from "../lib/wire";
import { remembered } from "./talk";

/** Everything the last snapshot said, and all frames since. */
export type TableState = Omit<Snapshot, "type">;

/** Take a message in. What is old, or about something else, changes nothing. */
export function reduce(state: TableState | null, message: FromServer): TableState | null {
  if (message.type === "Snapshot") {
    const { type: _, ...whole } = message;
    return whole;
  }
  return message.type === "Frame" && state && follows(state, message) ? advance(state, message) : state;
}

/** Whether a frame is the next one. */
const follows = (state: TableState, frame: Frame): boolean => frame.version === state.version + 1;

function advance(state: TableState, frame: Frame): TableState {
  const after = frame.news.reduce(tell, state);
  return { ...after, version: frame.version, at: frame.at, own: frame.own ?? state.own };
}

function tell(state: TableState, news: News): TableState {
  switch (news.type) {
    case "Seats":
      return { ...state, seats: news };
    case "Room":
      return { ...state, room: news };
    case "GameShown":
      return { ...state, game: news };
    case "RoundShown":
      return { ...state, round: news };
    case "Turn":
      return { ...state, turn: news };
    case "Spoken":
      return { ...state, chat: remembered([...state.chat, news], state.seats) };
    default:
      return state; // a happening: its effects are in the parts
  }
}

/** What can be drawn of a table; null before its first deal. */
export function drawable(state: TableState | null): TableShown | null {
  if (!state?.game || !state.round) return null;
  const { seat, seats, game, round, turn, own } = state;
  return { seat, seats, game, round, turn, own };
}

/** A table whose time is stopped: nobody is waited for, and nothing is legal. */
export const atRest = (table: TableShown): TableShown => ({
  ...table,
  turn: { ...table.turn, to_act: [] },
  own: table.own && { ...table.own, legal: [] },
});
