/** Reads the header of a record: who plays which edition on which face, and what was promised. */

import type { Engine } from "../module";
import { BadFace, faceNamed, faceOf, type Face } from "./face";
import { EDITIONS, Game, headerProblems, type Evidence, type SetupProblem } from "./game";
import { numberOf, oneWord, RecordError, type Line, type Word } from "./lines";
import { quoted, shortened, written } from "./python_text";
import { FAIR_VERSION, HOUSE_FACE, NOTHING, PROMISE_LINES, VERSION } from "./serialize";

/** Where the header's lines come from. */
export interface Lines {
  /** Take the next line, which must be of this kind. */
  take(kind: string): Line;
  /** Take all lines of a kind that come next. */
  takeAll(kind: string): readonly Line[];
}

const DIGITS = /^[0-9a-f]{64}$/;
const TABLE = /^[A-Za-z0-9_-]{1,64}$/;

/** Read the header, and begin the game. */
export function readHeader(engine: Engine, lines: Lines): Game {
  const version = oneWord(lines.take("catinthebox"));
  if (version.text !== VERSION)
    throw new RecordError(version.where, `version ${quoted(version.text)} is unknown; this reads ${VERSION}`);
  const players = lines.take("players");
  const names = lines.take("names");
  const edition = lines.take("edition");
  const face = lines.take("face");
  const grid = lines.takeAll("row");
  const house = lines.takeAll("house");
  checkHouse(house);
  const promise = takePromise(lines);
  const starter = lines.take("starter");
  const count = numberOf(oneWord(players));
  const header = {
    names: names.words.map((word) => word.text),
    edition: readEdition(edition),
    face: readFace(face, grid),
    starter: numberOf(oneWord(starter)),
    evidence: promise && readPromise(promise),
  };
  const places = { players, names, face, starter, ...(promise ?? {}) };
  refuse(headerProblems(header, count, house.length > 0), places);
  const game = new Game(engine, header);
  if (house[0] && !game.houseRules.length)
    throw new RecordError(house[0].where, "this face is no house rule, it is the printed one", "R31");
  return game;
}

/** Throw all problems at once; the place is that of the first. */
function refuse(problems: readonly SetupProblem[], places: Readonly<Record<string, Line>>): void {
  const [first] = problems;
  if (!first) return;
  const line = places[first.code.replace("setup.", "")]!;
  throw new RecordError(line.where, allWords(problems), first.clause, first.code);
}

/** All problems in one sentence, each with its clause. */
export const allWords = (problems: readonly SetupProblem[]): string =>
  problems.map(({ message, clause }) => `${message} (${clause})`).join("; ");

function checkHouse(house: readonly Line[]): void {
  const words = house.map((line) => oneWord(line).text);
  if (house[0] && words.join() !== HOUSE_FACE)
    throw new RecordError(house[0].where, `the only house rule known is ${written(HOUSE_FACE)}`);
}

function readEdition(line: Line): string {
  const { text } = oneWord(line);
  if (Object.hasOwn(EDITIONS, text)) return text;
  const known = Object.keys(EDITIONS).join(", ");
  throw new RecordError(line.where, `no edition ${written(text)}; there are ${known}`);
}

function readFace(line: Line, grid: readonly Line[]): Face {
  const name = oneWord(line);
  try {
    if (!grid.length) return faceNamed(name.text);
    return faceOf(name.text, grid.map((row) => row.words.map((word) => word.text)));
  } catch (error) {
    throw error instanceof BadFace ? new RecordError(name.where, error.message) : error;
  }
}

// ── Fair deals ─────────────────────────────────────────────────────────────────────────────────

type Promised = Readonly<Record<(typeof PROMISE_LINES)[number], Line>>;

function takePromise(lines: Lines): Promised | null {
  const [fair, ...more] = lines.takeAll(PROMISE_LINES[0]);
  if (!fair) return null;
  const version = oneWord(fair);
  if (`${numberOf(version)}` !== FAIR_VERSION) {
    const sentence = `fair deals of version ${version.text} are unknown; this reads ${FAIR_VERSION}`;
    throw new RecordError(version.where, sentence);
  }
  if (more[0]) throw new RecordError(more[0].where, `expected ${written(PROMISE_LINES[1])} here, found ${written(PROMISE_LINES[0])}`);
  const [table, commitment, nonces] = [lines.take("table"), lines.take("commitment"), lines.take("nonces")];
  return { fair, table, commitment, nonces };
}

/** Read what was public before the first deal. Whether it was kept is not checked here. */
function readPromise(promise: Promised): Evidence {
  const table = oneWord(promise.table).text;
  const commitment = oneWord(promise.commitment).text;
  const nonces = promise.nonces.words.map((word) => (word.text === NOTHING ? "" : digitsOf(word)));
  const problems: SetupProblem[] = [];
  if (!DIGITS.test(commitment))
    problems.push(broken("commitment", "a commitment is 64 hexadecimal digits, small letters"));
  if (!TABLE.test(table))
    problems.push(broken("table", "a table id is 1 to 64 of the letters A-Z and a-z, digits, '_' and '-'"));
  refuse(problems, promise);
  return { table, commitment, nonces };
}

const broken = (name: string, message: string): SetupProblem => ({ code: `setup.${name}`, clause: "R5", message });

/** Read 32 bytes; there is one way to write them. */
export function digitsOf(word: Word): string {
  if (DIGITS.test(word.text)) return word.text;
  throw new RecordError(word.where, `${shortened(word.text)} is not 64 hexadecimal digits, small letters`);
}
