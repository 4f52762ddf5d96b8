// Keeps the shell of the client, so that it opens without a network and can say so. Games are
// never kept here: what is true now only the server knows. Replays keep themselves (net/replay.ts).
const SHELF = "catinthebox-shell-1";
const SHELL = ["/", "/icon.svg", "/icon-turn.svg", "/manifest.webmanifest"];
const MOST = 120; // files; beyond that, those that no page uses any more are of clients that are gone
const PATIENCE_MS = 4000;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELF).then((shelf) => shelf.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

// A page tells what it has loaded before there was a worker, and later all that its client needs.
self.addEventListener("message", (event) => {
  if (event.data?.type === "keep") event.waitUntil(keep(event.data.urls));
  if (event.data?.type === "tidy") event.waitUntil(keep(event.data.used).then(() => tidy(event.data.used)));
});

// Somebody was told that it is their turn: back to the table, where it is open, or to a new page of it.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(backTo(event.notification.data?.path ?? "/"));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(asset(request));
  else event.respondWith(file(request));
});

async function backTo(path) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((page) => new URL(page.url).pathname === path);
  await (open ? open.focus() : self.clients.openWindow(path));
}

/** The page itself: as it is now, if it comes in time; any path has the same one. */
async function page(request) {
  const shelf = await caches.open(SHELF);
  try {
    const answer = await inTime(fetch(request));
    if (answer.ok && isPage(answer)) await shelf.put("/", answer.clone());
    return answer;
  } catch {
    return (await shelf.match("/")) ?? Response.error();
  }
}

/** A picture or a record that somebody opens by its address is no page of ours. */
const isPage = (answer) => /^text\/html\b/.test(answer.headers.get("Content-Type") ?? "");

/** Files whose names are hashes of their content never change. */
async function asset(request) {
  const shelf = await caches.open(SHELF);
  const kept = await shelf.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await shelf.put(request, answer.clone());
  return answer;
}

async function file(request) {
  try {
    return await fetch(request);
  } catch {
    return (await (await caches.open(SHELF)).match(request)) ?? Response.error();
  }
}

function inTime(answer) {
  return new Promise((kept, broken) => {
    setTimeout(broken, PATIENCE_MS);
    answer.then(kept, broken);
  });
}

async function keep(urls) {
  const shelf = await caches.open(SHELF);
  const known = new Set((await shelf.keys()).map((request) => request.url));
  await Promise.all(urls.filter((url) => !known.has(url)).map((url) => shelf.add(url).catch(() => undefined)));
}

/** Older tabs may still ask for older files, so the latest of those stay. */
async function tidy(used) {
  const shelf = await caches.open(SHELF);
  const needed = (url) => SHELL.includes(new URL(url).pathname) || used.includes(url);
  const kept = (await shelf.keys()).filter((request) => !needed(request.url));
  await Promise.all(kept.slice(0, Math.max(0, kept.length - MOST)).map((request) => shelf.delete(request)));
}
