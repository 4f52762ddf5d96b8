/**
 * The first script of every page. It is small, so that outlines which need no script (lib/first.ts) are drawn before the browser
 * is busy with the others; those are on their way by then.
 */

const LATE_MS = 300; // a browser that draws nothing, or says nothing of it

/** Once something is drawn, where there is something to draw. */
function afterOutlines(): Promise<unknown> {
  const says = globalThis.PerformanceObserver?.supportedEntryTypes?.includes("paint");
  if (!document.getElementById("first") || document.hidden || !says) return Promise.resolve();
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
void afterOutlines().then(() => import("./main"));
