/** What is told of a daily game that is not over, or that is: what its person did, and nothing of the other hands. */

import type { DailyRound, DailyTry } from "../../lib/daily";
import { OWN, type Row } from "../generated/rules";
import type { Engine } from "../module";
import { Round } from "../round";
import { touchRow } from "../table/faces";
import type { RoundLog, SavedTable } from "../table/saved";
import { readMove } from "../table/table";

/** What is kept of a daily game, beside the table; null for other tables, and before the first card. */
export function dailyTry(engine: Engine, table: SavedTable): DailyTry | null {
  const { daily, id, seats, rounds } = table;
  if (!daily || !rounds.length) return null;
  const seat = seats.findIndex((who) => who.kind === "person");
  const played = engine.within(() => {
    const touch = touchRow(engine, table.face);
    return rounds.flatMap((log, n) => roundOf(engine, log, startOf(engine, table, n), seat, touch));
  });
  const hand = rounds[0]!.hands[seat]!;
  return { id, ...daily, isOver: played.length === seats.length, hand, rounds: played };
}

function startOf(engine: Engine, { starter, seats }: SavedTable, number: number): number {
  let seat = starter;
  for (let n = 0; n < number; n += 1) seat = Number(engine.next_starter(seat, seats.length)); // R2
  return seat;
}

function roundOf(
  engine: Engine,
  { hands, aside, moves }: RoundLog,
  starter: number,
  seat: number,
  touch: Row,
): readonly DailyRound[] {
  const round = new Round(engine, { hands, aside, starter }, touch);
  for (const move of moves) round.act(readMove(move));
  if (!round.scores) return [];
  const cells = engine.view(round.state)[OWN + seat]!;
  return [
    {
      bid: round.bids[seat]!,
      won: round.won[seat]!,
      group: Number(engine.largest_group(cells, touch)),
      points: round.scores[seat]!,
      isKept: round.paradox === null && round.bids[seat] === round.won[seat],
      isParadox: round.paradox === seat,
    },
  ];
}
