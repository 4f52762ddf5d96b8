/**
 * A round on the rules of the module: it holds a row of the module's memory and a log, and asks the
 * rules for everything else. Its rows are those of the caller's `engine.within`.
 */

import {
  BID,
  COUNT,
  COUNT_BITS,
  DEALT,
  DISCARD,
  DISCARDING,
  FINE,
  FREE,
  HAND,
  LEADER,
  MAX_RANK,
  MAY,
  NOBODY,
  OVER,
  OWN,
  PARADOX,
  PHASE,
  RANKS,
  SIZE,
  TRICK,
  TURN,
  TURNED_UP,
  WON,
  type Row,
} from "./generated/rules";
import type { Engine } from "./module";
import { isDiscard, isPlay, LETTERS, type Play } from "./notation";

/** How a round begins: hands and cards left aside as digits. */
export interface Deal {
  readonly hands: readonly string[];
  /** Two players: the cards that are left, the first three turned up (R6). */
  readonly aside: string;
  readonly starter: number;
}

/** A trick: its plays from the lead on, and the seat that won it, once it is complete. */
export interface Trick {
  readonly plays: readonly Play[];
  readonly winner: number | null;
}

/** A color token that a seat has lost (R16), and the number of the trick. */
interface Lost {
  readonly seat: number;
  readonly color: number;
  readonly trick: number;
}

export const NEUTRAL = -1;
const bySeat = (a: Play, b: Play): number => a.seat - b.seat;

export class Round {
  readonly players: number;
  readonly ranks: number;
  /** Discards by seat, since they are simultaneous (R7), then bids, then plays. */
  log: readonly Play[] = [];
  /** The slots of the rules, with every hand. */
  readonly state: Row;
  readonly #lost: Lost[] = [];

  constructor(
    readonly engine: Engine,
    readonly deal: Deal,
    /** Which cells touch on the face. */
    readonly touch: Row,
  ) {
    this.players = deal.hands.length;
    this.ranks = RANKS[this.players]!;
    this.state = engine.row(SIZE);
    engine.open_round(this.state, this.players, this.ranks, DEALT[this.players]! - 2, deal.starter);
    deal.hands.forEach((hand, seat) => engine.give_hand(this.state, seat, packed(hand)));
    for (const rank of deal.aside.slice(0, TURNED_UP)) engine.turn_up(this.state, Number(rank));
  }

  // ── Acting ─────────────────────────────────────────────────────────────────────────────────

  /** Return the reason why a seat may not do this now, or FINE. */
  broken(seat: number, action: number): number {
    return Number(this.engine.broken(this.state, seat, action));
  }

  /** Return everything a seat may do now, by the numbers of the actions. */
  legal(seat: number): readonly number[] {
    const ids = this.engine.legal_actions(this.state, seat);
    return bitsOf(ids);
  }

  /** Carry out a legal action. */
  act(play: Play): void {
    if (this.broken(play.seat, play.action) !== FINE)
      throw new Error(`seat ${play.seat} may not do this now`);
    const trick = this.won.reduce((sum, won) => sum + won, 1);
    const before = this.tokens(play.seat);
    this.engine.act(this.state, play.seat, play.action);
    const after = this.tokens(play.seat);
    for (const color of before)
      if (!after.includes(color)) this.#lost.push({ seat: play.seat, color, trick });
    this.log = isDiscard(play) ? [...this.log, play].sort(bySeat) : [...this.log, play];
  }

  // ── Asking ─────────────────────────────────────────────────────────────────────────────────

  /** Return a slot of the state that is a small number. */
  slot(slot: number): number {
    return Number(this.engine.view(this.state)[slot]);
  }

  get over(): boolean {
    return this.slot(PHASE) === OVER;
  }

  /** The seat to act; while discarding, the lowest seat still to discard; null after the end. */
  get turn(): number | null {
    return this.over ? null : this.slot(TURN);
  }

