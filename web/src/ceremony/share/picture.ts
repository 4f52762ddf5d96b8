/** The picture of a game, to be shared: who won, and the board of a round. Drawn on a canvas, in the light. */

import type { Board, Color, Owner, Place } from "../../lib/scene";
import { drawSymbol, type Inks, type Symbols } from "./symbols";

export const WIDTH = 1200;
export const HEIGHT = 800;

export interface Picture {
  /** “Ada 17”. */
  readonly title: string;
  /** The totals of the others, the best first. */
  readonly others: string;
  /** Below the board. */
  readonly caption: string;
  readonly board: Board;
}

const SERIF = 'Fraunces, "Iowan Old Style", Palatino, Georgia, serif';
const PAPER = "#fffcf5";
const INK = "#1d2230";
const SOFT = "#545768";
const PURPLE = "#ece3fb";
const TINT: Readonly<Record<Color, string>> = { r: "#f9dedb", b: "#d9e4f7", y: "#fbeeb9", g: "#cfeee2" };
const TEXT: Readonly<Record<Color, string>> = { r: "#a81c23", b: "#0b3c8c", y: "#6f5000", g: "#0c5a46" };
const SEAT = ["#5b3fb5", "#b5540e", "#3f4f66", "#a3316f", "#e8dcc2"] as const;
const INKS: Inks = {
  currentColor: INK,
  "--card": PAPER,
  "--hole": PAPER,
  "--edge": INK,
  "--fill-r": "#c1272d",
  "--fill-b": "#0b3c8c",
  "--fill-y": "#f2c230",
  "--fill-g": "#2fa88a",
};
/** The square paper that everything lies on. */
const PAGE = { left: 56, top: 176, width: WIDTH - 112, height: 520, pad: 28, head: 84, gap: 10 } as const;

/** Draw the picture in parts, one after the other: all of it would be too much at once for a slow phone. */
export const partsOf = (
  canvas: CanvasRenderingContext2D,
  picture: Picture,
  symbols: Symbols,
): readonly (() => void)[] => [
  () => drawHead(canvas, picture, symbols),
  () => drawPage(canvas, picture.board),
  () => drawCells(canvas, picture.board),
  () => drawTokens(canvas, picture.board, symbols),
  () => drawLabels(canvas, picture.board, symbols),
  () => drawFoot(canvas, picture),
];

function drawFoot(canvas: CanvasRenderingContext2D, picture: Picture): void {
  canvas.textAlign = "left";
  text(canvas, picture.caption, [PAGE.left, HEIGHT - 44], `440 30px ${SERIF}`, SOFT);
  canvas.textAlign = "right";
  text(canvas, "catinthebox", [WIDTH - PAGE.left, HEIGHT - 44], `620 30px ${SERIF}`, INK);
}

function drawHead(canvas: CanvasRenderingContext2D, { title, others }: Picture, symbols: Symbols): void {
  canvas.fillStyle = PAPER;
  canvas.fillRect(0, 0, WIDTH, HEIGHT);
  drawSymbol(canvas, symbols("logo"), [PAGE.left, 36, 116], INKS);
  canvas.textAlign = "left";
  text(canvas, title, [PAGE.left + 144, 122], `640 76px ${SERIF}`, INK, WIDTH - 560);
  canvas.textAlign = "right";
  text(canvas, others, [WIDTH - PAGE.left, 118], `560 44px ${SERIF}`, SOFT, 300);
}

function text(
  canvas: CanvasRenderingContext2D,
  words: string,
  [x, y]: readonly [number, number],
  font: string,
  ink: string,
  most?: number,
): void {
  canvas.font = font;
  canvas.fillStyle = ink;
  canvas.fillText(words, x, y, most);
}

/** Squared paper. */
function drawPage(canvas: CanvasRenderingContext2D, { name }: Board): void {
  const { left, top, width, height } = PAGE;
  canvas.fillStyle = name === "purple" ? PURPLE : "#fffdf7";
  canvas.strokeStyle = name === "purple" ? "#7a5fd0" : "#c8ba9e";
  canvas.lineWidth = 4;
  canvas.beginPath();
  canvas.roundRect(left, top, width, height, 32);
  canvas.fill();
  canvas.save();
  canvas.clip();
  canvas.strokeStyle = "#5f82a824";
  canvas.lineWidth = 1.5;
  for (let x = left; x < left + width; x += 26) line(canvas, x, top, x, top + height);
  for (let y = top; y < top + height; y += 26) line(canvas, left, y, left + width, y);
  canvas.restore();
  canvas.beginPath();
  canvas.roundRect(left, top, width, height, 32);
  canvas.stroke();
}

