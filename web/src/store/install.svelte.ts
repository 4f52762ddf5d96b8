/** The client as an app of the device: what the browser offers, and what people have said to it. */

import { keep, kept } from "./keep";

/** Chromium's event; other browsers have the offer in their menus. */
interface InstallEvent extends Event {
  prompt(): Promise<{ readonly outcome: "accepted" | "dismissed" }>;
}

const NAME = "install";
const INSTALLED = "(display-mode: standalone), (display-mode: fullscreen)";

export class Install {
  #event = $state.raw<InstallEvent | null>(null);
  #declined = $state(kept(NAME) === "no");
  /** Whether this page runs as an app already. */
  readonly done: boolean;
  /** iPhones and iPads install a page from their share sheet, and only from there. */
  readonly byHand: boolean;

  constructor(browser: Navigator = navigator, matches = (query: string) => matchMedia(query).matches) {
    const { standalone } = browser as { standalone?: boolean };
    this.done = standalone === true || matches(INSTALLED);
    this.byHand = standalone === false && !this.done;
  }

  /** Whether the browser would install it now, if it were asked. */
  get possible(): boolean {
    return this.#event !== null;
  }

  /** Whether to offer it where nobody has looked for it. */
  get welcome(): boolean {
    return (this.possible || this.byHand) && !this.#declined;
  }

  /** Hear the browser's offer, which comes once and early. */
  listen(): void {
    addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault(); // at a better moment
      this.#event = event as InstallEvent;
    });
    addEventListener("appinstalled", () => (this.#event = null));
  }

  /** Let the browser ask. An offer can be used once. */
  async ask(): Promise<void> {
    const event = this.#event;
    this.#event = null;
    const answer = await event?.prompt();
    if (answer?.outcome === "dismissed") this.decline();
  }

  /** Do not offer it again; the settings still do. */
  decline(): void {
    this.#declined = true;
    keep(NAME, "no");
  }
}

export const install = new Install();
