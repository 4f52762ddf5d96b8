/** What the rules say about a table that a frame shows: reasons, costs, groups, bonus. */

import { ownerAt } from "../lib/face";
import type { Asked, BoardInsight, Insight, OptionInsight } from "../lib/insight";
import { COLORS, type Action, type Color, type Effect, type Reason } from "../lib/scene";
import {
  CELL_TAKEN,
  FOLLOWS,
  GIVES_UP,
  LEADS,
  OPENS_RED,
  OWN,
  RED_CLOSED,
  TOKEN_LOST,
  TOPS,
  TRUMPS,
  type Row,
} from "./generated/rules";
import type { Engine } from "./module";
import { actionOf, cellOf, cellsIn, declares, positionOf } from "./position";
import { faceOfText, touchOf } from "./records/face";

/** A table in the engine's memory. */
interface Position {
  readonly engine: Engine;
  readonly asked: Asked;
  readonly s: Row;
  readonly touch: Row;
  /** The cells of the round in the order in which they were declared. */
  readonly plays: Row;
  readonly count: number;
}

/** Ask the rules about a table. */
export function insightOf(engine: Engine, asked: Asked): Insight {
  return engine.within(() => {
    const cells = asked.round.moves.split(/\s+/).filter(declares).map(cellOf);
    const plays = engine.row(cells.length + 1, cells);
    const touch = touchRow(engine, asked.game.face);
    const s = positionOf(engine, asked);
    const position = { engine, asked, s, touch, plays, count: cells.length };
    return {
      board: boardOf(position),
      options: optionsOf(position),
      could: couldOf(position),
      gaveUp: lossesOf(position),
      paradox: paradoxOf(position),
      bonuses: bonusesOf(position),
      lost: lostOf(position),
      tieBreak: tieBreakOf(position),
    };
  });
}

/** Faces that were read already, and which of their cells touch; a page shows few of them. */
const faces = new Map<string, readonly bigint[]>();

function touchRow(engine: Engine, text: string): Row {
  const known = faces.get(text);
  if (known) return engine.row(known.length, known);
  const touch = touchOf(engine, faceOfText(text));
  faces.set(text, [...engine.view(touch)]);
  return touch;
}

// ── The board ─────────────────────────────────────────────────────────────────────────────────

function boardOf({ engine, asked, s, touch }: Position): BoardInsight {
  const joined: Record<Action, Action[]> = {};
  const grouped: Action[] = [];
  for (let seat = 0; seat < asked.round.won.length; seat += 1) {
    const own = slot(engine, s, OWN + seat);
    for (const cell of cellsIn(own)) {
      const near = cellsIn(slot(engine, touch, cell) & own);
      if (near.length) joined[actionOf(cell)] = near.map(actionOf);
    }
    const group = cellsIn(engine.group_cells(own, touch));
    if (group.length > 1) grouped.push(...group.map(actionOf)); // a single token is none
  }
  return { joined, grouped };
}

/** A number of a row. Memory may have grown since the last one. */
const slot = (engine: Engine, row: Row, at: number): bigint => engine.view(row)[at] ?? 0n;

// ── The own hand ──────────────────────────────────────────────────────────────────────────────

function optionsOf(position: Position): Record<Action, OptionInsight> {
  const { round, seat, own } = position.asked;
  const options: Record<Action, OptionInsight> = {};
  if (seat === null || round.phase !== "play") return options;
  for (const { rank } of own?.hand ?? []) {
    for (const color of COLORS) {
      const action = `${rank}${color}`;
      const why = reasonFor(position, seat, action);
      options[action] = { why, effects: why ? null : effectsOf(position, seat, action) };
    }
  }
  return options;
}

