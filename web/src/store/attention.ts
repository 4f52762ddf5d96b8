/** Telling somebody that it is their turn: in the title, on the tab, and, if wanted, beyond. */

import { m } from "../paraglide/messages.js";
import { settings } from "./settings.svelte";
import { play } from "./sound";

const CALM = "/icon.svg";
const CALLING = "/icon-turn.svg";

/** Let the tab say whether somebody is waited for. */
export function showTurn(mine: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const href = mine ? CALLING : CALM;
  if (icon && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
}

/** The title of a page while it is, or is not, the reader's turn. */
export const titleOf = (mine: boolean, rest: string): string =>
  mine ? `● ${m.net_told_your_turn()} · ${rest}` : rest;

/** Call somebody whose turn has come. */
export function call(): void {
  play("turn");
  if (settings.vibrate && "vibrate" in navigator && touched()) navigator.vibrate(40);
  if (settings.notify && document.hidden && mayNotify()) notify();
}

/** A page that was just loaded again may not shake a phone before it is touched; browsers complain. */
const touched = (): boolean => navigator.userActivation?.hasBeenActive ?? true;

const mayNotify = (): boolean => "Notification" in globalThis && Notification.permission === "granted";

/** Ask whether notifications are welcome. */
export async function askToNotify(): Promise<boolean> {
  if (!("Notification" in globalThis)) return false;
  return mayNotify() || (await Notification.requestPermission()) === "granted";
}

function notify(): void {
  try {
    const note = new Notification(m.app_name(), { body: m.net_told_your_turn(), icon: CALM, tag: "turn" });
    note.onclick = () => {
      window.focus();
      note.close();
    };
  } catch {
    // Phones allow it to service workers only; there the vibration has to do.
  }
}
