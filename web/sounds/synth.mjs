// Paper and wood, computed: noise through filters, and bars that ring. Every function returns samples
// between -1 and 1 and uses no chance but its own seed, so that the same script makes the same sounds.

export const RATE = 22050;

/** Softer than this part of its peak, a sound has ended. */
const UNHEARD = 0.006;

const samples = (seconds) => new Float64Array(Math.round(seconds * RATE));

/** White noise, the same for the same seed. */
function noise(length, seed) {
  const out = new Float64Array(length);
  let state = seed >>> 0;
  for (let n = 0; n < length; n += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    out[n] = state / 2 ** 31 - 1;
  }
  return out;
}

/** A band of a sound: a filter of two poles whose center glides from one pitch to another. */
function band(input, from, to, quality) {
  const out = new Float64Array(input.length);
  let [low, mid] = [0, 0];
  for (let n = 0; n < input.length; n += 1) {
    const pitch = from * (to / from) ** (n / input.length);
    const f = 2 * Math.sin((Math.PI * Math.min(pitch, RATE / 6)) / RATE);
    const high = input[n] - low - mid / quality;
    mid += f * high;
    low += f * mid;
    out[n] = mid;
  }
  return out;
}

/** Rises to full within `attack` seconds, then falls by so many powers of ten until the end. */
function shape(input, attack, powers = 2) {
  const rise = attack * RATE;
  return input.map((value, n) => {
    const fall = Math.max(0, (n - rise) / (input.length - rise));
    return value * Math.min(1, n / rise) * 10 ** (-powers * fall) * (1 - fall);
  });
}

/** Paper that slides: noise in a gliding band. */
export const slide = (seconds, { from = 2600, to = 1400, attack = 0.02, seed = 1 } = {}) =>
  shape(band(noise(samples(seconds).length, seed), from, to, 1.2), attack);

/** Paper that tears: small cracks, closer and closer. */
export function tear(seconds, seed = 7) {
  const grain = noise(samples(seconds).length, seed);
  const chance = noise(grain.length, seed + 1);
  const often = (n) => 0.004 + 0.03 * (n / grain.length);
  let open = 0;
  const cracks = grain.map((value, n) => {
    if (Math.abs(chance[n]) < often(n)) open = 1;
    open *= 0.985;
    return value * open;
  });
  return shape(band(cracks, 1800, 4200, 1), 0.01, 0.7);
}

/** Wood that is struck: a few partials, the higher ones gone sooner. `ring`: seconds until the first is gone. */
export function wood(pitch, ring, { partials = [1, 2.76, 5.4], soft = 0.002 } = {}) {
  const out = samples(ring);
  for (const [number, ratio] of partials.entries()) {
    const [step, life] = [(2 * Math.PI * pitch * ratio) / RATE, ring / (1 + 1.6 * number)];
    for (let n = 0; n < Math.min(out.length, life * RATE); n += 1) {
      const fall = n / (life * RATE);
      out[n] += (Math.sin(step * n) * 10 ** (-2.4 * fall) * (1 - fall)) / (1 + 1.4 * number);
    }
  }
  const rise = soft * RATE;
  return out.map((value, n) => value * Math.min(1, n / rise));
}

/** A lid that creaks: wood that sticks and slips, faster and faster. */
export function creak(seconds) {
  const out = samples(seconds);
  let at = 0;
  let every = 0.034;
  while (at < seconds - 0.03) {
    add(out, wood(310 + 140 * (at / seconds), 0.03), at, 0.35 + 0.65 * (at / seconds));
    at += every;
    every = Math.max(0.011, every * 0.955);
  }
  return out;
}

/** Mix a sound into another, from a second on. */
export function add(into, sound, at = 0, loudness = 1) {
  const begin = Math.round(at * RATE);
  for (let n = 0; n < sound.length && begin + n < into.length; n += 1) into[begin + n] += sound[n] * loudness;
  return into;
}

/** Several sounds, each from its second on. */
export function mix(seconds, ...parts) {
  const out = samples(seconds);
  for (const [sound, at, loudness] of parts) add(out, sound, at, loudness);
  return out;
}

/** As loud as wanted at its loudest, without the end that nobody hears. */
export function level(sound, peak) {
  const most = sound.reduce((all, value) => Math.max(all, Math.abs(value)), 0);
  const last = sound.findLastIndex((value) => Math.abs(value) > most * UNHEARD);
  return sound.slice(0, last + 1).map((value) => (value / most) * peak);
}
