/** Small sounds of our own making: a card, a trick, a turn, a paradox, the end. Off by default. */

import type { News } from "../lib/wire";
import { settings } from "./settings.svelte";

type Note = readonly [pitch: number, at: number, length: number, kind?: OscillatorType];
type Sound = "card" | "trick" | "turn" | "paradox" | "over";

const SOUNDS: Readonly<Record<Sound, readonly Note[]>> = {
  card: [[220, 0, 0.05, "triangle"], [330, 0.03, 0.06, "triangle"]],
  trick: [[392, 0, 0.08], [523, 0.08, 0.12]],
  turn: [[660, 0, 0.09], [880, 0.1, 0.16]],
  paradox: [[196, 0, 0.3, "sawtooth"], [185, 0.12, 0.4, "sawtooth"]],
  over: [[392, 0, 0.14], [494, 0.14, 0.14], [587, 0.28, 0.3]],
};
const LOUDNESS = 0.06;
let studio: AudioContext | null = null;

/** Play a sound, if sounds are wanted. */
export function play(name: Sound): void {
  if (!settings.sounds) return;
  studio ??= new AudioContext();
  void studio.resume();
  for (const [pitch, at, length, kind = "sine"] of SOUNDS[name]) tone(studio, pitch, at, length, kind);
}

/** The sound of some news; of several, the weightiest. */
export function soundOf(news: readonly News[]): Sound | null {
  const kinds = new Set(news.map((one) => one.type));
  if (kinds.has("ParadoxShown")) return "paradox";
  if (kinds.has("GameOver")) return "over";
  if (kinds.has("TrickWon")) return "trick";
  return kinds.has("CardPlayed") || kinds.has("CardDiscarded") ? "card" : null;
}

function tone(at: AudioContext, pitch: number, delay: number, length: number, kind: OscillatorType): void {
  const begin = at.currentTime + delay;
  const voice = at.createOscillator();
  const volume = at.createGain();
  voice.type = kind;
  voice.frequency.value = pitch;
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(LOUDNESS, begin + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  voice.connect(volume).connect(at.destination);
  voice.start(begin);
  voice.stop(begin + length + 0.02);
}
