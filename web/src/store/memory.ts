/** Where a finished game is remembered: its record, played again in this page. */

import type { Memory, Remembered } from "../ceremony/memory";
import type { Board } from "../lib/scene";
import { sceneOf } from "../lib/stage";
import { askedOf } from "../lib/insight";
import type { GameShown, Position, TableShown } from "../lib/wire";
import type { Replayed } from "../net/replay";
import { linkTo } from "./share.svelte";
import type { TableStore } from "./table.svelte";

type Positions = readonly Pick<Position, "move" | "game" | "round" | "turn">[];

/** The memory of a game that was played at a table. What is needed for it is fetched when it is needed. */
export const memoryOf = (store: TableStore, game: number): Memory => ({
  async recall() {
    const replayed = await replayOf(store, game).catch(() => null);
    return replayed && remember(replayed.positions, store.local ? null : linkTo(store.replayPath(game)));
  },
});

/** The memory of a game that is being watched. */
export const rememberedFrom = (positions: Positions, link: string | null): Memory => ({
  recall: () => remember(positions, link),
});

async function replayOf(store: TableStore, game: number): Promise<Replayed | null> {
  const { replayGame, replayText } = await import("../net/replay");
  if (!store.local) return replayGame(store.replayKey(game), game);
  const [{ collectLocal }, { myGames }] = await Promise.all([
    import("../pages/games/collecting"),
    import("./records"),
  ]);
  await collectLocal().catch(() => undefined); // perhaps it is there all the same
  const kept = await myGames.find(`${store.key}.${game}`);
  return kept ? replayText(kept.text) : null;
}

async function remember(positions: Positions, link: string | null): Promise<Remembered> {
  const { roundsOf } = await import("../ceremony/highlights");
  const boards = await Promise.all(tablesAtEnd(positions).map(boardOf));
  return { rounds: roundsOf({ positions }), boards, link };
}

/** The table at the end of each round, as everybody sees it. */
export function tablesAtEnd(positions: Positions): readonly TableShown[] {
  let game: GameShown | null = null;
  return positions.flatMap(({ game: now, round, turn }) => {
    game = now ?? game;
    if (!round.end || !game) return [];
    const seats = game.names.map((name) => ({
      kind: "person" as const,
      name,
      cat: "",
      here: true,
      covered: false,
    }));
    return [
      { seat: null, seats: { type: "Seats", seats, host: null }, game, round, turn, own: null } as TableShown,
    ];
  });
}

/** A board with its groups; without the engine, they are not joined. */
async function boardOf(table: TableShown): Promise<Board> {
  const { engine } = await import("../engine/client");
  const insight = await engine.ask("insight", askedOf(table)).catch(() => null);
  return sceneOf(table, insight).board;
}
