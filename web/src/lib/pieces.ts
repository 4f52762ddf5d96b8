/**
 * A large change of the page in pieces. A hand of cards, or what comes below the board when a round is counted, would
 * be one long task; its parts take turns instead: each has a task of its own, after the picture of the one before.
 */

import { untrack } from "svelte";
import { hasOutlines } from "./first";
import { pace } from "./motion.svelte";

const waiting: (() => void)[] = [];
let isFrameAsked = false;

/**
 * Do something when its turn has come: one piece for each picture. Without motion, and while nobody looks, that is
 * now. Returns how to leave the line.
 */
export function inTurn(work: () => void): () => void {
  waiting.push(work);
  if (untrack(pace) === 0 || document.hidden) allAtOnce();
  else askFrame();
  return () => {
    const at = waiting.indexOf(work);
    if (at >= 0) waiting.splice(at, 1);
  };
}

/** Do all of it now, for somebody in a hurry. */
export function allAtOnce(): void {
  for (let work = waiting.shift(); work; work = waiting.shift()) work();
}

function askFrame(): void {
  if (isFrameAsked) return;
  isFrameAsked = true;
  const next = hasOutlines() ? afterTask : afterPicture; // what nobody sees yet needs no pictures between
  next(() => {
    isFrameAsked = false;
    const work = waiting.shift();
    if (waiting.length) askFrame(); // also if this piece fails
    work?.();
  });
}

/** Once the next picture is drawn, in another task: what is done before it is drawn makes it late. */
function afterPicture(work: () => void): void {
  requestAnimationFrame(() => afterTask(work));
}

/** In another task. */
function afterTask(work: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    work();
  };
  port2.postMessage(null);
}