  /** The seats that may act now. */
  get toAct(): readonly number[] {
    if (this.slot(PHASE) !== DISCARDING) return this.over ? [] : [this.slot(TURN)];
    return this.#bySeat(DISCARD).flatMap((rank, seat) => (rank ? [] : [seat]));
  }

  /** The seat that leads, or led, the current trick. */
  get leader(): number {
    return this.slot(LEADER);
  }

  /** The tricks that every seat has won. */
  get won(): readonly number[] {
    return this.#bySeat(WON);
  }

  /** The bid of every seat; 0 is none. */
  get bids(): readonly number[] {
    return this.#bySeat(BID);
  }

  /** The seat that caused a paradox. */
  get paradox(): number | null {
    const seat = this.slot(PARADOX);
    return seat === NOBODY ? null : seat;
  }

  /** The ranks in a hand, ascending. */
  hand(seat: number): readonly number[] {
    return copiesIn(this.slot(HAND + seat)).flatMap((copies, place) => Array<number>(copies).fill(place + 1));
  }

  /** The colors whose token a seat still has. */
  tokens(seat: number): readonly number[] {
    const rows = this.engine.lanes(this.state);
    return LETTERS.flatMap((_, color) => (rows[4 * (MAY + seat) + color] ? [color] : []));
  }

  /** The seat whose token lies on a cell, NEUTRAL for a neutral one; null if it is empty. */
  owner(color: number, rank: number): number | null {
    const has = (slot: number): boolean =>
      ((this.engine.lanes(this.state)[4 * slot + color] ?? 0) >> (rank - 1)) % 2 === 1;
    if (has(FREE)) return null;
    const seats = this.won.map((_, seat) => seat);
    return seats.find((seat) => has(OWN + seat)) ?? NEUTRAL;
  }

  /** The trick in which a seat lost a color token (R16). */
  lostIn(seat: number, color: number): number | null {
    return this.#lost.find((lost) => lost.seat === seat && lost.color === color)?.trick ?? null;
  }

  /** All tricks; the last one may be incomplete, or interrupted by a paradox (R21). */
  get tricks(): readonly Trick[] {
    const plays = this.log.filter(isPlay);
    const open = plays.length - this.#inTrick;
    return Array.from({ length: Math.ceil(plays.length / this.players) }, (_, number) => {
      const first = number * this.players;
      const next = plays[first + this.players]?.seat ?? this.leader; // the winner leads (R10)
      return { plays: plays.slice(first, first + this.players), winner: first < open ? next : null };
    });
  }

  /** How many cards lie in the current, or interrupted, trick. */
  get #inTrick(): number {
    const rows = this.engine.lanes(this.state).subarray(4 * TRICK, 4 * TRICK + 4);
    return rows.reduce((cards, row) => cards + bitsOf(BigInt(row)).length, 0);
  }

  /** The points of every seat; null before the end. */
  get scores(): readonly number[] | null {
    if (!this.over) return null;
    return this.won.map((_, seat) => Number(this.engine.seat_score(this.state, seat, this.touch)));
  }

  /** Whether a seat's tricks earn the bonus, as things stand. */
  bonusEarned(seat: number): boolean {
    return Boolean(this.engine.bonus_earned(this.state, seat));
  }

  #bySeat(slot: number): readonly number[] {
    return Array.from({ length: this.players }, (_, seat) => this.slot(slot + seat));
  }
}

/** A hand of digits as the rules count it. */
const packed = (hand: string): number =>
  [...hand].reduce((sum, rank) => sum + 2 ** (COUNT_BITS * (Number(rank) - 1)), 0);

/** How many copies of each rank a hand holds. */
export const copiesIn = (hand: number): readonly number[] =>
  Array.from({ length: MAX_RANK }, (_, place) => (hand >> (COUNT_BITS * place)) & COUNT);

/** The numbers of the bits that are set, ascending. */
export function bitsOf(set: bigint): readonly number[] {
  const found: number[] = [];
  for (let bit = 0, rest = set; rest; bit += 1, rest >>= 1n) if (rest & 1n) found.push(bit);
  return found;
}
