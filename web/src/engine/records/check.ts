/**
 * Checks a record: plays it again and compares every claim with what really happened. What must come
 * next is always known from the game so far, so exactly that line is asked for.
 */

import { BIDDING, DISCARDING, FINE, PHASE } from "../generated/rules";
import type { Engine } from "../module";
import { actionOf } from "../notation";
import { refusalSentence } from "../refusals";
import type { Round } from "../round";
import { dealProblems, type Game } from "./game";
import { allWords, digitsOf, readHeader } from "./header";
import { oneWord, RecordError, type Line, type Word } from "./lines";
import printed from "./printed.json";
import { quoted, shortened, written } from "./python_text";
import { recordLines, UNKNOWN } from "./serialize";

/** What a claim is called, and the clause that decides it. */
const CLAIMS = {
  leader: ["the leader of this trick", "R10"],
  winner: ["the winner of this trick", "R18"],
  paradox: ["the seat and hand of the paradox", "R20"],
  scores: ["the score", "R23"],
  result: ["the total", "R3"],
  winners: ["the list of winners", "R3"],
  round: ["the number of this round", "R1"],
} as const;
type Claim = keyof typeof CLAIMS;

/** Reason of the rules → code and clause of a refusal. */
const CODES: Readonly<Record<string, readonly string[]>> = printed.refusals;

/**
 * Play a record again and check every claim in it; any prefix after the header will do. `cut` says
 * that the record breaks off in its last line, which then may claim too little.
 */
export function check(engine: Engine, lines: readonly Line[], cut: boolean): Game {
  const reader = new Reader(lines, cut);
  reader.game = readHeader(engine, reader);
  while (reader.rest.length) readLine(reader, reader.take(nextKind(reader)));
  return reader.game;
}

/** The lines that remain, and the game so far. */
class Reader {
  rest: readonly Line[];
  last: Line | null = null;
  game!: Game;
  /** Dealt, while the cards left aside are still to come. */
  hands: readonly string[] = [];

  constructor(
    lines: readonly Line[],
    readonly breaksOff: boolean,
  ) {
    this.rest = lines;
  }

  take(kind: string): Line {
    const next = this.rest[0];
    if (!next) {
      const sentence = `the record ends before its header does: ${written(kind)} is missing`;
      throw new RecordError(this.last?.where ?? { line: 1, column: 1 }, sentence);
    }
    if (!kind) throw new RecordError(next.where, "the game is over; nothing comes after it");
    if (next.kind !== kind) {
      const sentence = `expected ${written(kind)} here, found ${shortened(next.kind)}`;
      throw new RecordError(next.where, sentence, wrongEnd(kind, next.kind));
    }
    this.rest = this.rest.slice(1);
    return (this.last = next);
  }

  takeAll(kind: string): readonly Line[] {
    const found: Line[] = [];
    while (this.rest[0]?.kind === kind) found.push(this.take(kind));
    return found;
  }

  /** The round being read. */
  get round(): Round {
    return this.game.round!;
  }

  /** Whether this is the last line: the game may not have gone on yet. */
  get ended(): boolean {
    return !this.rest.length;
  }

  /** Whether the record breaks off in the current line. */
  get cut(): boolean {
    return this.ended && this.breaksOff;
  }
}

/** The clause that is broken if a round ends at the wrong time or for a wrong reason. */
function wrongEnd(expected: string, found: string): string {
  const kinds = [expected, found];
  if (kinds.includes("paradox")) return "R20";
  return kinds.includes("trick") && kinds.includes("scores") ? "R19" : "";
}

/** The one kind of line that can follow; empty after the end of the game. */
function nextKind({ game, last, hands }: Reader): string {
  const { round } = game;
  if (last?.kind === "round") return "deal";
  if (hands.length) return "aside";
  if (!round || (last?.kind === "scores" && !game.over)) return "round";
  if (round.over) return kindAtEnd(game, round, last?.kind ?? "");
  const phase = round.slot(PHASE);
  return phase === DISCARDING ? "discards" : phase === BIDDING ? "bids" : "trick";
}

function kindAtEnd(game: Game, round: Round, last: string): string {
  const after: Readonly<Record<string, string>> = {
    scores: "result",
    result: "winners",
    winners: game.header.evidence ? "secret" : "",
    secret: "",
  };
  return after[last] ?? (round.paradox !== null && last !== "paradox" ? "paradox" : "scores");
}

/** Read a line of a round: play what it says, check what it claims. */
function readLine(reader: Reader, line: Line): void {
  const { game, cut } = reader;
  switch (line.kind) {
    case "round":
      return claim("round", [`${game.rounds.length + 1}`], line, cut);
    case "deal":
      return readDeal(reader, line);
    case "aside":
      if (line.words.length || !cut) deal(reader, line, oneWord(line).text);
      return;
    case "trick":
      return readTrick(reader, line);
    case "discards":
    case "bids":
      return readOpenPhase(reader, line);
    case "scores":
      return readScores(reader, line);
    case "secret":
      if (line.words.length || !cut) game.secret = digitsOf(oneWord(line));
      return;
    default:
      claim(line.kind as Claim, truth(game, line.kind), line, cut);
  }
}

/** Check the scores seat by seat; each has its own clause. */
function readScores({ game, round, cut }: Reader, line: Line): void {
  const expected = truth(game, "scores");
  line.words.forEach((word, seat) => {
    if (seat >= expected.length || word.text === expected[seat]) return;
    const sentence = `the score of seat ${seat} is ${expected[seat]}, not ${quoted(word.text)}`;
    throw new RecordError(word.where, sentence, scoreClause(round, seat));
  });
  claim("scores", expected, line, cut);
}

