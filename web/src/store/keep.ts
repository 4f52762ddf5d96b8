/** What is kept in this browser. Where keeping is forbidden, it is remembered until the page goes. */

const PREFIX = "catinthebox.";
const memory = new Map<string, string>();

/** Read what was kept under a name; null if nothing was. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name) ?? memory.get(name) ?? null;
  } catch {
    return memory.get(name) ?? null;
  }
}

/** Keep a text under a name. */
export function keep(name: string, text: string): void {
  memory.set(name, text);
  try {
    localStorage.setItem(PREFIX + name, text);
  } catch {
    // A private window, or no room: it lasts as long as the page.
  }
}

/** Keep it no longer. */
export function letGo(name: string): void {
  memory.delete(name);
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // Nothing was kept there.
  }
}

/** Read something that was kept as JSON; whatever cannot be read counts as nothing. */
export function keptJson<T>(name: string, otherwise: T): T {
  try {
    return (JSON.parse(kept(name) ?? "null") as T | null) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keep something as JSON. */
export const keepJson = (name: string, value: unknown): void => keep(name, JSON.stringify(value));

/** Hear when another tab keeps something under a name. */
export function onKept(name: string, onchange: () => void): void {
  addEventListener("storage", (event) => {
    if (event.key === PREFIX + name) onchange();
  });
}
