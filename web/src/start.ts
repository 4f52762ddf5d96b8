/**
 * The first script of a page with outlines (lib/first.ts). It is small, and waits until they are drawn: the others, which are on
 * their way by then, keep a browser busy.
 */

export {}; // a module, with names of its own

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

/** Nothing else will take the outlines away; the messages are in the script that did not come. */
const FAILED = {
  en: ["The game could not be loaded.", "Try again"],
  de: ["Das Spiel konnte nicht geladen werden.", "Noch einmal versuchen"],
  ja: ["ゲームを読み込めませんでした。", "もう一度試す"],
} as const;

function showFailure(error: unknown): void {
  const known = (language: string): language is keyof typeof FAILED => Object.hasOwn(FAILED, language);
  const language = navigator.languages.map((one) => one.slice(0, 2)).find(known) ?? "en";
  const [words, again] = FAILED[language];
  const link = Object.assign(document.createElement("a"), { href: location.href, textContent: again });
  const text = Object.assign(document.createElement("p"), { lang: language, role: "alert" });
  text.append(words, " ", link);
  text.style.cssText = "padding: 2rem 1rem; text-align: center";
  document.getElementById("app")!.replaceChildren(text);
  document.getElementById("first")?.remove();
  console.error(error);
}

showTheme();
// The page names it (pages.ts). Imported as a module of this one, it would bring the bundler's loader along.
const main = document.querySelector<HTMLLinkElement>("#main")!.href;
void afterOutlines()
  .then(() => import(/* @vite-ignore */ main))
  .catch(showFailure);
