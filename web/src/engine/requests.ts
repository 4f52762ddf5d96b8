/**
 * What the page may ask the worker, and what it answers. Messages carry what one seat may see, or what
 * everybody may; a round with all its cards never leaves the worker, unless the game is over.
 */

import type { WouldBe } from "../coach/hindsight";
import type { Par } from "../lib/daily";
import type { Asked, Insight } from "../lib/insight";
import type { Replayed } from "../net/replay";
import type { FoundDecision, FoundParadox, ReviewPlan } from "./coach/assemble";
import type { HindsightAsked } from "./coach/hindsight";
import type { DecisionAsked } from "./coach/review";
import type { DailySeats } from "./daily/derive";
import type { Reading, RecordSummary } from "./records/read";
import type { FinishedGame } from "./table/saved";

/** For every kind of question: what is asked, and what is answered. Both have to survive a postMessage. */
export interface Questions {
  /** Read a `.cat` record, and check every claim in it. */
  readRecord: { request: { readonly text: string }; answer: Reading<RecordSummary> };
  /** Play a record again, position by position, with every hand: the game is over. */
  replayRecord: { request: { readonly text: string }; answer: Reading<Replayed> };
  /** Write the record of a local game that was played to its end. */
  writeRecord: { request: { readonly game: FinishedGame }; answer: string };
  /** What the rules say about a table that is shown. */
  insight: { request: Asked; answer: Insight };
  /** Read a record, and say what a review of it judges. */
  reviewPlan: { request: { readonly text: string }; answer: Reading<ReviewPlan> };
  /** Judge a decision of a finished game; null if the network of the coach cannot be loaded. */
  reviewDecision: { request: DecisionAsked; answer: FoundDecision | null };
  /** Find out when a paradox could not be avoided any more. */
  reviewParadox: { request: { readonly text: string; readonly round: number }; answer: FoundParadox };
  /** What every action of a decision would have come to with all hands open. */
  hindsight: { request: HindsightAsked; answer: readonly WouldBe[] };
  /** Who sits where in the deal of a day. */
  dailySeats: { request: { readonly date: string }; answer: DailySeats };
  /** What the strongest player scores in the deal of a day. */
  dailyPar: { request: { readonly date: string }; answer: Par };
}

export type Kind = keyof Questions & string;
export type RequestOf<K extends Kind> = Questions[K] extends { request: infer R } ? R : never;
export type AnswerOf<K extends Kind> = Questions[K] extends { answer: infer A } ? A : never;

/** From the page to the worker. A port that is connected belongs to one local table. */
export type ToWorker =
  | { readonly type: "Ask"; readonly id: number; readonly kind: string; readonly request: unknown }
  | { readonly type: "Cancel"; readonly id: number }
  | { readonly type: "Connect"; readonly port: MessagePort }
  | { readonly type: "Ping" };

/** From the worker to the page. */
export type FromWorker =
  | { readonly type: "Ready" }
  | { readonly type: "Broken"; readonly lack: "wasm" | "load"; readonly message: string }
  | { readonly type: "Answer"; readonly id: number; readonly answer: unknown }
  | { readonly type: "Failed"; readonly id: number; readonly message: string }
  | { readonly type: "Pong" };
