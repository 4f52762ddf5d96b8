/** Where the reader is, and how to go elsewhere without loading the page again. */

import { addressOf, pathOf } from "../lib/address";
import { routeOf, type Route } from "../lib/router";

const behind = (state: unknown): number | undefined => (state as { behind?: number } | null)?.behind;

class Place {
  #path = $state(pathOf(location));
  /** Pages of ours that lie behind this one; the browser keeps it with each of them. */
  #behind = behind(history.state) ?? 0;
  readonly route: Route = $derived(routeOf(this.#path));

  get path(): string {
    return this.#path;
  }

  /** Go to a path of ours. */
  go(path: string, { replace = false } = {}): void {
    this.#goTo(addressOf(path), replace);
  }

  #goTo(address: string, replace = false): void {
    if (replace) history.replaceState({ behind: this.#behind }, "", address);
    else history.pushState({ behind: (this.#behind += 1) }, "", address);
    this.#arrive();
    scrollTo(0, 0);
  }

  /** Go back to where the reader came from; anyone who came from elsewhere goes to the first page. */
  back(): void {
    if (this.#behind > 0) history.back();
    else this.go("/");
  }

  listen(): void {
    addEventListener("popstate", ({ state }) => {
      this.#behind = behind(state) ?? this.#behind; // a place on the same page has no number
      this.#arrive();
    });
    addEventListener("click", (event) => this.#follow(event));
  }

  #arrive(): void {
    this.#path = pathOf(location);
  }

  /** Links of ours are followed here; a new tab, a download or another site is the browser's. */
  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (pathOf(link) === pathOf(location) && link.hash) return; // a place on this page
    if (routeOf(pathOf(link)).page === "nowhere") return;
    event.preventDefault();
    this.#goTo(link.pathname + link.search + link.hash);
  }
}

export const place = new Place();
