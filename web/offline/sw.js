// The service worker. It keeps every file of one build, so that the client opens at once, and without a network.
// The build writes `const BUILD = { version, entry, files, pages, folders }` above this text (plugin.ts):
//   files    each file by its address from here, with the hash of its content; a page ("", "learn/") has none
//   pages    the first parts of all paths of the client
//   folders  whether each of those is a folder, and the rest a query, as on a host without a server of ours
// Nothing else is answered from here: what the server knows is asked of the server, every time.
const HOME = new URL("./", location.href);
const PREFIX = `catinthebox-files ${HOME.pathname} `;
const CACHE = PREFIX + BUILD.version;
const FORMER = "catinthebox-shell-1"; // the cache of clients before there was a list
const LANES = 4; // requests at a time: the page may want something, too
const INDEX = "index.html"; // what some hosts write for a folder
const ASSETS = "assets/"; // whose names contain hashes

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim().then(tidy)));

self.addEventListener("message", (event) => {
  if (event.data?.type === "activate") event.waitUntil(self.skipWaiting());
  if (event.data?.type === "tidy") event.waitUntil(tidy());
});

// Somebody was told that it is their turn: back to the table, where it is open, or to a new page of it.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(backTo(event.notification.data?.path ?? HOME.pathname));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== HOME.origin || !pathname.startsWith(HOME.pathname)) return;
  const path = decodeURI(pathname.slice(HOME.pathname.length));
  if (request.mode === "navigate") {
    if (isPage(path)) event.respondWith(page(request, path));
  } else if (path in BUILD.files || path.startsWith(ASSETS)) event.respondWith(file(request));
});

// ── Keeping ─────────────────────────────────────────────────────────────────────────────────────

/** Fetch what is missing. If one file cannot be had, the browser tries again later, and this goes on from there. */
async function install() {
  const cache = await caches.open(CACHE);
  const waiting = Object.entries(BUILD.files);
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await keep(cache, ...next);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Keep a file, if it is the one of this build: not what a hotel's network or a newer build says instead. */
async function keep(cache, path, integrity) {
  const url = new URL(path, HOME).href;
  if (await find(cache, url)) return;
  const before = path.startsWith(ASSETS) ? await find(caches, url) : undefined;
  const answer =
    before ?? (integrity ? await fetch(url, { integrity, ...fresh(path) }) : await fetchPage(url));
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  await cache.put(url, direct(answer));
}

/** A page: a host may have added something to it, so it is known by the script that it loads. */
async function fetchPage(url) {
  const answer = await fetch(url, { cache: "no-cache" });
  const text = await answer.clone().text();
  if (!text.includes(BUILD.entry)) throw new Error(`${url} is a page of another build`);
  return answer;
}

/** Names with hashes may come from the browser's own cache. */
const fresh = (path) => (path.startsWith(ASSETS) ? {} : { cache: "no-cache" });

/** A page may not be answered with something that was found elsewhere. */
const direct = (answer) =>
  answer.redirected ? new Response(answer.body, { headers: answer.headers }) : answer;

/**
 * Delete the files of older builds. While several pages are open, one of them may be of the build before,
 * and still load parts of it. A newer build that waits has its files after ours: those stay.
 */
async function tidy() {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.filter(({ url }) => url.startsWith(HOME.href)).length;
  const builds = (await caches.keys()).filter((name) => name.startsWith(PREFIX)); // in order of their making
  const older = builds.slice(0, Math.max(0, builds.indexOf(CACHE)));
  const unused = open > 1 ? older.slice(0, -1) : older;
  await Promise.all([...unused, FORMER].map((name) => caches.delete(name)));
}

// ── Answering ───────────────────────────────────────────────────────────────────────────────────

const isPage = (path) => path === "" || path === INDEX || BUILD.pages.includes(path.split("/")[0]);

/** A page of the client, as this build has it. */
async function page(request, path) {
  const [first, rest] = path === INDEX ? [""] : path.split("/");
  if (BUILD.folders && path === first && path)
    return Response.redirect(request.url.replace(/[?#].*|$/, "/$&"));
  // `t/KEY/` is the page of every table; what has no page of its own has the first one.
  const own = `${first}/${rest && !BUILD.folders ? "KEY/" : ""}`;
  const name = own in BUILD.files ? own : "";
  return (await find(await caches.open(CACHE), new URL(name, HOME).href)) ?? fetch(request);
}

/** A file: of this build, of another one that is still kept, or from the network. */
async function file(request) {
  const kept = (await find(await caches.open(CACHE), request.url)) ?? (await find(caches, request.url));
  return kept ?? fetch(request);
}

/** What is kept is the same for everybody, whatever a host says. */
const find = (cache, url) => cache.match(url, { ignoreVary: true });

async function backTo(path) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const address = new URL(path, HOME).href;
  const open = pages.find(({ url }) => url.split("#")[0] === address);
  await (open ? open.focus() : self.clients.openWindow(address));
}
