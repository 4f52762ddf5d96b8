/** Bots: they see the view of their seat, and nothing else of the round. */

import { FIRST_DISCARD, NOBODY, SIZE, TASTES, type Row } from "../generated/rules";
import type { Engine } from "../module";
import { isPlay, type Play } from "../notation";
import { Round } from "../round";
import { drawnSeed } from "./chance";
import type { LocalTable } from "./table";

/** Choose an action for a bot whose move is due. */
export type Choose = (
  table: LocalTable,
  due: { readonly seat: number; readonly level: string },
  signal: AbortSignal,
) => Promise<number>;

/** What a bot may know: the round as its seat sees it, and what the game makes of it. */
export interface Sight {
  readonly seat: number;
  readonly players: number;
  /** The view, as a vector of the rules; a copy, so that it stays as it was. */
  readonly view: readonly bigint[];
  /** What a red lead has proved about a hand. */
  readonly proved: bigint;
  /** Bids and plays so far. */
  readonly seen: readonly number[];
  readonly legal: readonly number[];
  readonly totals: readonly number[];
  readonly roundsLeft: number;
  readonly touch: Row;
}

/** Return what the bot in a seat may know. */
export function sightOf(table: LocalTable, seat: number): Sight {
  const round = table.round!;
  const { engine, state, touch } = round;
  const view = engine.within(() => {
    const shown = engine.row(SIZE);
    engine.observe(state, seat, shown);
    return [...engine.view(shown)];
  });
  const seen = round.log.filter(({ action }) => action < FIRST_DISCARD || action > FIRST_DISCARD + 8);
  return {
    seat,
    players: round.players,
    view,
    proved: provedBy(round),
    seen: seen.map(({ action }) => action),
    legal: round.legal(seat),
    totals: table.totalsBefore,
    roundsLeft: table.roundsLeft,
    touch,
  };
}

/** What the plays have proved, from what everybody saw of them. */
function provedBy({ engine, deal, log, touch }: Round): bigint {
  return engine.within(() => {
    const again = new Round(engine, deal, touch);
    const shown = engine.row(SIZE);
    let proved = 0n;
    for (const play of log) {
      if (isPlay(play)) {
        engine.observe(again.state, NOBODY, shown);
        proved = engine.bar(shown, cellOf(play), proved);
      }
      again.act(play);
    }
    return proved;
  });
}

const cellOf = ({ action }: Play): number => Math.floor(action / 9) * 16 + (action % 9);

/** Play by hand-written rules of thumb. */
function careful(engine: Engine, sight: Sight): number {
  return engine.within(() => {
    const taste = TASTES[sight.players]!;
    const [view, weights, ratings] = [engine.row(SIZE, sight.view), engine.row(taste.length, taste), engine.row(64)];
    return Number(engine.careful_action(view, sight.seat, weights, sight.touch, ratings, drawnSeed() >> 30n));
  });
}

export const choose: Choose = async (table, { seat }) => careful(table.engine, sightOf(table, seat));
