/** The printed faces, as the rules and the protocol have them. */

import { FACES, type FaceName, type Row } from "../generated/rules";
import type { Engine } from "../module";

export type { FaceName };

export const isFace = (name: unknown): name is FaceName =>
  typeof name === "string" && Object.hasOwn(FACES, name);

/** Which cells touch, as a row that stays. */
export const touchRow = (engine: Engine, face: FaceName): Row =>
  engine.row(FACES[face].touch.length, FACES[face].touch);

/** The text of a face file. */
export const faceText = (face: FaceName): string => FACES[face].text;
