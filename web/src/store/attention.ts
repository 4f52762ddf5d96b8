/** Telling somebody that it is their turn: in the title, on the tab, and, if wanted, beyond. */

import { play } from "../ceremony/sound/sound";
import { fileAt } from "../lib/address";
import { m } from "../paraglide/messages.js";
import { settings } from "./settings.svelte";

const CALM = fileAt("icon.svg");
const CALLING = fileAt("icon-turn.svg");

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
  if (settings.notify && document.hidden && mayNotify()) void notify();
}

/** A page that was just loaded again may not shake a phone before it is touched; browsers complain. */
const touched = (): boolean => navigator.userActivation?.hasBeenActive ?? true;

const mayNotify = (): boolean => "Notification" in globalThis && Notification.permission === "granted";

/** Ask whether notifications are welcome. */
export async function askToNotify(): Promise<boolean> {
  if (!("Notification" in globalThis)) return false;
  return mayNotify() || (await Notification.requestPermission()) === "granted";
}

/** Phones allow notifications to workers only; a page without one (plain http) tries by itself. */
async function notify(): Promise<void> {
  const title = m.app_name();
  const data = { path: location.pathname + location.search };
  const note = { body: m.net_told_your_turn(), icon: CALM, tag: "turn", data };
  try {
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker?.active) await worker.showNotification(title, note);
    else new Notification(title, note).onclick = () => window.focus();
  } catch {
    // Not here; the sound and the title have to do.
  }
}
