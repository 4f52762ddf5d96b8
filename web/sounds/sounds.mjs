// What each sound is made of. Peaks differ on purpose: what comes often is soft.
import { creak, level, mix, slide, tear, wood } from "./synth.mjs";

/** A marimba: bars tuned so that the second partial is two octaves up. */
const bar = (pitch, ring) => wood(pitch, ring, { partials: [1, 4, 9.2], soft: 0.004 });
const thud = (pitch = 120, ring = 0.11) => wood(pitch, ring, { partials: [1, 1.9, 3.1], soft: 0.001 });
const flick = (seed) => slide(0.045, { from: 3400, to: 2200, attack: 0.004, seed });

const deal = () =>
  mix(
    0.5,
    ...Array.from({ length: 9 }, (_, n) => [flick(20 + n), 0.012 + n * (0.062 - n * 0.0024), 0.6 + n * 0.04]),
  );

export const SOUNDS = {
  /** Cards are dealt. */
  deal: () => level(deal(), 0.4),
  /** A card is laid down, or set aside. */
  card: () => level(mix(0.14, [slide(0.07, { seed: 3 }), 0, 0.9], [thud(150, 0.08), 0.045, 0.8]), 0.42),
  /** Bids are opened: a knock on the table. */
  knock: () => level(mix(0.16, [thud(210, 0.1), 0, 1], [wood(540, 0.05), 0, 0.4]), 0.4),
  /** A trick is taken in. */
  trick: () =>
    level(
      mix(
        0.36,
        [slide(0.26, { from: 1500, to: 3000, attack: 0.09, seed: 5 }), 0, 1],
        [bar(392, 0.22), 0.14, 0.7],
      ),
      0.42,
    ),
  /** The own turn. */
  turn: () => level(mix(0.42, [bar(587, 0.26), 0, 0.8], [bar(784, 0.32), 0.1, 1]), 0.42),
  /** A color is given up. */
  tear: () => level(tear(0.24), 0.34),
  /** Red is opened: low wood, and a bright bar above it. */
  red: () =>
    level(mix(0.55, [thud(98, 0.3), 0, 1], [bar(294, 0.4), 0.02, 0.7], [bar(440, 0.42), 0.12, 0.6]), 0.5),
  /** A box is opened that should have stayed closed. */
  paradox: () =>
    level(
      mix(
        1.15,
        [creak(0.62), 0, 0.7],
        [thud(62, 0.5), 0.6, 1.3],
        [bar(185, 0.5), 0.62, 0.6],
        [bar(262, 0.5), 0.64, 0.5],
      ),
      0.6,
    ),
  /** One more point. */
  tick: () => level(wood(880, 0.05), 0.25),
  /** A stamp. */
  stamp: () =>
    level(mix(0.16, [thud(135, 0.12), 0, 1], [slide(0.06, { from: 900, to: 500, seed: 9 }), 0, 0.7]), 0.5),
  /** The game is won. */
  victory: () =>
    level(
      mix(
        1.25,
        [bar(392, 0.4), 0, 0.8],
        [bar(494, 0.4), 0.13, 0.8],
        [bar(587, 0.4), 0.26, 0.85],
        [bar(784, 0.8), 0.42, 1],
        [bar(587, 0.7), 0.42, 0.5],
      ),
      0.55,
    ),
};
