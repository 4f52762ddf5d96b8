/** What a bot may know: the round as its seat sees it, and what the game makes of it. */

import { dailySeed } from "../daily/derive";
import { DISCARDING, LANE, MAX_RANK, NOBODY, PHASE, SIZE, type Row } from "../generated/rules";
import { isDiscard, isPlay, type Play } from "../notation";
import { Round } from "../round";
import type { LocalTable } from "./table";

export interface Sight {
  readonly seat: number;
  readonly players: number;
  /** The view, as a vector of the rules. */
  readonly view: readonly bigint[];
  /** What a red lead has proved about a hand. */
  readonly proved: bigint;
  /** Bids and plays so far, in order. */
  readonly seen: readonly number[];
  /** The points of every seat before this round. */
  readonly totals: readonly number[];
  /** Whether the game ends with this round. */
  readonly last: boolean;
  /** Which cells of the face touch. */
  readonly touch: Row;
  /** The chance of this decision, where it follows from something; otherwise it is drawn. */
  readonly seed?: bigint;
}

/** Return what the bot in a seat may know. */
export function sightOf(table: LocalTable, seat: number): Sight {
  const round = table.round!;
  return {
    seat,
    players: round.players,
    view: viewOf(round, seat),
    proved: provedBy(round),
    seen: round.log.filter((play) => !isDiscard(play)).map(({ action }) => action),
    totals: table.totalsBefore,
    last: table.roundsLeft === 0,
    touch: round.touch,
    ...dailyChance(table, seat),
  };
}

/**
 * A daily deal has its chance by the number of the decision. All set a card aside at the same time (R7), so what a bot
 * sees then is what it saw when the cards were dealt: who was quicker must not matter.
 */
function dailyChance(table: LocalTable, seat: number): Pick<Sight, "seed"> | Pick<Sight, "seed" | "view"> {
  const { daily, rounds } = table.saved;
  if (!daily) return {};
  const round = table.round!;
  const decision = round.log.filter((play) => play.seat === seat).length;
  const seed = dailySeed(daily.date, rounds.length, seat, decision);
  return round.slot(PHASE) === DISCARDING ? { seed, view: viewAtDeal(round, seat) } : { seed };
}

const viewAtDeal = ({ engine, deal, touch }: Round, seat: number): readonly bigint[] =>
  engine.within(() => viewOf(new Round(engine, deal, touch), seat));

/** A round as a seat sees it, as a vector of the rules. */
export function viewOf({ engine, state }: Round, seat: number): readonly bigint[] {
  return engine.within(() => {
    const view = engine.row(SIZE);
    engine.observe(state, seat, view);
    return [...engine.view(view)];
  });
}

/** What the plays have proved, from what everybody saw of them (R14). */
function provedBy({ engine, deal, log, touch }: Round): bigint {
  return engine.within(() => {
    const again = new Round(engine, deal, touch);
    let proved = 0n;
    for (const play of log) {
      proved = provedWith(again, play, proved);
      again.act(play);
    }
    return proved;
  });
}

/** What is proved once a seat acts: what was before, and what everybody sees by this play. */
export function provedWith({ engine, state }: Round, play: Play, before: bigint): bigint {
  if (!isPlay(play)) return before;
  return engine.within(() => {
    const shown = engine.row(SIZE);
    engine.observe(state, NOBODY, shown);
    return engine.bar(shown, cellOf(play), before);
  });
}

const cellOf = ({ action }: Play): number => Math.floor(action / MAX_RANK) * LANE + (action % MAX_RANK);
