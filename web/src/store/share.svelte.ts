/** Links that are given to others, and the way into the clipboard. */

import { addressOf } from "../lib/address";
import { publicOrigin } from "../net/http";

let origin = $state(location.origin);
void publicOrigin().then((found) => (origin = found));

/** The address of a path of ours, as others can reach it. */
export const linkTo = (path: string): string => origin + addressOf(path);

/** Copy a link; false if this browser does not let us. */
export async function copyLink(link: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    return copyByHand(link); // no clipboard without https
  }
}

/** The old way: a field that is selected. Under a dialog nothing can be, so it goes into the dialog. */
function copyByHand(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr";
  const before = document.activeElement;
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
