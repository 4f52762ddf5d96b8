/** The parts of a local table in the shapes of the protocol: the same for everybody. */

import type { GameShown, Room, RoundShown, Seats, SeatShown, Settings, Turn } from "../../lib/protocol";
import type { Engine } from "../module";
import { bitsOf, type Round } from "../round";
import { faceText } from "./faces";
import { roundShown } from "./render";
import type { LocalSeat, SavedTable } from "./saved";

/** No clock, no talk, nobody who watches: nobody else is there. */
export const SETTINGS: Omit<Settings, "players" | "face"> = {
  edition: "standard",
  house_rules: false,
  move_ms: 0,
  bank_ms: 0,
  grace_ms: 0,
  look_ms: 0,
  undo_ms: 0,
  undo: true,
  pause: false,
  chat: "off",
  visibility: "link",
  spectators: false,
  cover: "sharp",
};

export interface PublicParts {
  readonly seats: Seats;
  readonly room: Room;
  readonly game: GameShown | null;
  readonly round: RoundShown | null;
  readonly turn: Turn;
}

type Stage = Room["stage"];
type Scores = readonly (readonly number[])[];

/** Where a table stands: before a game, in a round, after one, after a game. */
export function stageOf({ game, rounds, seats }: SavedTable, round: Round | null): Stage {
  if (!game) return "lobby";
  if (round && !round.over) return "play";
  return rounds.length === seats.length ? "over" : "between"; // R1, R2: everybody was starter once
}

/** To a table, a bot goes by its level. */
export const seatName = (who: LocalSeat): string => (who.kind === "bot" ? who.level : who.name);

export function publicParts(
  engine: Engine,
  table: SavedTable,
  round: Round | null,
  scores: Scores,
): PublicParts {
  const names = table.seats.map(seatName);
  const nobody = table.seats.map(() => null);
  const bank = table.game ? table.seats.map(() => 0) : [];
  return {
    seats: { type: "Seats", seats: table.seats.map(seatShown), host: table.seats.findIndex(isPerson) },
    room: {
      type: "Room",
      stage: stageOf(table, round),
      ready: table.ready,
      paused: null,
      undo: null,
      commitment: "",
    },
    game: table.game ? gameShown(engine, table, scores, round) : null,
    round: round && roundShown(round, names),
    turn: { type: "Turn", turn: table.turn, to_act: round?.toAct ?? [], deadlines: nobody, bank },
  };
}

const isPerson = (who: LocalSeat): boolean => who.kind === "person";

const seatShown = (who: LocalSeat): SeatShown => ({
  kind: who.kind,
  name: seatName(who),
  here: true,
  covered: false,
  cat: who.kind === "person" ? (who.cat ?? "") : "",
});

/** The game so far; without others nothing is promised about its deals. */
export function gameShown(engine: Engine, table: SavedTable, scores: Scores, round: Round | null): GameShown {
  const totals = table.seats.map((_, seat) => scores.reduce((sum, points) => sum + points[seat]!, 0));
  return {
    type: "GameShown",
    number: table.game,
    names: table.seats.map(seatName),
    face: faceText(table.face),
    house_rules: [],
    starter: table.starter,
    round: table.rounds.length,
    scores,
    totals,
    winners: stageOf(table, round) === "over" ? winnersOf(engine, totals, scores.at(-1)!) : [],
    commitment: "",
    nonces: [],
    secret: "",
  };
}

/** Who wins: the rules know how ties are broken (R3). */
function winnersOf(engine: Engine, totals: readonly number[], final: readonly number[]): readonly number[] {
  return engine.within(() => {
    const [sums, last] = [engine.row(totals.length, totals), engine.row(final.length, final)];
    return bitsOf(engine.winners(sums, last, totals.length));
  });
}
