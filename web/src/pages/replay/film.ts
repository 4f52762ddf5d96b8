/** A game as a film: its positions in order, seen from anywhere. */

import type { Color, Scene, Seat } from "../../lib/scene";
import { listed, colorWord } from "../../lib/words";
import type { GameShown, Own, Position, TableShown } from "../../lib/wire";
import type { GameRecord, Replayed } from "../../net/replay";
import { m } from "../../paraglide/messages.js";
import type { Lingering } from "../../store/linger";
import { botName, LEVELS } from "../../store/names";

/** From where a game is looked at: a seat, as everybody, or into all hands. */
export type Sight = Seat | "public" | "open";

interface Frame extends Omit<Position, "game"> {
  readonly game: GameShown;
}

export interface Film {
  readonly record: GameRecord;
  readonly names: readonly string[];
  /** By seat, what the cat is drawn from; empty: the name. */
  readonly cats: readonly string[];
  readonly frames: readonly Frame[];
  /** Where tricks and rounds begin, and where rounds end: nobody should miss a paradox. */
  readonly cuts: readonly number[];
}

/** A record says nothing of cats: they come from whatever else is known of the game. */
export function filmOf({ record, positions }: Replayed, cats: readonly string[] = []): Film {
  let game: GameShown | null = null;
  const frames = positions.map((position) => ({ ...position, game: (game = position.game ?? game)! }));
  const isCut = ({ move, round }: Frame): boolean => !move || round.trick.length === 1 || !!round.end;
  const cuts = frames.flatMap((frame, at) => (isCut(frame) ? [at] : []));
  const names = record.names.map((name, seat) => (isBot(record, seat) ? botName(seat) : name));
  return { record, names, cats, frames, cuts };
}

/** A bot goes by its level, and brings no nonce. Somebody may be called Sharp, and brings one. */
const isBot = ({ names, nonces }: GameRecord, seat: Seat): boolean =>
  LEVELS.includes(names[seat] ?? "") && (nonces?.[seat] ?? "-") === "-";

/** What is on the table at a moment; a seat also sees what it could have done. */
export function tableAt(film: Film, at: number, sight: Sight): TableShown {
  const frame = film.frames[at]!;
  const seats = film.names.map((name, number) => ({
    kind: "person" as const,
    name,
    here: true,
    covered: false,
    cat: film.cats[number] ?? "",
  }));
  const seat = typeof sight === "number" ? sight : null;
  return {
    seat,
    seats: { type: "Seats", seats, host: null },
    game: { ...frame.game, names: film.names },
    round: frame.round,
    turn: frame.turn,
    own: seat === null ? null : handAt(film, at, seat),
  };
}

/** What a seat holds at a moment. */
export const handAt = (film: Film, at: number, seat: Seat): Own => film.frames[at]!.own[seat]!;

/** The trick that the last card has just completed stays in sight. */
export function trickAt(film: Film, at: number): Lingering | null {
  const { move, round } = film.frames[at]!;
  if (!/:[1-9][rbyg]$/.test(move) || round.trick.length || !round.last_trick.length) return null;
  return { cards: round.last_trick, winner: round.leader };
}

/** The next cut after a moment, or the last one before it. */
export function cutFrom(film: Film, at: number, forward: boolean): number {
  if (forward) return film.cuts.find((cut) => cut > at) ?? film.frames.length - 1;
  return film.cuts.findLast((cut) => cut < at) ?? 0;
}

/** A round of a film: where it begins, and its moves. */
export interface Chapter {
  readonly round: number;
  readonly begin: number;
  /** By their place in the film: all but the first, which is the deal. */
  readonly moves: readonly number[];
}

/** The rounds of a film, for the marks on the slider and the list of moves. */
export function chaptersOf({ frames }: Film): readonly Chapter[] {
  const begins = frames.flatMap(({ move }, at) => (move ? [] : [at]));
  return begins.map((begin, n) => {
    const end = begins[n + 1] ?? frames.length;
    const moves = Array.from({ length: end - begin - 1 }, (_, place) => begin + 1 + place);
    return { round: frames[begin]!.game.round, begin, moves };
  });
}

/** A scene to look at: what was asked then is answered already, so nothing can be chosen. */
export function still(scene: Scene): Scene {
  const { ask } = scene;
  if (ask.kind === "over" || ask.kind === "wait" || scene.phase === "over") return scene;
  const hand = scene.hand.map((card) => ({
    ...card,
    playable: false,
    options: card.options.map((option) => ({ ...option, legal: false })),
  }));
  const seats = scene.seats.filter((seat) => seat.toAct).map((seat) => seat.seat);
  return { ...scene, hand, ask: { kind: "wait", phase: scene.phase, seats } };
}

/** What has just happened, in words. */
export function caption(film: Film, at: number): string {
  const { move, round, game } = film.frames[at]!;
  if (!move) return m.net_told_dealt({ round: game.round });
  const [seat, action] = [Number(move[0]), move.slice(2)];
  const name = film.names[seat] ?? "";
  const words = [moveWords(name, action)];
  const trick = trickAt(film, at);
  if (trick && trick.winner !== null) words.push(m.net_told_won({ name: film.names[trick.winner] ?? "" }));
  if (round.end?.paradox != null) {
    const count = round.end.hand.length;
    words.push(m.net_told_paradox({ name: film.names[round.end.paradox] ?? "", count }));
  } else if (round.end) words.push(m.over_round());
  if (game.winners.length)
    words.push(m.net_told_over({ names: listed(game.winners.map((one) => film.names[one] ?? "")) }));
  return words.join(" ");
}

function moveWords(name: string, action: string): string {
  if (action.startsWith("-")) return m.net_told_set({ name });
  if (action.startsWith("=")) return m.net_told_bid({ name, bid: Number(action.slice(1)) });
  const card = m.card_as({ color: colorWord(action[1] as Color), rank: Number(action[0]) });
  return m.net_told_play({ name, card });
}
