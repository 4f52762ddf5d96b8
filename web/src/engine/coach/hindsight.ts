/**
 * Hindsight: what every action of a decision would have come to with the hands as they were. The round is played on by
 * careful players again and again, with the same chance for all actions. No seat could know this, so it judges nobody.
 */

import type { WouldBe } from "../../coach/hindsight";
import { PROSPECT, RATINGS, SIZE, WEIGHTS } from "../generated/rules";
import type { Engine } from "../module";
import { notationOf } from "../notation";
import type { Game } from "../records/game";
import { reading } from "../records/read";
import { Round } from "../round";
import { breathe } from "../slice";
import { quantile } from "./ends";

export interface HindsightAsked {
  readonly text: string;
  /** From 1. */
  readonly round: number;
  readonly step: number;
}

const TRIES = 64; // of every action
const AT_ONCE = 4; // tries in one slice of work
const SEED = 0x5eed_0005n;

/** A decision in the whole position. */
interface Position {
  readonly seat: number;
  readonly players: number;
  readonly state: readonly bigint[];
  readonly touch: readonly bigint[];
  readonly actions: readonly number[];
}

/** Say what every legal action would have come to, the best one first. */
export async function hindsightOf(
  engine: Engine,
  { text, round, step }: HindsightAsked,
  signal: AbortSignal,
): Promise<readonly WouldBe[]> {
  const read = reading(engine, text, (game) => positionIn(game, round, step));
  if (!read.ok) throw new Error(read.problem.message);
  const position = read.found;
  const ends: (readonly number[])[][] = position.actions.map(() => []);
  for (let first = 0; first < TRIES; first += AT_ONCE) {
    for (const [place, end] of tried(engine, position, first)) ends[place]!.push(end);
    await breathe();
    signal.throwIfAborted();
  }
  const found = position.actions.map((action, place) => wouldBe(action, ends[place]!));
  return found.sort((one, other) => other.points - one.points);
}

function positionIn(game: Game, number: number, step: number): Position {
  const { engine, deal, touch, log } = game.rounds[number - 1]!;
  const again = new Round(engine, deal, touch);
  for (const play of log.slice(0, step)) again.act(play);
  const { seat } = log[step]!;
  const [state, touching] = [[...engine.view(again.state)], [...engine.view(touch)]];
  return { seat, players: again.players, state, touch: touching, actions: again.legal(seat) };
}

/** How some tries of every action ended: the place of the action, and the columns of `tactics/prospects.py`. */
function tried(
  engine: Engine,
  { seat, players, state, touch, actions }: Position,
  first: number,
): readonly (readonly [place: number, end: readonly number[]])[] {
  return engine.within(() => {
    const world = engine.table(1, SIZE);
    engine.view({ ptr: world.ptr, len: SIZE }).set(state);
    const ends = engine.table(AT_ONCE * actions.length, PROSPECT.columns);
    const weights = WEIGHTS[players]!;
    const model = [
      engine.row(weights.length, weights),
      engine.row(touch.length, touch),
      engine.row(RATINGS),
    ] as const;
    const rows = [engine.row(actions.length, actions), actions.length] as const;
    engine.try_all(
      world,
      engine.row(1),
      1,
      first,
      AT_ONCE,
      seat,
      ...rows,
      ...model,
      SEED,
      engine.row(SIZE),
      ends,
    );
    const numbers = [...engine.view({ ptr: ends.ptr, len: ends.len * PROSPECT.columns })].map(Number);
    return Array.from({ length: ends.len }, (_, row) => {
      const end = numbers.slice(row * PROSPECT.columns, (row + 1) * PROSPECT.columns);
      return [row % actions.length, end] as const;
    });
  });
}

function wouldBe(action: number, ends: readonly (readonly number[])[]): WouldBe {
  const mean = (column: number): number => ends.reduce((sum, end) => sum + end[column]!, 0) / ends.length;
  const points = mean(PROSPECT.points);
  const squares = ends.reduce((sum, end) => sum + (end[PROSPECT.points]! - points) ** 2, 0);
  const within = quantile(1) * Math.sqrt(squares / (ends.length - 1) / ends.length);
  const shares = { paradox: mean(PROSPECT.caused), bonus: mean(PROSPECT.kept) };
  return { action: notationOf(action), points, within, ...shares };
}
