// All sounds in one file, one after the other, and a table of where each begins: one request, and no
// format that some browser cannot read.
import { RATE } from "./synth.mjs";

/** Silence between two sounds, so that none begins with the end of another. */
const GAP = 0.02;

/** @returns {{ wav: Uint8Array, table: Record<string, readonly [at: number, length: number]> }} seconds */
export function sprite(sounds) {
  const table = {};
  const parts = [];
  let at = 0;
  for (const [name, make] of Object.entries(sounds)) {
    const sound = make();
    table[name] = [round(at / RATE), round(sound.length / RATE)];
    const whole = sound.length + Math.round(GAP * RATE);
    parts.push([at, sound]);
    at += whole;
  }
  return { wav: encode(parts, at), table };
}

const round = (seconds) => Math.round(seconds * 1e4) / 1e4;

/** 16 bits, one channel. */
function encode(parts, length) {
  const bytes = new Uint8Array(44 + 2 * length);
  const view = new DataView(bytes.buffer);
  const word = (at, text) => bytes.set(new TextEncoder().encode(text), at);
  word(0, "RIFF");
  view.setUint32(4, 36 + 2 * length, true);
  word(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, 2 * RATE, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  word(36, "data");
  view.setUint32(40, 2 * length, true);
  for (const [at, sound] of parts) {
    sound.forEach((value, n) => view.setInt16(44 + 2 * (at + n), Math.round(value * 32767), true));
  }
  return bytes;
}
