/** Quiet motion: cards fly from where they were, tokens drop, tricks are swept to their winner. */

import { cubicOut, quintOut } from "svelte/easing";
import { prefersReducedMotion } from "svelte/motion";
import type { TransitionConfig } from "svelte/transition";

export type Speed = "slow" | "normal" | "fast" | "off";
const PACE: Readonly<Record<Speed, number>> = { slow: 1.8, normal: 1, fast: 0.5, off: 0 };

/** The reader's choice; whoever asks the system for less motion gets none. */
export const motion = $state<{ speed: Speed }>({ speed: "normal" });

/** The factor for every duration; styles know it as `--pace`. */
export const pace = (): number => (prefersReducedMotion.current ? 0 : PACE[motion.speed]);

/** How long something takes at the chosen speed, in milliseconds. */
export const duration = (millis: number): number => millis * pace();

/** Where things were before the last change, by name: `hand-5`, `seat-2`. */
const spots = new Map<string, DOMRect>();

/** Remember where a thing is, for a flight from there or to there. */
export function spot(node: HTMLElement, name: string): void {
  spots.set(name, node.getBoundingClientRect());
}

/** Remember all things inside a node that carry `data-spot`. */
export function rememberSpots(root: HTMLElement | undefined): void {
  root?.querySelectorAll<HTMLElement>("[data-spot]").forEach((node) => {
    spot(node, node.dataset["spot"] ?? "");
  });
}

/** A card comes flying from a named place and settles. */
export function flight(node: HTMLElement, { from }: { from: string }): TransitionConfig {
  const [x, y, scale] = way(node, from);
  return {
    duration: duration(420),
    easing: quintOut,
    css: (t, u) =>
      `transform: translate(${x * u}px, ${y * u}px) scale(${1 + (scale - 1) * u}) rotate(${-6 * u}deg); opacity: ${Math.min(1, 0.3 + t * 2)}`,
  };
}

/** A card is swept to the seat that won it. */
export function sweep(node: HTMLElement, { to }: { to: string }): TransitionConfig {
  const [x, y, scale] = way(node, to);
  return {
    duration: duration(380),
    easing: cubicOut,
    css: (t, u) =>
      `transform: translate(${x * u}px, ${y * u}px) scale(${1 + (scale - 1) * u}); opacity: ${t}`,
  };
}

/** A token drops onto its cell. */
export function drop(_node: HTMLElement): TransitionConfig {
  return {
    delay: duration(180),
    duration: duration(260),
    easing: cubicOut,
    css: (t, u) => `transform: translateY(${-14 * u}px) scale(${1 + 0.5 * u}); opacity: ${t}`,
  };
}

function way(node: HTMLElement, name: string): readonly [number, number, number] {
  const here = node.getBoundingClientRect();
  const there = spots.get(name);
  if (!there || !here.width) return [0, -24, 0.9];
  const scale = Math.min(1.4, Math.max(0.35, there.width / here.width));
  return [
    there.left + there.width / 2 - here.left - here.width / 2,
    there.top + there.height / 2 - here.top - here.height / 2,
    scale,
  ];
}
