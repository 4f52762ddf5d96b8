/** A local table as it is kept: everything that is needed to go on, and what to check before. */

import { isDay, PLAYERS } from "../../lib/days";
import type { DealtHands } from "./chance";
import { isFace, type FaceName } from "./faces";

/** Who has a seat of a local table. */
export type LocalSeat =
  | { readonly kind: "person"; readonly name: string; readonly cat?: string }
  | { readonly kind: "bot"; readonly level: string };

/** What somebody wants to play on this device. */
export interface NewTable {
  readonly face: FaceName;
  readonly seats: readonly LocalSeat[];
  /** The deal of a day: cards and chance follow from the date. */
  readonly daily?: DailyGame;
  /** All who share the device have agreed that each of them may ask for hints. Alone, nobody else has to. */
  readonly hints?: boolean;
  /** Where it goes on from; without it, a game begins. */
  readonly from?: PlayedSoFar;
}

/** A game up to a decision: its rounds, the last one perhaps in the middle. */
export interface PlayedSoFar {
  readonly starter: number;
  readonly rounds: readonly RoundLog[];
}

/** Which day a daily game is of, which try it is (from 1), and when it began. */
export interface DailyGame {
  readonly date: string;
  readonly attempt: number;
  readonly began: number;
}

/** A round: how it was dealt, and what was done, in the order of time, as `SEAT:ACTION`. */
export interface RoundLog extends DealtHands {
  readonly moves: readonly string[];
}

/** A game that was played to its end: all that its record has. */
export interface FinishedGame {
  readonly names: readonly string[];
  readonly face: string;
  readonly edition: string;
  readonly starter: number;
  readonly rounds: readonly RoundLog[];
}

export const FORMAT = "catinthebox table 1";

/** A local table between two actions; it holds every hand, so it never leaves the worker. */
export interface SavedTable extends Omit<NewTable, "from"> {
  /** It is a finished game, played on from one of its decisions: it counts for nothing. */
  readonly again?: true;
  readonly format: typeof FORMAT;
  readonly id: string;
  /** When it last went on. */
  readonly at: number;
  /** How many events there were. */
  readonly version: number;
  /** The number of the game at this table; 0 before the first. */
  readonly game: number;
  /** The starter of the first round of the game. */
  readonly starter: number;
  /** The rounds of the game; the last one is in play, or was just played. */
  readonly rounds: readonly RoundLog[];
  /** The version at which the decision that is due was first due. */
  readonly turn: number;
  /** The seats that are ready to go on. */
  readonly ready: readonly number[];
}

/** What was kept cannot be read, or cannot have happened. */
export class Damaged extends Error {
  override readonly name = "Damaged";
}

/** Read what was kept; whether its moves are legal is for the table to find out. */
export function checkedTable(found: unknown): SavedTable {
  const table = found as SavedTable;
  must(table && typeof table === "object" && table.format === FORMAT, "it is not a table of this version");
  must(typeof table.id === "string" && isFace(table.face), "it has no id, or an unknown face");
  must(
    Array.isArray(table.seats) && table.seats.length >= 2 && table.seats.length <= 5,
    "it needs 2 to 5 seats",
  );
  must(table.seats.every(isSeat), "a seat has neither a person nor a bot");
  must(table.daily === undefined || isDaily(table), "it is no daily deal");
  must(["boolean", "undefined"].includes(typeof table.hints), "it does not say whether there are hints");
  must(table.again === undefined || table.again === true, "nobody knows whether it counts");
  for (const name of ["at", "version", "game", "starter", "turn"] as const) {
    must(Number.isSafeInteger(table[name]) && table[name] >= 0, `${name} is not a number`);
  }
  must(Array.isArray(table.ready) && Array.isArray(table.rounds), "its rounds are missing");
  must(
    table.starter < table.seats.length && table.rounds.length <= table.seats.length,
    "it has too many rounds",
  );
  must((table.game === 0) === (table.rounds.length === 0), "the round of its game is missing");
  must(
    table.rounds.every((round) => isRound(round, table.seats.length)),
    "a round is incomplete",
  );
  return table;
}

function must(holds: unknown, otherwise: string): asserts holds {
  if (!holds) throw new Damaged(otherwise);
}

const isSeat = (seat: LocalSeat): boolean =>
  seat?.kind === "person"
    ? typeof seat.name === "string" && ["string", "undefined"].includes(typeof seat.cat)
    : seat?.kind === "bot" && typeof seat.level === "string";

const isDaily = ({ daily, seats, face }: SavedTable): boolean =>
  isDay(`${daily?.date}`) &&
  Number.isSafeInteger(daily?.attempt) &&
  Number.isSafeInteger(daily?.began) &&
  seats.length === PLAYERS &&
  face === "white";

const isDigits = (text: unknown): boolean => typeof text === "string" && /^[1-9]*$/.test(text);

const isRound = (round: RoundLog, players: number): boolean =>
  Array.isArray(round?.hands) &&
  round.hands.length === players &&
  round.hands.every(isDigits) &&
  isDigits(round.aside) &&
  Array.isArray(round.moves) &&
  round.moves.every((move) => typeof move === "string");
