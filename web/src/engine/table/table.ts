/**
 * One local game: it carries out commands, and says what happened in the messages of the protocol.
 * Its events, versions and messages are those of the server's table for the same deals and actions.
 */

import { DISCARDING, FINE, PHASE, type Row } from "../generated/rules";
import type { Announcement, ClientCommand, Frame, Own, Shared, Snapshot } from "../../lib/protocol";
import type { Engine } from "../module";
import { actionOf, notationOf, type Play } from "../notation";
import { dealProblems } from "../records/game";
import { Round } from "../round";
import { acted, tricksLeft } from "./announce";
import { dailyDealer } from "../daily/derive";
import { below, dealt, type Dealer, type DealtHands } from "./chance";
import { touchRow } from "./faces";
import { ownShown } from "./render";
import { illegal, TableRefusal, type LocalCode } from "./refused";
import { Damaged, FORMAT, type FinishedGame, type NewTable, type RoundLog, type SavedTable } from "./saved";
import { gameShown, publicParts, seatName, SETTINGS, stageOf, type PublicParts } from "./shown";
import { refuseUndo, withoutLast } from "./undo";

export type { Dealer };

const CHANCE: Dealer = { starter: (players) => below(players), deal: (players) => dealt(players) };

/** Who looks: a seat, with its cards or covered; null sees what everybody sees. */
export interface Audience {
  readonly seat: number | null;
  readonly open: boolean;
}

/** One event, as every audience will be told. */
export interface Step {
  readonly version: number;
  readonly at: number;
  readonly news: readonly (Announcement | Shared)[];
  /** By seat: its own cards, if they have changed. */
  readonly owns: readonly (Own | null)[];
  /** The command behind it, told to the seat that sent it. */
  ack: { readonly seat: number; readonly id: string } | null;
}

/** A table that nobody has played at yet, or one that goes on where a finished game was. */
export function opened(id: string, { from, ...wanted }: NewTable, at: number): SavedTable {
  const version = wanted.seats.length + 1; // it was opened, and everybody has sat down
  const fresh = { format: FORMAT, id, ...wanted, at, version, ready: [] } as const;
  if (!from) return { ...fresh, game: 0, starter: 0, rounds: [], turn: 0 };
  return { ...fresh, again: true, game: 1, ...from, turn: version };
}

export class LocalTable {
  #saved: SavedTable;
  #round: Round | null = null;
  /** The points of the finished rounds of this game. */
  #scores: readonly (readonly number[])[] = [];
  #parts: PublicParts;
  #owns: readonly string[] = [];
  #steps: Step[] = [];
  readonly #touch: Row;

