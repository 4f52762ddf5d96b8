/** For tests of components: draw one into the page, find its parts, and use them as people do. */

import { flushSync, mount, unmount, type Component } from "svelte";
import { onTestFinished } from "vitest";
import { motion } from "../lib/motion.svelte";

document.getAnimations ??= () => []; // happy-dom has none

/** Draw a component, without motion; it goes with the test. */
export function draw<Props extends Record<string, unknown>>(
  component: Component<Props>,
  props: Props,
): HTMLElement {
  motion.speed = "off";
  const target = document.body.appendChild(document.createElement("div"));
  const drawn = mount(component, { target, props });
  flushSync();
  onTestFinished(async () => {
    await unmount(drawn);
    target.remove();
  });
  return target;
}

/** The one part that a selector means, and whose words contain a text. */
export function part<T extends HTMLElement>(root: ParentNode, selector: string, text = ""): T {
  const found = [...root.querySelectorAll<T>(selector)].filter((one) => words(one).includes(text));
  if (found.length !== 1) throw new Error(`${found.length} parts are ${selector} “${text}”`);
  return found[0]!;
}

/** What a part says, to everybody. */
export const words = (one: Element): string =>
  `${one.getAttribute("aria-label") ?? ""} ${one.textContent}`.replace(/\s+/g, " ").trim();

/** Tap a part; `times` is how often it was tapped in a row by now. */
export function tap(one: HTMLElement, times = 1): void {
  one.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: times }));
  flushSync();
}

/** Press a key where the focus is. */
export function press(key: string): void {
  const there = document.activeElement ?? document.body;
  there.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  flushSync();
}