/** Why a card cannot be a color; null if it can, or could if it were the seat's turn. */
function reasonFor(
  { engine, asked, s, plays, count }: Position,
  seat: number,
  action: Action,
): Reason | null {
  const color = action[1] as Color;
  switch (Number(engine.broken_play(s, seat, cellOf(action)))) {
    case CELL_TAKEN:
      return { kind: "taken", by: ownerAt(asked.round.board, color, Number(action[0])) ?? "neutral" };
    case TOKEN_LOST: {
      const trick = Number(engine.lost_in_trick(s, plays, count, seat, COLORS.indexOf(color)));
      return { kind: "gave-up", trick: trick || null };
    }
    case RED_CLOSED: // of others' turns it says the same about every color
      return asked.turn.to_act.includes(seat) ? { kind: "red-closed" } : null;
    default:
      return null;
  }
}

function effectsOf({ engine, asked, s, touch }: Position, seat: number, action: Action): Effect[] | null {
  if (!asked.turn.to_act.includes(seat)) return null;
  const bits = Number(engine.play_effects(s, seat, cellOf(action)));
  const effects: Effect[] = [];
  if (bits & LEADS) effects.push({ kind: bits & OPENS_RED ? "opens-red" : "leads" });
  if (bits & FOLLOWS) effects.push({ kind: "follows" });
  if (bits & TRUMPS) effects.push({ kind: "trumps" });
  const led = asked.round.trick[0]?.action[1] as Color | undefined;
  if (bits & GIVES_UP && led) effects.push({ kind: "gives-up", color: led });
  if (asked.round.trick.length) effects.push(standing(asked, (bits & TOPS) !== 0));
  const size = Number(engine.group_with(s, seat, cellOf(action), touch));
  if (size > Math.max(1, asked.round.groups[seat] ?? 0)) effects.push({ kind: "group", size });
  return effects;
}

/** Where a card stands in the trick: on top, or below the one that is; for the last card of a trick that is the end. */
function standing({ round }: Asked, tops: boolean): Effect {
  const last = round.trick.length + 1 === round.won.length;
  return tops ? { kind: "tops", last } : { kind: "below", seat: round.winning };
}

// ── Cards on the table ────────────────────────────────────────────────────────────────────────

function couldOf({ engine, asked, s }: Position): Record<Action, Color[]> {
  const cards = [...asked.round.last_trick, ...asked.round.trick];
  return Object.fromEntries(
    cards.map(({ seat, action }) => {
      const open = cellsIn(engine.open_cells(s, seat, Number(action[0]))).map((cell) => actionOf(cell)[1]);
      return [action, COLORS.filter((color) => open.includes(color))];
    }),
  );
}

/** By seat, the tricks in which it gave colors up. */
function lossesOf({ engine, asked, s, plays, count }: Position): Insight["gaveUp"] {
  return asked.round.won.map((_, seat) =>
    COLORS.flatMap((color, row) => {
      const trick = Number(engine.lost_in_trick(s, plays, count, seat, row));
      return trick ? [{ color, trick }] : [];
    }),
  );
}

function paradoxOf(position: Position): Record<Action, Reason> {
  const { end } = position.asked.round;
  if (end?.paradox == null) return {};
  const { paradox: seat, hand } = end;
  const actions = [...new Set(hand)].flatMap((rank) => COLORS.map((color) => `${rank}${color}`));
  return Object.fromEntries(
    actions.flatMap((action) => {
      const why = reasonFor(position, seat, action);
      return why ? [[action, why]] : [];
    }),
  );
}

// ── The end ───────────────────────────────────────────────────────────────────────────────────

function bonusesOf({ engine, asked, s }: Position): (number | null)[] | null {
  if (!asked.round.end) return null;
  return asked.round.groups.map((size, seat) => (engine.bonus_earned(s, seat) ? size : null));
}

function lostOf({ engine, asked, s }: Position): (number | null)[] | null {
  if (!asked.round.end) return null;
  return asked.round.groups.map((size, seat) =>
    engine.bid_kept(s, seat) && !engine.bonus_earned(s, seat) ? size : null,
  );
}

/** Whether there are fewer winners than seats with the highest total: the last round alone decides between these. */
function tieBreakOf({ engine, asked }: Position): boolean {
  const { totals, winners } = asked.game;
  if (!winners.length) return false;
  const even = engine.row(totals.length); // a last round in which all are equal
  const first = engine.winners(engine.row(totals.length, totals), even, totals.length);
  return cellsIn(first).length > winners.length;
}