  /** Go on at a table; moves that cannot have happened are an error (`Damaged`). */
  constructor(
    readonly engine: Engine,
    saved: SavedTable,
    readonly now: () => number = Date.now,
    readonly dealer: Dealer = saved.daily ? dailyDealer(saved.daily.date) : CHANCE,
  ) {
    this.#saved = saved;
    this.#touch = touchRow(engine, saved.face);
    saved.rounds.forEach((log, n) => this.#again(log, n));
    this.#owns = this.#ownTexts();
    this.#parts = this.#public();
  }

  // ── What there is ──────────────────────────────────────────────────────────────────────────

  /** Everything that has to be kept; it holds every hand. */
  get saved(): SavedTable {
    return this.#saved;
  }

  get round(): Round | null {
    return this.#round;
  }

  get players(): number {
    return this.#saved.seats.length;
  }

  get stage(): ReturnType<typeof stageOf> {
    return stageOf(this.#saved, this.#round);
  }

  /** The seats whose people share this device. */
  get people(): readonly number[] {
    return this.#saved.seats.flatMap((who, seat) => (who.kind === "person" ? [seat] : []));
  }

  /** The points of every seat before the round in play. */
  get totalsBefore(): readonly number[] {
    const before = this.#scores.slice(0, this.#saved.rounds.length - 1);
    return this.#saved.seats.map((_, seat) => before.reduce((sum, points) => sum + points[seat]!, 0));
  }

  get roundsLeft(): number {
    return this.players - this.#saved.rounds.length;
  }

  /** What was done in this round, in the order of time. */
  get moves(): readonly Play[] {
    return (this.#saved.rounds.at(-1)?.moves ?? []).map(readMove);
  }

  /** The bots whose move is due, by seat. */
  get botsDue(): readonly { readonly seat: number; readonly level: string }[] {
    if (this.stage !== "play") return [];
    return this.#round!.toAct.flatMap((seat) => {
      const who = this.#saved.seats[seat]!;
      return who.kind === "bot" ? [{ seat, level: who.level }] : [];
    });
  }

  /** The game, once it is over. */
  get finished(): FinishedGame | null {
    if (this.stage !== "over") return null;
    const { seats, face, starter, rounds } = this.#saved;
    return { names: seats.map(seatName), face, edition: SETTINGS.edition, starter, rounds };
  }

  // ── What is told ───────────────────────────────────────────────────────────────────────────

  /** Everything an audience may know. */
  snapshot({ seat, open }: Audience): Snapshot {
    const { seats, room, game, round, turn } = this.#parts;
    const { id, version, at, face } = this.#saved;
    const settings = { ...SETTINGS, undo: !this.#saved.daily, players: this.players, face };
    const own = seat !== null && open && this.#round ? ownShown(this.#round, seat) : null;
    return {
      type: "Snapshot",
      version,
      at,
      table: id,
      settings,
      seats,
      room,
      game,
      round,
      turn,
      chat: [],
      seat,
      own,
    };
  }

  /** An event as an audience is told. */
  frame({ version, at, news, owns, ack }: Step, { seat, open }: Audience): Frame {
    const own = seat !== null && open ? (owns[seat] ?? null) : null;
    return { type: "Frame", version, at, news, own, ack: ack && ack.seat === seat ? ack.id : "" };
  }

  // ── Commands ───────────────────────────────────────────────────────────────────────────────

  /** Carry out a command of a seat; return what happened, or throw a `TableRefusal`. */
  do(command: ClientCommand, seat: number, id = ""): readonly Step[] {
    this.#steps = [];
    this.#carry(command, seat);
    const last = this.#steps.at(-1);
    if (last && id) last.ack = { seat, id };
    return this.#steps;
  }

  #carry(command: ClientCommand, seat: number): void {
    switch (command.type) {
      case "Start":
        return this.#start();
      case "Act":
        return this.#act(command.action, command.turn ?? null, seat);
      case "Ready":
        return this.#goOn("between", "table.not_between", "the round is not over yet");
      case "Rematch":
        return this.#goOn("over", "table.not_over", "the game is not over");
      case "AskUndo":
        return this.#undo(seat);
      default:
        throw new TableRefusal("table.local", "that is for tables with others");
    }
  }

  #start(): void {
    if (this.stage !== "lobby") throw new TableRefusal("table.begun", "the game has begun already");
    this.#begin();
    this.#deal();
  }

