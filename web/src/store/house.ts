/** What a table plays differently from the printed game, told to everybody (R31). */

import { parseFace } from "../lib/face";
import type { Settings } from "../lib/wire";
import { m } from "../paraglide/messages.js";
import { facesFor, type FaceName, type Players } from "./begin";
import type { TableState } from "./state";

const NAMES: Readonly<Record<FaceName, () => string>> = {
  white: m.home_face_white,
  purple: m.home_face_purple,
};
const BOARDS: Readonly<Record<FaceName, () => string>> = {
  white: m.lobby_face_white,
  purple: m.lobby_face_purple,
};
const isPrinted = (face: string): face is FaceName => face in NAMES;

/** The face that a table plays on; without a word of its own, the usual one. */
export const faceOf = ({ face, players }: Settings): string => face || facesFor(players as Players)[0]!;

/** What it is called: a printed one by its color, another one by the name its drawing has. */
export function faceName(face: string): string {
  return isPrinted(face) ? NAMES[face]() : parseFace(face).name || m.lobby_face_own();
}

/** The same where nothing else says that it is a board. */
export const boardName = (face: string): string => (isPrinted(face) ? BOARDS[face]() : faceName(face));

/** The house rule of a table in words; empty if it has none. Once a game has begun, the server says so. */
export function houseRule({ settings, game }: Pick<TableState, "settings" | "game">): string {
  const { players, house_rules } = settings;
  const face = faceOf(settings);
  const printed = isPrinted(face) && facesFor(players as Players).includes(face);
  const different = game ? game.house_rules.length > 0 : house_rules && !printed;
  return different ? m.lobby_house({ players }) : "";
}
