/** From what the server shows to what is drawn. What is legal is the server's word (`own.legal`). */

import { groupWith, layOut, ownerAt, parseFace } from "./face";
import { COLORS } from "./scene";
import type {
  Ask,
  Board,
  Color,
  Effect,
  HandCard,
  Option,
  ParadoxView,
  Rank,
  Reason,
  ResultView,
  Scene,
  Seat,
  SeatView,
} from "./scene";
import { gaveUpIn, played } from "./tricks";
import type { Own, TableShown } from "./wire";

/** Tricks of a round, by the number of players. */
const TRICKS: Readonly<Record<number, number>> = { 2: 8, 3: 8, 4: 8, 5: 7 };
const NOTHING: Own = { hand: [], discard: null, legal: [] };

/** Draw up the scene of a table. */
export function sceneOf(table: TableShown): Scene {
  const { game, round, seat: me } = table;
  const players = game.names.length;
  const trick = round.trick.map((card) => played(card.seat, card.action));
  const lastPlays = round.last_trick.map((card) => played(card.seat, card.action));
  const newest = trick.at(-1) ?? lastPlays.at(-1);
  const board = layOut(parseFace(game.face), round.board, players, newest?.action ?? null);
  const ask = asked(table);
  const tricks = TRICKS[players] ?? 8;
  return {
    phase: round.phase,
    round: game.round,
    rounds: players,
    trickNumber: Math.min(tricks, round.won.reduce((sum, won) => sum + won, 0) + 1),
    tricks,
    me,
    seats: game.names.map((_, seat) => seatView(table, seat)),
    others: Array.from({ length: players }, (_, n) => (n + (me ?? -1) + 1) % players).filter((s) => s !== me),
    board,
    led: trick[0]?.color ?? null,
    leader: round.leader,
    trick,
    winning: round.winning,
    lastTrick: { plays: lastPlays, winner: lastPlays.length ? round.leader : null },
    hand: handOf(table, board, ask),
    discard: (table.own ?? NOTHING).discard,
    turnedUp: round.turned_up,
    ask,
    paradox: paradoxOf(table),
    result: resultOf(table),
  };
}

function seatView(table: TableShown, seat: Seat): SeatView {
  const { round, game } = table;
  const who = table.seats.seats[seat];
  return {
    seat,
    name: game.names[seat] ?? "",
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
  if (led) return { kind: "follow", led };
  // Anyone who has nothing but red may lead it all the same (R14b): the server's word is what is legal.
  const mayLeadRed = (own ?? NOTHING).legal.some((action) => action.endsWith("r"));
  return { kind: "lead", redClosed: !round.red_open && !mayLeadRed };
}

function handOf(table: TableShown, board: Board, ask: Ask): HandCard[] {
  const own = table.own ?? NOTHING;
  return own.hand.map(({ rank, copies, colors }) => {
    const options = COLORS.map((color) => optionOf(table, board, ask, rank, color));
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

function optionOf(table: TableShown, board: Board, ask: Ask, rank: Rank, color: Color): Option {
  const action = `${rank}${color}`;
  const legal = (table.own ?? NOTHING).legal.includes(action);
  const why = legal || table.seat === null ? null : reasonFor(table, table.seat, rank, color);
  return { color, action, legal, why, effects: legal ? effectsOf(table, board, ask, rank, color) : [] };
}

function reasonFor(table: TableShown, seat: Seat, rank: Rank, color: Color): Reason | null {
  const { round, game } = table;
  const owner = ownerAt(round.board, color, rank);
  if (owner !== null) return { kind: "taken", by: owner };
  if (!round.tokens[seat]?.includes(color)) {
    const at = (c: Color, r: Rank) => ownerAt(round.board, c, r);
    return { kind: "gave-up", trick: gaveUpIn(round.moves, at, seat, color, game.names.length) };
  }
  return color === "r" && !round.red_open && !round.trick.length ? { kind: "red-closed" } : null;
}

/** What the board will look like, and what it costs: news for the eye, not a judgment. */
function effectsOf(table: TableShown, board: Board, ask: Ask, rank: Rank, color: Color): Effect[] {
  const seat = table.seat ?? 0;
  const effects: Effect[] = [];
  if (ask.kind === "lead") {
    effects.push({ kind: color === "r" && !table.round.red_open ? "opens-red" : "leads" });
  }
  if (ask.kind === "follow") {
    if (color === ask.led) effects.push({ kind: "follows" });
    else if (color === "r") effects.push({ kind: "trumps" });
    if (color !== ask.led && table.round.tokens[seat]?.includes(ask.led)) {
      effects.push({ kind: "gives-up", color: ask.led });
    }
  }
  const size = groupWith(board, seat, color, rank);
  if (size > Math.max(1, table.round.groups[seat] ?? 0)) effects.push({ kind: "group", size });
  return effects;
}

function paradoxOf(table: TableShown): ParadoxView | null {
  const { end } = table.round;
  if (end?.paradox == null) return null;
  const { paradox: seat, hand } = end;
  const cards = [...new Set(hand)].map((rank) => ({
    rank,
    copies: hand.filter((other) => other === rank).length,
    reasons: COLORS.flatMap((color) => {
      const why = reasonFor(table, seat, rank, color);
      return why ? [{ color, why }] : [];
    }),
  }));
  return { seat, cards };
}

function resultOf(table: TableShown): ResultView | null {
  const { round, game } = table;
  const { end } = round;
  if (!end) return null;
  const best = Math.max(...game.totals);
  const lines = end.scores.map((points, seat) => {
    const won = round.won[seat] ?? 0;
    const causer = end.paradox === seat;
    const total = game.totals[seat] ?? 0;
    return {
      seat,
      won,
      bid: round.bids[seat] ?? null,
      group: round.groups[seat] ?? 0,
      causer,
      bonus: !causer && points > won ? points - won : null,
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
    winners: game.winners,
    tieBreak:
      game.winners.length > 0 && game.totals.filter((total) => total === best).length > game.winners.length,
  };
}

const placing = (winners: readonly Seat[], seat: Seat): number => (winners.includes(seat) ? 0 : 1);
