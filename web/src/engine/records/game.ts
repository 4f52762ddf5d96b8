/** A whole game on the rules of the module: its header, its rounds, its result. */

import { ASIDE, COPIES, DEALT, RANKS, type Row } from "../generated/rules";
import type { Engine } from "../module";
import { bitsOf, Round } from "../round";
import { touchOf, type Face } from "./face";
import printed from "./printed.json";
import { isName, shortened, written } from "./python_text";
import type { Play } from "../notation";

/** What was promised about the deals, before anybody sent a nonce (docs/fairness.md). */
export interface Evidence {
  readonly table: string;
  readonly commitment: string;
  /** By seat; empty for a seat that gave none. */
  readonly nonces: readonly string[];
}

/** Who plays where and how. */
export interface Header {
  readonly names: readonly string[];
  readonly edition: string;
  readonly face: Face;
  /** The starter of round 1. */
  readonly starter: number;
  readonly evidence: Evidence | null;
}

/** A game as it was played, as data: what a record is written of. */
export interface GameLog extends Header {
  readonly rounds: readonly {
    readonly hands: readonly string[];
    readonly aside: string;
    readonly actions: readonly Play[];
  }[];
  /** What the cards were drawn from; empty if it is not known. */
  readonly secret: string;
}

/** Something that is wrong with a header or a deal: a code, the clause of the rules, a sentence. */
export interface SetupProblem {
  readonly code: string;
  readonly clause: string;
  readonly message: string;
}

export const EDITIONS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> =
  printed.editions;
const PRINTED_FIRST = Object.keys(EDITIONS)[0]!;

export class Game {
  readonly rounds: Round[] = [];
  secret = "";
  readonly #touch: Row;

  constructor(
    readonly engine: Engine,
    readonly header: Header,
  ) {
    this.#touch = touchOf(engine, header.face);
  }

  /** Play a game again. */
  static of(engine: Engine, log: GameLog): Game {
    const game = new Game(engine, log);
    for (const { hands, aside, actions } of log.rounds) {
      game.deal(hands, aside);
      for (const play of actions) game.round?.act(play);
    }
    game.secret = log.secret;
    return game;
  }

  get players(): number {
    return this.header.names.length;
  }

  /** The round in play, or the one just finished; null before the first deal. */
  get round(): Round | null {
    return this.rounds.at(-1) ?? null;
  }

  /** Whether every seat has been starter once and the last round has ended (R1, R2). */
  get over(): boolean {
    return this.rounds.length === this.players && this.round!.over;
  }

  /** Begin the next round with known hands; its starter is the next one (R2). */
  deal(hands: readonly string[], aside: string): void {
    const before = this.round?.deal.starter;
    const starter =
      before === undefined ? this.header.starter : Number(this.engine.next_starter(before, this.players));
    const sorted = hands.map((hand) => [...hand].sort().join(""));
    this.rounds.push(new Round(this.engine, { hands: sorted, aside, starter }, this.#touch));
  }

  /** The points of every finished round. */
  get scores(): readonly (readonly number[])[] {
    return this.rounds.flatMap((round) => (round.scores ? [round.scores] : []));
  }

  /** Points so far. */
  get totals(): readonly number[] {
    const { scores } = this;
    return this.header.names.map((_, seat) => scores.reduce((sum, points) => sum + points[seat]!, 0));
  }

  /** Who wins, once the game is over (R3); several seats share a victory. */
  get winners(): readonly number[] {
    if (!this.over) return [];
    const { engine, players } = this;
    const seats = engine.within(() =>
      engine.winners(engine.row(players, this.totals), engine.row(players, this.scores.at(-1)!), players),
    );
    return bitsOf(seats);
  }

  /** What this table plays differently from its edition (R31). */
  get houseRules(): readonly string[] {
    return houseRules(this.header);
  }
}

export function houseRules({ names, edition, face }: Header): readonly string[] {
  const faces = EDITIONS[edition]?.[names.length] ?? [];
  if (face.standard && faces.includes(face.name)) return [];
  return [
    `the ${face.name} face is not printed for ${names.length} players in the ` +
      `${edition} edition; there it is ${faces.join(" or ")}`,
  ];
}

// ── What is wrong ──────────────────────────────────────────────────────────────────────────────

/** Everything that is wrong with a header. */
export function headerProblems(header: Header, players: number, house: boolean): readonly SetupProblem[] {
  const { names, edition, starter, evidence } = header;
  const counts = Object.keys(EDITIONS[edition]!);
  const known = counts.includes(`${players}`);
  const problems: SetupProblem[] = [];
  const add = (code: string, clause: string, message: string): unknown =>
    problems.push({ code, clause, message });
  if (!known) {
    const clause = edition === PRINTED_FIRST ? "R1" : "R34";
    add(
      "setup.players",
      clause,
      `the ${edition} edition is for ${counts.join(", ")} players, not ${players}`,
    );
  } else if (names.length !== players)
    add("setup.names", "R1", `${names.length} names for ${players} players`);
  for (const name of names.filter((one) => !isName(one)))
    add("setup.names", "R1", `${shortened(name, 60)} is not a name: 1 to 40 printable characters, no '|'`);
  if (starter >= Math.max(players, 1))
    add("setup.starter", "R1", `starter ${starter} is not a seat; seats are 0 to ${players - 1}`);
  if (evidence && evidence.nonces.length !== players)
    add("setup.nonces", "R5", `${evidence.nonces.length} nonces for ${players} players; an empty one counts`);
  if (known && !house) for (const rule of houseRules(header)) add("setup.face", "R31", rule);
  return problems;
}

/** Everything that is wrong with a deal. */
export function dealProblems(hands: readonly string[], aside: string): readonly SetupProblem[] {
  const players = hands.length;
  const [size, left] = [DEALT[players]!, ASIDE[players]!];
  const sizes = hands.flatMap((hand, seat) =>
    [...hand].length === size
      ? []
      : [problem("hand_size", `seat ${seat} has ${[...hand].length} cards; it should have ${size}`)],
  );
  const over =
    [...aside].length === left
      ? []
      : [problem("aside", `${[...aside].length} cards are left aside; it should be ${left}`, "R6")];
  return [...sizes, ...over, ...cardProblems(hands, aside)];
}

function* cardProblems(hands: readonly string[], aside: string): Generator<SetupProblem> {
  const ranks = RANKS[hands.length]!;
  const known = [..."123456789"].slice(0, ranks);
  const places = [
    ...hands.map((hand, seat) => [`seat ${seat}`, hand] as const),
    ["the cards left aside", aside] as const,
  ];
  for (const [where, cards] of places)
    for (const card of [...new Set(cards)].filter((one) => !known.includes(one)).sort())
      yield problem("rank", `${where}: ${written(card)} is not a rank; ranks are 1 to ${ranks}`);
  const all = [...hands.join(""), ...aside];
  for (const card of known) {
    const copies = all.filter((one) => one === card).length;
    if (copies > COPIES)
      yield problem("copies", `rank ${card} appears ${copies} times; there are five of each`);
  }
}

const problem = (name: string, message: string, clause = "R5"): SetupProblem => ({
  code: `setup.${name}`,
  clause,
  message,
});
