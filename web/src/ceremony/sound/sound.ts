/**
 * Sounds of paper and wood (`web/sounds` makes them). They are on after the first tap, because no browser
 * plays anything before; one switch, one slider.
 */

import { settings } from "../../store/settings.svelte";
import table from "./sounds.json";
import address from "./sounds.wav?url";

export type Sound = keyof typeof table;

const SPRITE = table as unknown as Readonly<Record<Sound, readonly [at: number, length: number]>>;
/** Two at once are one too many: of what comes this close together, the first is heard. */
const APART_MS = 40;
const TAPS = ["pointerup", "keyup"] as const; // a press alone is not yet a tap, for browsers

let context: AudioContext | null = null;
let volume: GainNode | null = null;
let loading: Promise<AudioBuffer | null> | null = null;
let loaded: AudioBuffer | null = null;
let last = -Infinity;

/**
 * Fetch the sounds as soon as somebody has touched the page. Some browsers let sounds begin in a tap only: every tap
 * says so again until they can be heard. The answer stops waiting for taps.
 */
export function loadAfterTap(target: EventTarget = window): () => void {
  const begin = (): void => {
    if (settings.sounds) void prepare();
    if (context?.state === "running") stop();
    else void context?.resume();
  };
  const stop = (): void => {
    for (const kind of TAPS) target.removeEventListener(kind, begin, true);
  };
  for (const kind of TAPS) target.addEventListener(kind, begin, true);
  if (touched()) begin();
  return stop;
}

/** Play a sound, if sounds are wanted and there: one that comes late is worse than none. */
export function play(name: Sound): void {
  if (!settings.sounds || settings.volume <= 0 || document.hidden) return;
  if (!loaded) return void prepare();
  const now = Date.now();
  if (now - last < APART_MS) return;
  last = now;
  start(loaded, name);
}

/** Play a sound for somebody who has just asked to hear it. */
export async function sample(name: Sound): Promise<void> {
  if (!settings.sounds) return;
  const buffer = await prepare();
  if (buffer) start(buffer, name);
}

function start(buffer: AudioBuffer, name: Sound): void {
  if (!context || !volume) return;
  void context.resume();
  volume.gain.value = settings.volume ** 2; // ears count in powers
  const [at, length] = SPRITE[name];
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(volume);
  source.start(0, at, length);
}

function prepare(): Promise<AudioBuffer | null> {
  if (!touched()) return Promise.resolve(null); // browsers complain
  return (loading ??= load().catch(() => ((loading = null), null)));
}

async function load(): Promise<AudioBuffer> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`no sounds: ${answer.status}`);
  const bytes = await answer.arrayBuffer();
  // Not together with whatever should have been heard: a slow phone takes long to open its loudspeaker.
  context ??= new AudioContext();
  if (!volume) {
    volume = new GainNode(context);
    volume.connect(context.destination);
  }
  loaded = await context.decodeAudioData(bytes);
  return loaded;
}

const touched = (): boolean => navigator.userActivation?.hasBeenActive ?? true;
