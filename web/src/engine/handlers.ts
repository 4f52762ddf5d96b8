/** Who answers which question: one explicit table. A handler is a function of the engine and the request. */

import { hindsightOf } from "./coach/hindsight";
import { reviewerOf } from "./coach/review";
import { dailySeats } from "./daily/derive";
import { parOfDay } from "./daily/par";
import { insightOf } from "./insight";
import type { Engine } from "./module";
import { logOf } from "./records/finished";
import { replayRecord } from "./records/positions";
import { readRecord } from "./records/read";
import { writeRecord } from "./records/write";
import type { AnswerOf, Kind, RequestOf } from "./requests";

/** Work of more than a millisecond looks at the signal between its slices (`slice.ts`). */
export type Handler<K extends Kind> = (
  engine: Engine,
  request: RequestOf<K>,
  signal: AbortSignal,
) => AnswerOf<K> | Promise<AnswerOf<K>>;

export type Handlers = { readonly [K in Kind]: Handler<K> };

export const HANDLERS: Handlers = {
  readRecord: (engine, { text }) => readRecord(engine, text),
  replayRecord: (engine, { text }) => replayRecord(engine, text),
  writeRecord: (engine, { game }) => writeRecord(engine, logOf(game)),
  insight: insightOf,
  reviewPlan: (engine, { text }) => reviewerOf(engine).plan(text),
  reviewDecision: (engine, asked, signal) => reviewerOf(engine).decide(asked, signal),
  reviewParadox: (engine, { text, round }) => reviewerOf(engine).paradox(text, round),
  hindsight: hindsightOf,
  dailySeats: (_, { date }) => dailySeats(date),
  dailyPar: (engine, { date }, signal) => parOfDay(engine, date, signal),
};
