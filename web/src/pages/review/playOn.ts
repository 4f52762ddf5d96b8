/** Playing on from a decision of a finished game: its cards as they were, bots in all other seats. */

import type { LocalSeat, NewTable, RoundLog } from "../../engine/table/saved";
import { facesFor, type Players } from "../../lib/counts";
import { parseFace } from "../../lib/face";
import { LEVELS } from "../../store/names";
import { chaptersOf, type Film } from "../replay/film";
import type { Decision } from "./reading";

/** The table that goes on before a decision; null where a game cannot, with a face or rules of its own. */
export function tableFrom(
  film: Film,
  { round, step, seat }: Decision,
  person: { readonly level: string; readonly name: string; readonly cat: string },
): NewTable | null {
  const { record } = film;
  const name = parseFace(film.frames[0]!.game.face).name;
  const face = facesFor(record.players as Players).find((one) => one === name);
  if (!face || (record.edition ?? "standard") !== "standard") return null;
  const seats = record.names.map((other, number): LocalSeat => {
    if (number === seat) return { kind: "person", name: person.name, cat: person.cat };
    return { kind: "bot", level: LEVELS.includes(other) ? other : person.level };
  });
  return { face, seats, from: { starter: record.starter, rounds: roundsUntil(film, round, step) } };
}

/** The rounds before a decision, with the actions of its own round that came before. */
function roundsUntil(film: Film, until: number, step: number): readonly RoundLog[] {
  return chaptersOf(film)
    .filter(({ round }) => round <= until)
    .map(({ round, moves }, n) => {
      const { deal, aside = "" } = film.record.rounds[n]!;
      const all = moves.map((place) => film.frames[place]!.move);
      return { hands: deal, aside, moves: round === until ? all.slice(0, step) : all };
    });
}
