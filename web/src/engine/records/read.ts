/** Reads `.cat` records: every claim in one is checked, so a record that reads is correct. */

import type { Engine } from "../module";
import type { Round } from "../round";
import { check } from "./check";
import type { Game } from "./game";
import { RecordError, split, type Problem } from "./lines";
import { textOf } from "./write";

/** What came of a round, for statistics. */
export interface CountedRound {
  /** Points by seat. */
  readonly points: readonly number[];
  /** By seat, whether its bid earned the bonus; null where nothing is bid. */
  readonly kept: readonly (boolean | null)[];
  /** The seat that caused a paradox. */
  readonly paradox: number | null;
}

/** What a list of games shows of a record. */
export interface RecordSummary {
  readonly names: readonly string[];
  /** By seat, empty for a seat that gave none; none at all without a promise of fair deals. */
  readonly nonces: readonly string[];
  readonly face: string;
  readonly totals: readonly number[];
  readonly winners: readonly number[];
  /** Whether the game was played to its end. */
  readonly over: boolean;
  /** Its finished rounds; null if they were not counted, because a server has read the record. */
  readonly rounds: readonly CountedRound[] | null;
  /** The record as the writer writes it: without comments, in its own spacing. */
  readonly text: string;
}

/** A record that was read, or what is wrong with it. */
export type Reading<T> =
  { readonly ok: true; readonly found: T } | { readonly ok: false; readonly problem: Problem };

/** Read a record and use the game, which is gone afterwards; a wrong record is told, not thrown. */
export function reading<T>(engine: Engine, text: string, use: (game: Game) => T): Reading<T> {
  try {
    return { ok: true, found: engine.within(() => use(check(engine, split(text), !text.endsWith("\n")))) };
  } catch (error) {
    if (error instanceof RecordError) return { ok: false, problem: error.problem };
    throw error;
  }
}

/** Read a record for a list of games. */
export const readRecord = (engine: Engine, text: string): Reading<RecordSummary> =>
  reading(engine, text, summary);

const summary = (game: Game): RecordSummary => ({
  names: game.header.names,
  nonces: game.header.evidence?.nonces ?? [],
  face: game.header.face.name,
  totals: game.totals,
  winners: game.winners,
  over: game.over,
  rounds: game.rounds.flatMap(counted),
  text: textOf(game),
});

/** Count a round; nothing of one that goes on. */
function counted(round: Round): readonly CountedRound[] {
  const { scores, bids, paradox } = round;
  if (!scores) return [];
  const kept = bids.map((bid, seat) => (bid ? round.bonusEarned(seat) : null));
  return [{ points: scores, kept, paradox }];
}
