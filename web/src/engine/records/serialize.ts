/** A game as the lines of its record, each a keyword and its words, and as the JSON twin of them. */

import type { GameRecord } from "../../net/replay";
import { isBid, isDiscard, notationOf } from "../notation";
import type { Round, Trick } from "../round";
import type { Evidence, Game } from "./game";

export const VERSION = "1";
export const FAIR_VERSION = "1"; // of fair deals
export const HOUSE_FACE = "face";
export const NOTHING = "-"; // of a seat that gave no nonce
export const UNKNOWN = "?"; // a seat that has not discarded yet, while a later one has

/** The lines about fair deals: all or none, in this order. */
export const PROMISE_LINES = ["fair", "table", "commitment", "nonces"] as const;

export type PlainLine = readonly [kind: string, words: readonly string[]];

/** The lines of a game. */
export function recordLines(game: Game): readonly PlainLine[] {
  const { names, edition, face, starter, evidence } = game.header;
  return [
    ["catinthebox", [VERSION]],
    ["players", [`${game.players}`]],
    ["names", names],
    ["edition", [edition]],
    ["face", [face.name]],
    ...(face.standard ? [] : face.rows.map((row): PlainLine => ["row", row])),
    ...lineIf(game.houseRules.length > 0, "house", [HOUSE_FACE]),
    ...(evidence ? promiseLines(evidence) : []),
    ["starter", [`${starter}`]],
    ...game.rounds.flatMap((round, n): readonly PlainLine[] => [["round", [`${n + 1}`]], ...roundLines(round)]),
    ...lineIf(game.over, "result", game.totals.map(String)),
    ...lineIf(game.over, "winners", game.winners.map(String)),
    ...lineIf(game.secret !== "", "secret", [game.secret]),
  ];
}

const lineIf = (wanted: boolean, kind: string, words: readonly string[]): readonly PlainLine[] =>
  wanted ? [[kind, words]] : [];

/** The lines about what was public before the first deal. */
const promiseLines = ({ table, commitment, nonces }: Evidence): readonly PlainLine[] => [
  ["fair", [FAIR_VERSION]],
  ["table", [table]],
  ["commitment", [commitment]],
  ["nonces", nonces.map((nonce) => nonce || NOTHING)],
];

/** The lines of a round: deal, discards, bids, tricks, how it ended. */
export function roundLines(round: Round): readonly PlainLine[] {
  const { deal, log, paradox, scores } = round;
  const discards = log.filter(isDiscard);
  const bids = log.filter(isBid).map(({ action }) => notationOf(action));
  return [
    ["deal", deal.hands],
    ...lineIf(deal.aside !== "", "aside", [deal.aside]),
    ...lineIf(discards.length > 0, "discards", discardWords(discards)),
    ...lineIf(bids.length > 0, "bids", bids),
    ...round.tricks.map((trick): PlainLine => ["trick", trickWords(trick)]),
    ...(paradox === null ? [] : lineIf(true, "paradox", [`${paradox}:`, round.hand(paradox).join("")])),
    ...(scores ? lineIf(true, "scores", scores.map(String)) : []),
  ];
}

function discardWords(discards: Round["log"]): readonly string[] {
  const last = discards.at(-1)?.seat ?? -1;
  return Array.from({ length: last + 1 }, (_, seat) => {
    const found = discards.find((play) => play.seat === seat);
    return found ? notationOf(found.action) : UNKNOWN;
  });
}

/** The words of a trick: '0: 5b 3b 4y >0' has a leader, plays and a winner. */
function trickWords({ plays, winner }: Trick): readonly string[] {
  const cards = plays.map(({ action }) => notationOf(action));
  return [`${plays[0]!.seat}:`, ...cards, ...(winner === null ? [] : [`>${winner}`])];
}

// ── JSON ───────────────────────────────────────────────────────────────────────────────────────

const NUMBERS = ["catinthebox", "players", "fair", "starter"];
const TEXTS = ["edition", "face", "house", "table", "commitment", "aside", "secret"];

/** A record as plain JSON values, under the same names (docs/records.md). */
export function recordObject(game: Game): GameRecord & Record<string, unknown> {
  const record: Record<string, unknown> = {};
  const rounds: Record<string, unknown>[] = [];
  for (const [kind, words] of recordLines(game)) {
    if (kind === "round") rounds.push({});
    else if (kind === "result") record["result"] = { totals: words.map(Number) };
    else if (kind === "winners") Object.assign(record["result"] as object, { winners: words.map(Number) });
    else put(kind === "secret" ? record : (rounds.at(-1) ?? record), kind, words);
    if (kind === "starter") record["rounds"] = rounds;
  }
  return record as unknown as GameRecord & Record<string, unknown>;
}

function put(place: Record<string, unknown>, kind: string, words: readonly string[]): void {
  const [first = "", second = ""] = words;
  if (kind === "row" || kind === "trick") {
    const many = (place[`${kind}s`] ??= []) as unknown[];
    many.push(kind === "row" ? words : trickObject(words));
  } else if (kind === "paradox") place[kind] = { seat: Number(first.slice(0, -1)), hand: second };
  else if (NUMBERS.includes(kind)) place[kind] = Number(first);
  else if (TEXTS.includes(kind)) place[kind] = first;
  else place[kind] = kind === "scores" ? words.map(Number) : words;
}

function trickObject(words: readonly string[]): Record<string, unknown> {
  const last = words.at(-1) ?? "";
  const won = last.startsWith(">");
  const trick = { leader: Number(words[0]?.slice(0, -1)), plays: words.slice(1, won ? -1 : undefined) };
  return won ? { ...trick, winner: Number(last.slice(1)) } : trick;
}
