// What runs inside the browser while a game is measured. These functions are sent as text: they use nothing around them.

/** In the worker, before its script: its chance begins with a number, so that the same game is played again. */
export function drawnFrom(seed) {
  let state = seed >>> 0;
  /** The next 32 bits, by mulberry32. */
  function word() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
  crypto.getRandomValues = (array) => {
    const words = new Uint32Array(array.buffer, array.byteOffset, array.byteLength / 4);
    for (const at of words.keys()) words[at] = word();
    return array;
  };
}

/** In the worker, before its script: slow the module down, and write down when it was ready and how long bots thought. */
export function watchWorker(slowdown) {
  const seen = (self.bench = { ready: 0, thoughts: [] });
  const began = performance.now();
  let opened = 0;

  /** Chromium slows only pages, so the time that work took is waited for as often as it takes. */
  function slowed(work) {
    const from = performance.now();
    const result = work();
    const until = performance.now() + (slowdown - 1) * (performance.now() - from);
    while (performance.now() < until);
    return result;
  }

  function watched(name, rule) {
    return (...given) => {
      if (name === "prepare_thought") opened = performance.now();
      const result = slowed(() => rule(...given));
      if (name === "best_option") seen.thoughts.push(performance.now() - opened);
      return result;
    };
  }

  WebAssembly.instantiate = async (bytes) => {
    const instance = slowed(() => new WebAssembly.Instance(new WebAssembly.Module(bytes)));
    const all = Object.entries(instance.exports);
    const exports = all.map(([name, one]) => [name, typeof one === "function" ? watched(name, one) : one]);
    seen.ready = performance.now() - began;
    return { instance: { exports: Object.fromEntries(exports) } };
  };
}

/**
 * In the page, before its scripts: mark every move that arrives, collect long tasks, and play for the person, who
 * looks at the end of a round for some milliseconds.
 */
export function watchPage({ settings, look }) {
  if (location.protocol === "about:") return;
  localStorage.setItem("catinthebox.settings", JSON.stringify(settings));
  const seen = (window.bench = { moves: 0, long: [], isPlaying: false });
  const { set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
  Object.defineProperty(MessagePort.prototype, "onmessage", {
    configurable: true,
    set(handler) {
      set.call(this, (event) => {
        if (event.data?.type === "Frame") {
          seen.moves += 1;
          performance.mark("move");
        }
        handler.call(this, event);
      });
    },
  });
  new PerformanceObserver((list) => {
    if (seen.isPlaying) for (const { duration } of list.getEntries()) seen.long.push(duration);
  }).observe({ entryTypes: ["longtask"] });

  /** The first of these that can be pressed. */
  function press(selector) {
    const all = [...document.querySelectorAll(selector)];
    const found = all.find((one) => !one.disabled && one.getAttribute("aria-disabled") !== "true");
    found?.click();
    return Boolean(found);
  }
  const WAYS = [".bids button", ".colors button", ".docked .button.main"];
  const CARD = '[role="option"][aria-selected="false"]';

  /** The end of a round is looked at for some time; what follows the victory is another game. */
  let since = 0;
  function leave() {
    const { screen } = document.querySelector("[data-screen]")?.dataset ?? {};
    if (screen !== seen.screen) [seen.screen, since] = [screen, performance.now()];
    if (!screen) return false;
    if (screen !== "victory" && performance.now() - since > look) press("[data-screen] .button.main");
    return true;
  }
  setInterval(() => seen.isPlaying && (leave() || WAYS.some(press) || press(CARD)), 400);
}

/** In the page: mark the beginning of every ceremony, by what it adds to the page. */
export function markCeremonies() {
  const SIGNS = [
    [".flying.chip", "bid"],
    [".flying.broken", "color given up"],
    [".flying.banner", "red opened"],
    [".lies", "card played"],
  ];
  const SWEEP_MS = 400; // the cards of a trick go together
  let swept = -Infinity;
  let screen;
  /** Everything that was added, and what is inside it. */
  const all = (records, selector) =>
    records
      .flatMap(({ addedNodes }) => [...addedNodes])
      .filter((one) => one instanceof Element)
      .flatMap((one) => [...(one.matches(selector) ? [one] : []), ...one.querySelectorAll(selector)]);
  const OTHERS = 1; // with a deal, cards fly to every other seat; with a discard, one card does
  // A card that has lain there for a while moves again when its trick is taken.
  const lying = new WeakMap();
  const WHILE_MS = 600;
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...given) {
    const now = performance.now();
    if (now - lying.get(this) > WHILE_MS && now - swept > SWEEP_MS) {
      performance.mark("trick taken");
      swept = now;
    }
    return animate.apply(this, given);
  };
  new MutationObserver((records) => {
    const backs = all(records, ".flying.back").length;
    if (backs) performance.mark(backs > OTHERS ? "deal" : "discard");
    for (const [selector, name] of SIGNS) if (all(records, selector).length) performance.mark(name);
    for (const card of all(records, ".lies")) lying.set(card, performance.now());
    const before = screen;
    ({ screen } = document.querySelector("[data-screen]")?.dataset ?? {});
    if (screen && screen !== before) performance.mark(screen);
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-screen"] });
}
