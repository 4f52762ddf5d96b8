/** Kept games for tests: many, all different, the same for the same seed. */

import { LEVELS } from "../../store/names";
import type { KeptGame } from "../../store/records";

/** Numbers from 0 up to a bound, drawn by chance that a seed decides. */
export function drawn(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A game by chance: any number of players, bots and people, with a seat of one's own or without, counted or not. */
export function sampleGame(draw: (below: number) => number, n: number): KeptGame {
  const seats = Array.from({ length: 2 + draw(4) }, (_, seat) => seat);
  const own = draw(8) ? draw(seats.length) : null;
  const level = LEVELS[draw(LEVELS.length)]!;
  const names = seats.map((seat) => {
    if (seat === own) return "Ada";
    return draw(5) ? (draw(6) ? level : LEVELS[draw(LEVELS.length)]!) : `Ben ${seat}`;
  });
  const rounds = seats.map(() => ({
    points: seats.map(() => draw(9) - 2),
    kept: seats.map(() => (draw(9) ? draw(2) === 1 : null)),
    paradox: draw(5) ? null : draw(seats.length),
  }));
  const totals = seats.map((seat) => rounds.reduce((sum, { points }) => sum + points[seat]!, 0));
  const isOver = draw(9) > 0;
  return {
    key: `game-${n}`,
    text: `record ${n}\n${'# "record": {\'}\n'.repeat(draw(3))}`,
    at: 1_700_000_000_000 + draw(90_000_000) * 1_000,
    names,
    totals: isOver ? totals : [],
    winners: isOver ? [draw(seats.length)] : [],
    seat: own,
    origin: draw(2) ? `table-${n}.1` : "",
    ...(draw(2) ? { cats: seats.map((seat) => `cat ${seat}`) } : {}),
    ...(draw(3) ? {} : { local: true }),
    ...(draw(9) ? { counted: { face: draw(2) ? "white" : "purple", rounds } } : {}),
  };
}

export function sampleGames(count: number, seed: number): readonly KeptGame[] {
  const draw = drawn(seed);
  return Array.from({ length: count }, (_, n) => sampleGame(draw, n));
}
