// What the browser has put away.

/** Whether the browser has put away something with this name, and all else that the page has loaded of the client. */
export const kept = (page, name) =>
  page.evaluate(async (wanted) => {
    const shelves = await Promise.all((await caches.keys()).map((shelf) => caches.open(shelf)));
    const files = (await Promise.all(shelves.map((shelf) => shelf.keys()))).flat().map((file) => file.url);
    const loaded = performance.getEntriesByType("resource").map((entry) => entry.name.split("#")[0]);
    const assets = loaded.filter((url) => new URL(url).pathname.startsWith("/assets/"));
    return files.some((url) => url.includes(wanted)) && assets.every((url) => files.includes(url));
  }, name);
