/**
 * The first script of a page with outlines (lib/first.ts). It is small, and waits until they are drawn: the others, which are on
 * their way by then, keep a browser busy.
 */

const LATE_MS = 300; // a browser that draws nothing, or says nothing of it

/** Once something is drawn; nothing is, where nobody looks. */
function afterOutlines(): Promise<unknown> {
  const says = globalThis.PerformanceObserver?.supportedEntryTypes?.includes("paint");
  if (document.hidden || !says) return Promise.resolve();
  return new Promise<unknown>((resolve) => {
    new PerformanceObserver((_list, observer) => resolve(observer.disconnect())).observe({
      type: "paint",
      buffered: true,
    });
    setTimeout(resolve, LATE_MS);
  });
}

/** In the colors that were chosen; the settings show themselves later (store/settings.svelte.ts). */
function showTheme(): void {
  try {
    const { theme } = JSON.parse(localStorage.getItem("catinthebox.settings") ?? "{}") as { theme?: string };
    if (theme) document.documentElement.dataset["theme"] = theme;
  } catch {
    // Nothing may be kept here, or nothing that can be read.
  }
}

showTheme();
// The page names it (pages.ts). Imported as a module of this one, it would bring the bundler's loader along.
const main = document.querySelector<HTMLLinkElement>("#main")!.href;
void afterOutlines().then(() => import(/* @vite-ignore */ main));