/** The clause that decides a seat's score. */
function scoreClause(round: Round, seat: number): string {
  if (round.paradox === seat) return "R24";
  if (!round.bonusEarned(seat)) return "R23";
  return round.players === 2 ? "R26" : "R25";
}

/** Read the hands; a deal that the end of the record cuts short has not begun. */
function readDeal(reader: Reader, line: Line): void {
  const hands = line.words.map((word) => word.text);
  const { players } = reader.game;
  if (hands.length < players && reader.cut) return;
  if (hands.length !== players)
    throw new RecordError(line.where, `${hands.length} hands for ${players} players`, "R5", "setup.players");
  reader.hands = hands;
  if (players !== 2) deal(reader, line, "");
}

/** Begin the round. */
function deal(reader: Reader, line: Line, aside: string): void {
  const { hands } = reader;
  reader.hands = [];
  const problems = dealProblems(hands, aside);
  if (problems[0])
    throw new RecordError(line.where, allWords(problems), problems[0].clause, problems[0].code);
  reader.game.deal(hands, aside);
}

/** Read the discards, by seat, or the bids, from the starter on. */
function readOpenPhase(reader: Reader, line: Line): void {
  const { round, game } = reader;
  const phase = round.slot(PHASE);
  line.words.forEach((word, seat) => {
    if (round.slot(PHASE) !== phase || seat >= game.players)
      throw new RecordError(word.where, `${line.kind} are complete; a new line begins here`);
    if (phase === BIDDING) act(round, word, round.turn!);
    else if (word.text !== UNKNOWN) act(round, word, seat);
  });
  if (round.slot(PHASE) === phase && !reader.ended)
    throw new RecordError(line.where, `${line.kind} of every seat are needed before the next line`);
}

/** Read a trick: leader, plays, winner. */
function readTrick(reader: Reader, line: Line): void {
  const { round } = reader;
  const words = [...line.words];
  const tricks = completed(round);
  const leader = words.shift();
  if (leader) claimWord("leader", `${round.leader}:`, leader);
  const winner = words.at(-1)?.text.startsWith(">") ? words.pop()! : null;
  for (const word of words) {
    if (completed(round) > tricks)
      throw new RecordError(word.where, "the trick is complete; a new line begins here", "R10");
    act(round, word, round.turn);
  }
  endTrick(reader, line, winner, completed(round) > tricks);
}

const completed = (round: Round): number => round.won.reduce((sum, won) => sum + won, 0);

function endTrick(reader: Reader, line: Line, winner: Word | null, complete: boolean): void {
  const { round } = reader;
  if (winner && complete) claimWord("winner", `>${round.leader}`, winner);
  else if (winner) throw new RecordError(winner.where, "nobody wins a trick that is not complete", "R18");
  else if (complete && !reader.cut)
    throw new RecordError(line.where, "the winner of this trick is missing", "R18");
  else if (!reader.ended && !round.over)
    throw new RecordError(line.where, "this trick must be complete before the next line", "R10");
}

/** Play an action of the record; a seat of null is that of nobody, after the end of a round. */
function act(round: Round, word: Word, seat: number | null): void {
  const action = actionOf(word.text);
  if (action === null) throw new RecordError(word.where, notAnAction(word.text));
  const who = seat ?? round.leader;
  const broken = round.broken(who, action);
  if (broken === FINE) return round.act({ seat: who, action });
  const [code, clause] = CODES[broken]!;
  const names = round.won.map((_, other) => `seat ${other}`);
  const sentence = refusalSentence(round, who, action, broken, names);
  throw new RecordError(word.where, sentence, clause, `record.${code}`);
}

function notAnAction(text: string): string {
  if (/^=\d+$/.test(text)) return `${text.slice(1, 10)} may not be bid; bids are numbers from 1 to 4`;
  const usage = "write -5 to discard, =2 to bid, 5b to play (rank 1-9, then r, b, y or g)";
  return `${shortened(text)} is not an action; ${usage}`;
}

/** The words that a claim should have; lines of a later round replace earlier ones. */
const truth = (game: Game, kind: string): readonly string[] =>
  recordLines(game).findLast(([found]) => found === kind)?.[1] ?? [];

/** Check the words of a claim one by one. */
function claim(kind: Claim, expected: readonly string[], line: Line, cut: boolean): void {
  const { words } = line;
  words.slice(0, expected.length).forEach((word, seat) => {
    claimWord(kind, expected[seat]!, word, kind === "result" ? ` of seat ${seat}` : "");
  });
  if (words.length > expected.length || (words.length < expected.length && !cut)) {
    const [subject, clause] = CLAIMS[kind];
    throw new RecordError(line.where, `${subject} should be: ${expected.join(" ")}`, clause);
  }
}

/** Check one word of a claim. */
function claimWord(kind: Claim, expected: string, word: Word, whose = ""): void {
  if (word.text === expected) return;
  const [subject, clause] = CLAIMS[kind];
  const [found, right] = [bare(word.text), bare(expected)];
  const words =
    found === right ? `written ${expected}, not ${quoted(word.text)}` : `${right}, not ${quoted(found)}`;
  throw new RecordError(word.where, `${subject}${whose} is ${words}`, clause);
}

const bare = (text: string): string => text.replaceAll(/^[>:]+|[>:]+$/g, "");
