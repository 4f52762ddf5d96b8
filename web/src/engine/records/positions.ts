/** Every position of a game, with every hand: what a replay shows. */

import type { GameShown, Position } from "../../lib/protocol";
import type { Replayed } from "../../net/replay";
import type { Engine } from "../module";
import { notationOf } from "../notation";
import { ownShown, roundShown } from "../table/render";
import { Game } from "./game";
import { reading, type Reading } from "./read";
import { recordObject } from "./serialize";

/** Read a record and play it again, position by position. */
export const replayRecord = (engine: Engine, text: string): Reading<Replayed> =>
  reading(engine, text, (game) => ({ record: recordObject(game), positions: positionsOf(game) }));

/** Every position of a game, each deal first; a game that has not changed is not repeated. */
export function positionsOf(whole: Game): readonly Position[] {
  const again = new Game(whole.engine, whole.header);
  const positions: Position[] = [];
  let known = "";
  const show = (move: string): void => {
    again.secret = again.over ? whole.secret : "";
    const game = gameShown(again, 1);
    const now = JSON.stringify(game);
    positions.push(positionOf(again, move, positions.length, now === known ? null : game));
    known = now;
  };
  for (const { deal, log } of whole.rounds) {
    again.deal(deal.hands, deal.aside);
    show("");
    for (const play of log) {
      again.round!.act(play);
      show(`${play.seat}:${notationOf(play.action)}`);
    }
  }
  return positions;
}

function positionOf(game: Game, move: string, turn: number, shown: GameShown | null): Position {
  const round = game.round!;
  const { names } = game.header;
  const nobody = { deadlines: names.map(() => null), bank: names.map(() => 0) };
  return {
    move,
    game: shown,
    round: roundShown(round, names),
    turn: { type: "Turn", turn, to_act: round.toAct, ...nobody },
    own: names.map((_, seat) => ownShown(round, seat)),
  };
}

/** A game by its number at the table; its secret is revealed at its end (R33). */
export function gameShown(game: Game, number: number): GameShown {
  const { names, face, starter, evidence } = game.header;
  return {
    type: "GameShown",
    number,
    names,
    face: face.text,
    house_rules: game.houseRules,
    starter,
    round: game.rounds.length,
    scores: game.scores,
    totals: game.totals,
    winners: game.winners,
    commitment: evidence?.commitment ?? "",
    nonces: evidence?.nonces ?? [],
    secret: game.over ? game.secret : "",
  };
}
