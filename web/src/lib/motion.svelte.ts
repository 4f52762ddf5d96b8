/** Quiet motion: cards fly from where they were, tokens drop, tricks are swept to their winner. */

import { tick } from "svelte";
import { cubicOut, linear, quintOut } from "svelte/easing";
import { prefersReducedMotion } from "svelte/motion";
import type { TransitionConfig } from "svelte/transition";

export type Speed = "slow" | "normal" | "fast" | "off";
const PACE: Readonly<Record<Speed, number>> = { slow: 1.8, normal: 1, fast: 0.5, off: 0 };

/** The reader's choice; anyone who asks the system for less motion gets none. */
export const motion = $state<{ speed: Speed }>({ speed: "normal" });

/** Anyone who is in a hurry sees none, for one change. */
let hurried = false;

/** The factor for every duration; styles know it as `--pace`. */
export const pace = (): number => (hurried || prefersReducedMotion.current ? 0 : PACE[motion.speed]);

/** Whether the system is asked for less motion: then nothing opens by itself either. */
export const isStill = (): boolean => prefersReducedMotion.current;

/** How long something takes at the chosen speed, in milliseconds. */
export const duration = (millis: number): number => millis * pace();

/** Where things were before the last change, by name: `hand-5`, `seat-2`. */
const spots = new Map<string, DOMRect>();

/** Remember where a thing is, for a flight from there or to there. */
export function spot(node: Element, name: string): void {
  spots.set(name, node.getBoundingClientRect());
}

/** Where a thing was, the last time somebody looked. */
export const spotOf = (name: string): DOMRect | null => spots.get(name) ?? null;

/** Remember all things inside a node that carry `data-spot`. */
export function rememberSpots(root: HTMLElement | undefined): void {
  root?.querySelectorAll<HTMLElement>("[data-spot]").forEach((node) => {
    spot(node, node.dataset["spot"] ?? "");
  });
}

/** `at`: the place where it lies, if that was remembered. Asking where a new thing is has the page laid out at once. */
interface Lying {
  readonly at?: string | undefined;
}

/** A card comes flying from a named place and settles. */
export function flight(node: HTMLElement, { from, at }: { from: string } & Lying): TransitionConfig {
  const [x, y, scale] = way(node, from, at);
  return {
    duration: duration(420),
    easing: quintOut,
    css: (t, u) =>
      `transform: translate(${x * u}px, ${y * u}px) scale(${1 + (scale - 1) * u}) rotate(${-6 * u}deg); opacity: ${Math.min(1, 0.3 + t * 2)}`,
  };
}

/** On its way a card stops being everything and becomes what it is. Anyone who is in a hurry misses it. */
export function collapse(_node: HTMLElement): TransitionConfig {
  return {
    duration: pace() < 1 ? 0 : duration(420),
    easing: linear,
    css: (t) => `opacity: ${between(0, 1, (0.75 - t) / 0.5)}`,
  };
}

/** A card is swept to the seat that won it. */
export function sweep(node: HTMLElement, { to, at }: { to: string } & Lying): TransitionConfig {
  const [x, y, scale] = way(node, to, at);
  return {
    duration: duration(380),
    easing: cubicOut,
    css: (t, u) =>
      `transform: translate(${x * u}px, ${y * u}px) scale(${1 + (scale - 1) * u}); opacity: ${t}`,
  };
}

/** A token drops onto its cell, once its card is nearly there. One motion, so that it ends at once. */
export function drop(_node: HTMLElement): TransitionConfig {
  const [wait, fall] = [180, 260];
  return {
    duration: duration(wait + fall),
    easing: linear,
    css: (time) => {
      const t = cubicOut(between(0, 1, (time * (wait + fall) - wait) / fall));
      return `transform: translateY(${-14 * (1 - t)}px) scale(${1.5 - 0.5 * t}); opacity: ${t}`;
    },
  };
}

/** Anyone who taps has seen enough: all that moves is at once where it was going. */
export function finishMotion(): void {
  for (const one of document.getAnimations()) {
    if (Number.isFinite(Number(one.effect?.getComputedTiming().endTime))) one.finish();
  }
}

/** What has just changed comes without motion. */
export function showAtOnce(): void {
  hurried = true;
  void tick().then(() => {
    hurried = false;
    finishMotion();
  });
}

const between = (least: number, most: number, value: number): number =>
  Math.max(least, Math.min(most, value));

function way(node: HTMLElement, name: string, at = ""): readonly [number, number, number] {
  const here = spots.get(at) ?? node.getBoundingClientRect();
  const there = spots.get(name);
  if (!there || !here.width) return [0, -24, 0.9];
  const scale = between(0.35, 1.4, there.width / here.width);
  return [
    there.left + there.width / 2 - here.left - here.width / 2,
    there.top + there.height / 2 - here.top - here.height / 2,
    scale,
  ];
}