function line(canvas: CanvasRenderingContext2D, x: number, y: number, toX: number, toY: number): void {
  canvas.beginPath();
  canvas.moveTo(x, y);
  canvas.lineTo(toX, toY);
  canvas.stroke();
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where a cell lies on the picture. */
export function boxOf(
  board: Pick<Board, "rows" | "columns" | "narrowEnd">,
  row: number,
  column: number,
): Box {
  const { left, top, pad, head, gap } = PAGE;
  const { rows } = board;
  const columns = board.columns - (board.narrowEnd ? 1 : 0); // the last one has nothing to show
  const width = (PAGE.width - 2 * pad - head - columns * gap) / columns;
  const height = (PAGE.height - 2 * pad - (rows - 1) * gap) / rows;
  return {
    x: left + pad + head + gap + column * (width + gap),
    y: top + pad + row * (height + gap),
    width,
    height,
  };
}

function drawCells(canvas: CanvasRenderingContext2D, board: Board): void {
  for (const place of board.places) drawCell(canvas, boxOf(board, place.row, place.column), place);
}

function drawTokens(canvas: CanvasRenderingContext2D, board: Board, symbols: Symbols): void {
  for (const place of board.places) drawBonds(canvas, board, place);
  for (const place of board.places)
    drawToken(canvas, boxOf(board, place.row, place.column), place.owner, symbols);
}

function drawLabels(canvas: CanvasRenderingContext2D, board: Board, symbols: Symbols): void {
  for (const [row, label] of board.labels.entries()) {
    if (!label.color) continue;
    const { x, y, width, height } = boxOf(board, row, label.column - 1);
    const size = Math.min(64, height * 0.7);
    const middle = label.column === 0 ? PAGE.left + PAGE.pad + PAGE.head / 2 : x + width / 2;
    drawSymbol(
      canvas,
      symbols(`suit-${label.color.toUpperCase()}`),
      [middle - size / 2, y + (height - size) / 2, size],
      INKS,
    );
  }
}

function drawCell(
  canvas: CanvasRenderingContext2D,
  { x, y, width, height }: Box,
  { color, rank, owner }: Place,
): void {
  canvas.fillStyle = TINT[color];
  canvas.strokeStyle = `${TEXT[color]}60`;
  canvas.lineWidth = 2;
  canvas.beginPath();
  canvas.roundRect(x, y, width, height, 14);
  canvas.fill();
  canvas.stroke();
  if (owner !== null) return;
  canvas.textAlign = "center";
  text(canvas, `${rank}`, [x + width / 2, y + height / 2 + 16], `620 46px ${SERIF}`, `${TEXT[color]}b0`);
}

function drawBonds(canvas: CanvasRenderingContext2D, board: Board, place: Place): void {
  if (typeof place.owner !== "number") return;
  canvas.strokeStyle = place.owner === 4 ? "#a8987a" : (SEAT[place.owner] ?? INK);
  canvas.lineWidth = 20;
  const from = middle(boxOf(board, place.row, place.column));
  if (place.joinsRight) line(canvas, ...from, ...middle(boxOf(board, place.row, place.column + 1)));
  if (place.joinsDown) line(canvas, ...from, ...middle(boxOf(board, place.row + 1, place.column)));
}

const middle = ({ x, y, width, height }: Box): [number, number] => [x + width / 2, y + height / 2];

function drawToken(canvas: CanvasRenderingContext2D, box: Box, owner: Owner, symbols: Symbols): void {
  if (owner === null) return;
  const [x, y] = middle(box);
  const radius = Math.min(box.width, box.height) * 0.42;
  canvas.beginPath();
  if (owner === "neutral")
    canvas.roundRect(x - radius * 0.8, y - radius * 0.8, radius * 1.6, radius * 1.6, 8);
  else canvas.arc(x, y, radius, 0, 2 * Math.PI);
  canvas.fillStyle = owner === "neutral" ? "#b9b2a4" : (SEAT[owner] ?? INK);
  canvas.fill();
  if (owner === "neutral") return;
  canvas.strokeStyle = owner === 4 ? INK : "#ffffff40";
  canvas.lineWidth = 4;
  canvas.stroke();
  const size = radius * 1.6;
  const inks = { ...INKS, currentColor: owner === 4 ? INK : "#fff" };
  drawSymbol(canvas, symbols(`seat-${owner}`), [x - size / 2, y - size / 2, size], inks);
}
