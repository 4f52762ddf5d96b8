/** What the reader has chosen. It is kept in the browser and shared by all its tabs. */

import { motion, type Speed } from "../lib/motion.svelte";
import { keepJson, keptJson, onKept } from "./keep";

export interface Choices {
  theme: "auto" | "light" | "dark";
  palette: "standard" | "contrast";
  cards: "normal" | "large";
  speed: Speed;
  /** A second tap before anything is played. */
  confirm: boolean;
  /** Digits and letters do something; anyone who speaks to the browser may not want that (WCAG 2.1.4). */
  keys: boolean;
  sounds: boolean;
  /** How loud they are, from 0 to 1. */
  volume: number;
  /** Tell of the own turn while the page is out of sight. */
  notify: boolean;
  vibrate: boolean;
  /** Keep the screen on while a game is played. */
  awake: boolean;
  /** Hide what the others say. */
  mute: boolean;
}

const USUAL: Choices = {
  theme: "auto",
  palette: "standard",
  cards: "normal",
  speed: "normal",
  confirm: false,
  keys: true,
  sounds: true,
  volume: 0.7,
  notify: false,
  vibrate: true,
  awake: true,
  mute: false,
};
const NAME = "settings";

export const settings = $state<Choices>({ ...USUAL, ...keptJson<Partial<Choices>>(NAME, {}) });

/** Choose something, for this tab and the others. */
export function choose<K extends keyof Choices>(name: K, value: Choices[K]): void {
  settings[name] = value;
  keepJson(NAME, settings);
  show();
}

/** Single digits and letters may be taken for commands. */
export const keysAllowed = (): boolean => settings.keys;

/** Let the page look as chosen. */
export function show(root: HTMLElement = document.documentElement): void {
  root.dataset["theme"] = settings.theme;
  root.dataset["palette"] = settings.palette;
  root.dataset["cards"] = settings.cards;
  root.dataset["speed"] = settings.speed;
  motion.speed = settings.speed;
  showGround(root);
}

const GROUNDS = { light: "#f2e9d8", dark: "#182033" } as const; // --table in style/tokens.css

/** What the system draws around the page follows the choice; each `meta` is of one theme, by its media query. */
function showGround(root: HTMLElement): void {
  for (const meta of root.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.media.includes("dark") ? "dark" : "light";
    meta.content = GROUNDS[settings.theme === "auto" ? own : settings.theme];
  }
}

onKept(NAME, () => {
  Object.assign(settings, keptJson<Partial<Choices>>(NAME, {}));
  show();
});
