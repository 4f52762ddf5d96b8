/**
 * What lies on top. An open sheet makes everything outside it deaf and dumb, for the browser's own
 * good reasons; so whatever must be heard and seen all the same moves into it.
 */

import { untrack } from "svelte";

let sheets = $state.raw<readonly HTMLElement[]>([]);

/** A sheet is open until the answer is called. */
export function lieOnTop(sheet: HTMLElement): () => void {
  sheets = [...untrack(() => sheets), sheet];
  return () => (sheets = sheets.filter((one) => one !== sheet));
}

/** Keep a node inside the sheet on top; without one, where it belongs. It needs a parent of its own. */
export function alongOnTop(node: HTMLElement): () => void {
  const home = node.parentElement;
  $effect(() => (sheets.at(-1) ?? home)?.append(node));
  return () => node.remove();
}
