// What a browser has kept of the client, and whether that is all of it.
import { until } from "./check.mjs";

/** Wait until a service worker has everything on its list, and answers for the page. */
export const allKept = (page) =>
  until(() => page.evaluate(isAllKept), "every file of the client is kept in the browser");

async function isAllKept() {
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration?.active || !navigator.serviceWorker.controller) return false;
  const script = await (await fetch(registration.active.scriptURL)).text();
  const { version, files } = JSON.parse(/^const BUILD = (\{.*?\n\});/s.exec(script)[1]);
  const names = (await caches.keys()).filter((name) => name.endsWith(` ${version}`));
  if (names.length !== 1) return false;
  const kept = (await (await caches.open(names[0])).keys()).map(({ url }) => url);
  return Object.keys(files).every((path) => kept.includes(new URL(path, registration.scope).href));
}

/** The networks that bots have used, as far as the browser keeps them. */
export const networks = (page) =>
  page.evaluate(async () => {
    if (!(await caches.has("catinthebox-networks"))) return [];
    const kept = await (await caches.open("catinthebox-networks")).keys();
    return kept.map(({ url }) => /\/(\d-players)-[^/]*\.net$/.exec(url)?.[1] ?? url);
  });

/** The names of the caches that hold files of the client. */
export const builds = (page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("catinthebox-files")));
