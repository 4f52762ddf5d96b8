// A server, a browser, and people in it: everything that a scenario needs, and its end.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { PATIENCE_MS } from "./check.mjs";
import { openChromium } from "./chromium.mjs";
import { recordNotifications } from "./notifications.mjs";
import { Server } from "./server.mjs";
import { Watch } from "./watch.mjs";

const DESK = { viewport: { width: 1280, height: 800 } };
/** Small windows are drawn faster, where it matters what happens and not how it looks. */
export const SMALL = { viewport: { width: 390, height: 844 } };
const TRACED = Boolean(process.env.CATINTHEBOX_TRACE);
const OUT = join(import.meta.dirname, "../out");

/** Run something in a fresh world; whatever any page complained about is a failure. */
export async function inWorld(work, name = work.name) {
  const server = new Server();
  const watch = new Watch();
  const opening = openChromium();
  let browser = null;
  try {
    [browser] = await Promise.all([opening, server.start()]);
    watch.admit(server.base);
    await Promise.race([work(new World(server, browser, watch)), server.ended]);
    if (watch.problems.length) throw new Error("pages complained");
  } catch (error) {
    if (server.said) console.error(`The server's last words:\n${server.said}\n`);
    if (watch.problems.length) console.error(`Pages complained:\n  ${watch.problems.join("\n  ")}\n`);
    await pictures(browser, name);
    if (TRACED) await traces(browser, name);
    throw error;
  } finally {
    await opening.then(
      (one) => one.close(),
      () => null,
    );
    await server.close();
  }
}

/** What every page looked like when it went wrong. */
async function pictures(browser, name) {
  const pages = browser?.contexts().flatMap((context) => context.pages()) ?? [];
  mkdirSync(OUT, { recursive: true });
  for (const [number, page] of pages.entries()) {
    const path = join(OUT, `${name}-${number + 1}.png`);
    await page.screenshot({ path, timeout: 5_000 }).catch(() => null);
    console.error(`${page.url()} is in ${path}`);
  }
}

/** What every browser context did, step by step. */
async function traces(browser, name) {
  for (const [number, context] of (browser?.contexts() ?? []).entries()) {
    const path = join(OUT, `${name}-${number + 1}.zip`);
    await context.tracing.stop({ path });
    console.error(`a trace is in ${path}`);
  }
}

class World {
  constructor(server, browser, watch) {
    Object.assign(this, { server, browser, watch });
  }

  get base() {
    return this.server.base;
  }

  /** Somebody with a browser of their own; options are those of a Playwright context. */
  async person(options = {}) {
    const { settings = { speed: "off" }, name = "", notifications, ...rest } = options;
    const context = await this.browser.newContext({ ...DESK, locale: "en-US", ...rest });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addInitScript(remember, { settings, name });
    await recordNotifications(context, notifications);
    this.watch.over(context);
    if (TRACED) await context.tracing.start({ screenshots: true, snapshots: true });
    return context;
  }

  /** The same, with a page open. */
  async visitor(path = "/", options = {}) {
    const page = await (await this.person(options)).newPage();
    await page.goto(this.base + path);
    return page;
  }
}

/** In the page, before its scripts: what an earlier visit has left there, unless one really did. */
function remember({ settings, name }) {
  if (location.protocol === "about:") return;
  const put = (key, value) => localStorage.getItem(key) ?? localStorage.setItem(key, value);
  put("catinthebox.settings", JSON.stringify(settings));
  if (name) put("catinthebox.name", name);
}
