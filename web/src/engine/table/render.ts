/**
 * A round in the shapes of the protocol, as the server would show it. What everybody is shown comes
 * from a copy that holds the public slots only (`observe`); what one seat is shown, from its own cards.
 */

import {
  BEST,
  BID,
  DISCARD,
  DISCARDING,
  FREE,
  HAND,
  LANE,
  LEADER,
  MAY,
  NOBODY,
  OVER,
  OWN,
  PARADOX,
  PHASE,
  RED_OPEN,
  SEAT,
  SIZE,
  STARTER,
  TURN,
  TURNED_UP,
  WON,
  type Row,
} from "../generated/rules";
import type { Card, Ending, Own, RoundShown } from "../../lib/protocol";
import type { Engine } from "../module";
import { isDiscard, LETTERS, notationOf, type Play } from "../notation";
import { paradoxSentences } from "../refusals";
import { copiesIn, type Round } from "../round";

export const PHASES = ["discard", "bid", "play", "over"] as const;

// ── Everybody ──────────────────────────────────────────────────────────────────────────────────

/** Return the round as everybody sees it. */
export function roundShown(round: Round, names: readonly string[]): RoundShown {
  return round.engine.within(() => {
    const shown = round.engine.row(SIZE);
    round.engine.observe(round.state, NOBODY, shown);
    return publicRound(round, new Public(round.engine, shown, round.players), names);
  });
}

function publicRound(round: Round, open: Public, names: readonly string[]): RoundShown {
  const tricks = round.tricks;
  const trick = tricks.at(-1)?.winner === null ? tricks.at(-1)!.plays : [];
  const over = open.number(PHASE) === OVER;
  return {
    type: "RoundShown",
    phase: PHASES[open.number(PHASE)]!,
    starter: open.number(STARTER),
    leader: open.number(LEADER),
    red_open: open.number(RED_OPEN) === 1,
    trick: trick.map(cardShown),
    winning: trick.length && !over ? open.number(BEST) & SEAT : null,
    last_trick: (tricks.findLast(({ winner }) => winner !== null)?.plays ?? []).map(cardShown),
    board: LETTERS.map((_, color) => open.boardRow(color, round.ranks)),
    groups: open.seats.map((seat) => Number(round.engine.largest_group(open.cells(OWN + seat), round.touch))),
    tokens: open.seats.map((seat) => open.colors(MAY + seat)),
    hand_sizes: open.seats.map((seat) => Number(round.engine.hand_size(open.row, seat))),
    discarded: open.seats.filter((seat) => open.number(DISCARD + seat)),
    bids: open.seats.map((seat) => open.number(BID + seat) || null),
    won: open.seats.map((seat) => open.number(WON + seat)),
    turned_up: [...round.deal.aside.slice(0, TURNED_UP)].map(Number),
    end: over ? ending(round, names) : null,
    moves: movesShown(round.log, open),
  };
}

const cardShown = ({ seat, action }: Play): Card => ({ seat, action: notationOf(action) });

/** How it ended; the hand of a paradox is revealed (R22). */
function ending(round: Round, names: readonly string[]): Ending {
  const { paradox } = round;
  return {
    scores: round.scores ?? [],
    paradox,
    hand: paradox === null ? [] : round.hand(paradox),
    reasons: paradox === null ? [] : paradoxSentences(round, paradox, names),
  };
}

/** Everything that was seen, in notation: a discard only by its seat, a paradox with its hand. */
function movesShown(log: readonly Play[], open: Public): string {
  const words = log.map((play) => (isDiscard(play) ? `${play.seat}:-?` : notationOf(play.action)));
  const paradox = open.number(PARADOX);
  if (paradox !== NOBODY) words.push(`${paradox}!${open.hand(paradox)}`);
  return words.join(" ");
}

/** The public slots of a round. */
class Public {
  readonly seats: readonly number[];

  constructor(
    readonly engine: Engine,
    readonly row: Row,
    players: number,
  ) {
    this.seats = Array.from({ length: players }, (_, seat) => seat);
  }

  number(slot: number): number {
    return Number(this.cells(slot));
  }

  cells(slot: number): bigint {
    return this.engine.view(this.row)[slot]!;
  }

  /** The hand of a seat as digits; empty unless it is shown. */
  hand(seat: number): string {
    return copiesIn(this.number(HAND + seat))
      .map((copies, place) => `${place + 1}`.repeat(copies))
      .join("");
  }

  #lane(slot: number, color: number): number {
    return this.engine.lanes(this.row)[4 * slot + color]!;
  }

  /** The letters of the colors in which a set has cells. */
  colors(slot: number): string {
    return LETTERS.filter((_, color) => this.#lane(slot, color)).join("");
  }

  /** A row of the board: `.` is an empty cell, a digit the seat of a token, `*` a neutral token. */
  boardRow(color: number, ranks: number): string {
    const mark = (place: number): string => {
      const has = (slot: number): boolean => ((this.#lane(slot, color) >> place) & 1) === 1;
      return has(FREE) ? "." : `${this.seats.find((seat) => has(OWN + seat)) ?? "*"}`;
    };
    return Array.from({ length: ranks }, (_, place) => mark(place)).join("");
  }
}

// ── One seat ───────────────────────────────────────────────────────────────────────────────────

/** Return what a seat is shown of its own cards, and what it may do with them. */
export function ownShown(round: Round, seat: number): Own {
  const could = round.engine.could_be(round.state, seat);
  const hand = copiesIn(round.slot(HAND + seat)).flatMap((copies, place) =>
    copies ? [{ rank: place + 1, copies, colors: colorsAt(could, place) }] : [],
  );
  const asked = round.slot(PHASE) === DISCARDING || round.slot(TURN) === seat;
  const legal = asked ? round.legal(seat).map(notationOf) : [];
  return { hand, discard: round.slot(DISCARD + seat) || null, legal };
}

const colorsAt = (cells: bigint, place: number): string =>
  LETTERS.filter((_, color) => (cells >> BigInt(LANE * color + place)) & 1n).join("");
