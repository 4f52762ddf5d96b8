/**
 * From what the server shows, and what the engine says about it, to what is drawn. What is legal is the server's
 * word (`own.legal`). Without the engine's, costs and reasons are missing, and nothing else.
 */

import { coveredFor, tricksFor } from "./counts";
import { layOut, parseFace } from "./face";
import type { Insight } from "./insight";
import { logOf } from "./log";
import { COLORS } from "./scene";
import type {
  Ask,
  Color,
  HandCard,
  Option,
  ParadoxView,
  Played,
  Rank,
  ResultView,
  Scene,
  Seat,
  SeatView,
} from "./scene";
import { played } from "./tricks";
import type { CardShown, Own, TableShown } from "./wire";

const NOTHING: Own = { hand: [], discard: null, legal: [] };

/** Draw up the scene of a table. */
export function sceneOf(table: TableShown, insight: Insight | null): Scene {
  const { game, round, seat: me } = table;
  const players = game.names.length;
  const tricks = tricksFor(players);
  const trick = playedOf(round.trick, insight);
  const lastPlays = playedOf(round.last_trick, insight);
  const newest = trick.at(-1) ?? lastPlays.at(-1);
  const face = parseFace(game.face);
  const known = insight?.board ?? null;
  const ask = asked(table);
  return {
    phase: round.phase,
    round: game.round,
    rounds: players,
    trickNumber: Math.min(tricks, round.won.reduce((sum, won) => sum + won, 0) + 1),
    tricks,
    me,
    seats: game.names.map((_, seat) => seatView(table, seat)),
    others: Array.from({ length: players }, (_, n) => (n + (me ?? -1) + 1) % players).filter((s) => s !== me),
    board: layOut(face, round.board, coveredFor(players), newest?.action ?? null, known),
    led: trick[0]?.color ?? null,
    redOpen: round.red_open,
    leader: round.leader,
    trick,
    winning: round.winning,
    lastTrick: { plays: lastPlays, winner: lastPlays.length ? round.leader : null },
    log: logOf(round, insight?.gaveUp ?? null),
    hand: handOf(table, insight, ask),
    discard: (table.own ?? NOTHING).discard,
    turnedUp: round.turned_up,
    ask,
    paradox: paradoxOf(table, insight),
    result: resultOf(table, insight),
  };
}

const playedOf = (cards: readonly CardShown[], insight: Insight | null): readonly Played[] =>
  cards.map(({ seat, action }) => played(seat, action, insight?.could[action] ?? null));

function seatView(table: TableShown, seat: Seat): SeatView {
  const { round, game } = table;
  const who = table.seats.seats[seat];
  return {
    seat,
    name: game.names[seat] ?? "",
    cat: who?.cat || (game.names[seat] ?? ""),
    kind: who?.kind ?? "empty",
    me: seat === table.seat,
    away: who?.kind === "person" && !who.here,
    covered: who?.covered ?? false,
    tokens: COLORS.filter((color) => round.tokens[seat]?.includes(color)),
    bid: round.bids[seat] ?? null,
    won: round.won[seat] ?? 0,
    handSize: round.hand_sizes[seat] ?? 0,
    discarded: round.phase === "discard" && round.discarded.includes(seat),
    starter: round.starter === seat,
    toAct: table.turn.to_act.includes(seat),
    winning: round.winning === seat,
    group: round.groups[seat] ?? 0,
    total: game.totals[seat] ?? 0,
    deadline: table.turn.deadlines[seat] ?? null,
  };
}

function asked({ round, turn, seat, own }: TableShown): Ask {
  if (round.phase === "over") return { kind: "over" };
  if (seat === null || !turn.to_act.includes(seat)) {
    return { kind: "wait", phase: round.phase, seats: turn.to_act };
  }
  if (round.phase === "discard") return { kind: "discard" };
  if (round.phase === "bid") {
    const bids = (own ?? NOTHING).legal.filter((action) => action.startsWith("="));
    return { kind: "bid", bids: bids.map((action) => Number(action.slice(1))) };
  }
  const led = round.trick[0]?.action[1] as Color | undefined;
  return led ? { kind: "follow", led } : { kind: "lead", redClosed: isBarred(own ?? NOTHING) };
}

/**
 * Whether a card could still be a color that it cannot be now: to lead, that is red before it is open. Anyone who
 * has nothing but red may lead it all the same (R14b), and nothing is barred.
 */
const isBarred = ({ hand, legal }: Own): boolean =>
  hand.some(({ rank, colors }) => [...colors].some((color) => !legal.includes(`${rank}${color}`)));

function handOf(table: TableShown, insight: Insight | null, ask: Ask): HandCard[] {
  const own = table.own ?? NOTHING;
  return own.hand.map(({ rank, copies, colors }) => {
    const options = COLORS.map((color) => optionOf(own, insight, rank, color));
    return {
      rank,
      copies,
      colors: COLORS.filter((color) => colors.includes(color)),
      playable:
        ask.kind === "discard" ? own.legal.includes(`-${rank}`) : options.some((option) => option.legal),
      options,
    };
  });
}

function optionOf(own: Own, insight: Insight | null, rank: Rank, color: Color): Option {
  const action = `${rank}${color}`;
  const legal = own.legal.includes(action);
  const known = insight?.options[action];
  return {
    ...{ color, action, legal },
    why: legal ? null : (known?.why ?? null),
    effects: legal ? (known?.effects ?? null) : [],
  };
}

function paradoxOf({ round: { end } }: TableShown, insight: Insight | null): ParadoxView | null {
  if (end?.paradox == null) return null;
  const { paradox: seat, hand } = end;
  const cards = [...new Set(hand)].map((rank) => ({
    rank,
    copies: hand.filter((other) => other === rank).length,
    reasons: COLORS.flatMap((color) => {
      const why = insight?.paradox[`${rank}${color}`];
      return why ? [{ color, why }] : [];
    }),
  }));
  return { seat, cards };
}

function resultOf(table: TableShown, insight: Insight | null): ResultView | null {
  const { round, game } = table;
  const { end } = round;
  if (!end) return null;
  const lines = end.scores.map((points, seat) => {
    const total = game.totals[seat] ?? 0;
    return {
      seat,
      won: round.won[seat] ?? 0,
      bid: round.bids[seat] ?? null,
      group: round.groups[seat] ?? 0,
      causer: end.paradox === seat,
      bonus: insight?.bonuses?.[seat] ?? null,
      lost: insight?.lost?.[seat] ?? null,
      points,
      total,
      place: 1 + game.totals.filter((other) => other > total).length,
    };
  });
  return {
    lines: lines.sort(
      (a, b) => placing(game.winners, a.seat) - placing(game.winners, b.seat) || b.total - a.total,
    ),
    rounds: game.scores,
    final: game.winners.length > 0,
    counted: insight?.bonuses != null,
    winners: game.winners,
    tieBreak: insight?.tieBreak ?? false,
  };
}

const placing = (winners: readonly Seat[], seat: Seat): number => (winners.includes(seat) ? 0 : 1);