  #act(notation: string, turn: number | null, seat: number): void {
    const action = actionOf(notation);
    if (action === null) throw new TableRefusal("input.action", `${notation} is no action`);
    if (this.stage === "lobby") throw new TableRefusal("table.not_begun", "the game has not begun");
    if (this.stage === "over") throw new TableRefusal("table.over", "the game is over; ask for a rematch");
    if (turn !== null && turn !== this.#saved.turn) {
      throw new TableRefusal("table.stale", "this move was for an earlier turn; see whose turn it is now");
    }
    const round = this.#round!;
    const broken = round.broken(seat, action);
    const names = this.#saved.seats.map((_, number) => `seat ${number}`);
    if (broken !== FINE) throw illegal(round, seat, action, broken, names);
    this.#play({ seat, action });
  }

  /** People who share a device look at the result together, so one of them speaks for all. */
  #goOn(stage: "between" | "over", code: LocalCode, otherwise: string): void {
    if (this.stage !== stage) throw new TableRefusal(code, otherwise);
    if (stage === "over" && (this.#saved.daily || this.#saved.again))
      throw new TableRefusal("table.local", "a daily deal, or a game that is played on, is one game");
    for (const seat of this.people) this.#event([], { ready: [...this.#saved.ready, seat] });
    if (stage === "over") this.#begin();
    this.#deal();
  }

  // ── Events ─────────────────────────────────────────────────────────────────────────────────

  #begin(): void {
    const [starter, game] = [this.dealer.starter(this.players), this.#saved.game + 1];
    this.#round = null;
    this.#scores = [];
    this.#event([{ type: "GameBegan", number: game, starter }], { starter, game, rounds: [], ready: [] });
  }

  #deal(): void {
    const deal = this.dealer.deal(this.players, this.#saved.rounds.length + 1);
    const rounds = [...this.#saved.rounds, { ...deal, moves: [] }];
    const number = rounds.length;
    this.#round = this.#dealt(deal, number - 1);
    const starter = this.#round.deal.starter;
    const change = { rounds, ready: [], turn: this.#saved.version + 1 };
    this.#event([{ type: "RoundDealt", number, starter }], change);
  }

  #play(play: Play): void {
    const [round, left] = [this.#round!, tricksLeft(this.#round!)];
    const bot = this.#saved.seats[play.seat]!.kind === "bot";
    round.act(play);
    const told: Announcement[] = acted(round, play, bot, left);
    if (round.scores) this.#scores = [...this.#scores, round.scores];
    const rounds = withMoves(this.#saved.rounds, [...this.moves, play]);
    const waiting = round.slot(PHASE) === DISCARDING; // R7: all decide at the same time; the others go on
    const change = { rounds, turn: waiting ? this.#saved.turn : this.#saved.version + 1 };
    if (stageOf({ ...this.#saved, ...change }, round) === "over") {
      const { totals, winners } = gameShown(this.engine, { ...this.#saved, ...change }, this.#scores, round);
      told.push({ type: "GameOver", totals, winners });
    }
    this.#event(told, change);
  }

  #undo(seat: number): void {
    if (this.#saved.daily) throw new TableRefusal("table.undo_off", "in a daily deal nothing is taken back");
    refuseUndo(this.#round, this.moves, seat, this.people);
    const moves = withoutLast(this.moves, seat);
    const rounds = withMoves(this.#saved.rounds, moves);
    this.#round = this.#dealt(rounds.at(-1)!, rounds.length - 1);
    for (const play of moves) this.#round.act(play);
    this.#event([{ type: "TakenBack", seat }], { rounds, turn: this.#saved.version + 1 });
  }

  /** The one way in which a table changes: an event, and what everybody and each seat is told of it. */
  #event(told: readonly Announcement[], change: Partial<SavedTable>): void {
    const [before, held] = [this.#parts, this.#owns];
    const at = Math.max(this.now(), this.#saved.at);
    this.#saved = { ...this.#saved, ...change, version: this.#saved.version + 1, at };
    this.#parts = this.#public();
    this.#owns = this.#ownTexts();
    const owns = this.#owns.map((own, seat) => (own === held[seat] ? null : (JSON.parse(own) as Own)));
    const news = [...told, ...changes(before, this.#parts)];
    this.#steps.push({ version: this.#saved.version, at, news, owns, ack: null });
  }

  // ── Rounds ─────────────────────────────────────────────────────────────────────────────────

  #dealt({ hands, aside }: DealtHands, number: number): Round {
    let starter = this.#saved.starter;
    for (let n = 0; n < number; n += 1) starter = Number(this.engine.next_starter(starter, this.players)); // R2
    return new Round(this.engine, { hands, aside, starter }, this.#touch);
  }

  /** Play a round of the log again. */
  #again(log: RoundLog, number: number): void {
    const [problem] = dealProblems(log.hands, log.aside);
    if (problem) throw new Damaged(`round ${number + 1}: ${problem.message}`);
    const round = this.#dealt(log, number);
    for (const move of log.moves) {
      const play = readMove(move);
      if (round.broken(play.seat, play.action) !== FINE)
        throw new Damaged(`round ${number + 1}: ${move} is not legal`);
      round.act(play);
    }
    const last = number === this.#saved.rounds.length - 1;
    if (!last && !round.over) throw new Damaged(`round ${number + 1} has no end`);
    if (round.scores) this.#scores = [...this.#scores, round.scores];
    this.#round = round;
  }

  #public(): PublicParts {
    return publicParts(this.engine, this.#saved, this.#round, this.#scores);
  }

  #ownTexts(): readonly string[] {
    const round = this.#round;
    return round ? this.#saved.seats.map((_, seat) => JSON.stringify(ownShown(round, seat))) : [];
  }
}

/** The parts that are different now. */
function changes(before: PublicParts, now: PublicParts): readonly Shared[] {
  const parts: (keyof PublicParts)[] = ["seats", "room", "game", "round", "turn"];
  return parts.flatMap((part) => {
    const found = now[part];
    return found && JSON.stringify(found) !== JSON.stringify(before[part]) ? [found] : [];
  });
}

const withMoves = (rounds: readonly RoundLog[], moves: readonly Play[]): readonly RoundLog[] =>
  rounds.map((round, n) => (n === rounds.length - 1 ? { ...round, moves: moves.map(writeMove) } : round));

const writeMove = ({ seat, action }: Play): string => `${seat}:${notationOf(action)}`;

/** Read a move of a log; one that is none is damage. */
export function readMove(move: string): Play {
  const [, seat = "", notation = ""] = /^([0-4]):(.*)$/.exec(move) ?? [];
  const action = actionOf(notation);
  if (!seat || action === null) throw new Damaged(`${move} is no move`);
  return { seat: Number(seat), action };
}
