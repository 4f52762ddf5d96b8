// Measures of a page, as a thumb and an eye take them.

/** By how many pixels a page is wider and higher than its window. (On a phone, innerWidth grows with a page that is too wide.) */
export const overflow = (page) =>
  page.evaluate(() => {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
    return [scrollWidth - clientWidth, scrollHeight - clientHeight];
  });

/** Everything that can be tapped and is too small for it. Cells have large buttons that do the same. */
export const cramped = (page, cell = 24) => page.evaluate(findCramped, cell);

function findCramped(cell) {
  const THUMB = 44;
  const inside = document.querySelector("dialog[open]") ?? document;
  const round = (side) => Math.round(side * 10) / 10;
  return [...inside.querySelectorAll("button, a[href], input, select, [role=option]")].flatMap((one) => {
    const target = one.labels?.[0] ?? (fillsItsBox(one) ? one.offsetParent : one);
    const { width, height } = target.getBoundingClientRect();
    if (!width || !height || !one.checkVisibility({ visibilityProperty: true })) return [];
    if (one.matches("a") && getComputedStyle(one).display === "inline") return []; // as high as its line of text
    const least = one.matches(".cell") ? cell : THUMB;
    if (Math.min(width, height) >= least - 0.5) return [];
    const name = one.getAttribute("aria-label") ?? one.textContent.trim().slice(0, 30);
    return [`${one.localName}.${one.classList[0] ?? ""} “${name}”: ${round(width)} × ${round(height)}`];
  });

  /** A button of a few words can be tapped anywhere in the box around it. */
  function fillsItsBox(one) {
    const { content, position, inset } = getComputedStyle(one, "::after");
    return content !== "none" && position === "absolute" && inset === "0px";
  }
}

/** Texts that are smaller than anybody should have to read, each kind once. */
export const smallText = (page, least = 13) => page.evaluate(findSmallText, least);

function findSmallText(least) {
  const inside = document.querySelector("dialog[open]") ?? document.body;
  const found = new Map();
  const texts = document.createTreeWalker(inside, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) note(node.parentElement, node.data);
  for (const one of inside.querySelectorAll("input, textarea, select"))
    note(one, one.value || one.placeholder);
  return [...found].map(([kind, text]) => `${kind}: “${text}”`);

  function note(one, text) {
    if (
      !text?.trim() ||
      one.closest(".sr, style, script") ||
      !one.checkVisibility({ visibilityProperty: true })
    )
      return;
    const size = Math.round(sizeOf(one) * 10) / 10;
    if (size < least)
      found.set(`${one.localName}.${one.classList[0] ?? ""} ${size} px`, text.trim().slice(0, 40));
  }

  /** Text in a drawing grows with the drawing. */
  function sizeOf(one) {
    const scale = one instanceof SVGElement ? (one.getScreenCTM()?.a ?? 1) : 1;
    return parseFloat(getComputedStyle(one).fontSize) * scale;
  }
}

/** Texts that do not fit into their boxes. A name that shares its line with signs may be shortened. */
export const cutOff = (page) => page.evaluate(findCutOff);

function findCutOff() {
  const inside = document.querySelector("dialog[open]") ?? document;
  return [...inside.querySelectorAll("button, a, h1, h2, h3, p, b, small, span, th, td, legend, dt, dd")]
    .filter((one) => !one.closest(".sr") && one.checkVisibility() && one.childElementCount === 0)
    .filter((one) => !one.matches(".name") || !one.parentElement.querySelector(".bolt, .crown"))
    .filter((one) => isTooWide(one) || (one.textContent.trim() && isOutside(one)))
    .map((one) => `${one.localName}.${one.className}: “${one.textContent.trim()}”`);

  function isTooWide(one) {
    return getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
  }

  /** Something around it ends before it does; what can be scrolled, or was put elsewhere, does not count. */
  function isOutside(one) {
    const { left, right } = one.getBoundingClientRect();
    for (let [node, box] = [one, one.parentElement]; box; [node, box] = [box, box.parentElement]) {
      if (["absolute", "fixed"].includes(getComputedStyle(node).position)) return false;
      if (["auto", "scroll"].includes(getComputedStyle(box).overflowX)) return false;
      const edge = box.getBoundingClientRect();
      const holds = edge.width > 0 && getComputedStyle(box).display !== "inline";
      if (holds && (left < edge.left - 2 || right > edge.right + 2)) return true;
    }
    return false;
  }
}

/** What stands in a line and is not wholly inside it, or lies on its neighbour; and what was put on its edge and leaves the window. */
export const crowded = (page, line) => page.evaluate(findCrowded, line);

function findCrowded(line) {
  const box = document.querySelector(line);
  const { paddingLeft, paddingRight } = getComputedStyle(box);
  const edge = box.getBoundingClientRect();
  const parts = [...box.children].filter(
    (one) => one.checkVisibility() && getComputedStyle(one).display !== "none",
  );
  const onEdge = parts.filter((one) => getComputedStyle(one).position === "absolute").map(extent);
  const inLine = parts.filter((one) => getComputedStyle(one).position !== "absolute").map(extent);
  inLine.sort((one, other) => one.left - other.left);
  const [first, last] = [edge.left + parseFloat(paddingLeft) - 1, edge.right - parseFloat(paddingRight) + 1];
  const out = inLine.filter(({ left, right }) => left < first || right > last);
  const covered = inLine.filter(({ left }, n) => n && left < inLine[n - 1].right - 1);
  const lost = onEdge.filter(({ left, right }) => left < 0 || right > document.documentElement.clientWidth);
  return [
    ...out.map(({ name, left, right }) => `${name} from ${left} to ${right}, of ${first} to ${last}`),
    ...covered.map(({ name }) => `${name} lies on what is before it`),
    ...lost.map(({ name, left, right }) => `${name} from ${left} to ${right} leaves the window`),
  ];

  /** From where to where its words go, also if its box ends before. */
  function extent(one) {
    const words = document.createRange();
    words.selectNodeContents(one);
    const [own, inside] = [one.getBoundingClientRect(), words.getBoundingClientRect()];
    const name = `“${one.textContent.trim() || one.className}”`;
    if (!inside.width) return { name, left: Math.round(own.left), right: Math.round(own.right) };
    return {
      name,
      left: Math.round(Math.min(own.left, inside.left)),
      right: Math.round(Math.max(own.right, inside.right)),
    };
  }
}

/**
 * Everything that Tab leads to without a sign of it, or where nobody can see it. The page has to have
 * heard a key before, or browsers draw no focus.
 */
export const unseenFocus = (page) => page.evaluate(findUnseenFocus);

function findUnseenFocus() {
  const inside = document.querySelector("dialog[open]") ?? document;
  const before = document.activeElement;
  const found = [...inside.querySelectorAll("button, a[href], input, select, textarea, [tabindex='0']")]
    .filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }))
    .flatMap((one) => {
      one.focus();
      if (document.activeElement !== one) return [`${nameOf(one)} takes no focus`];
      const [focused, covered] = [looksOf(one), !inSight(one)];
      one.blur();
      if (focused === looksOf(one)) return [`${nameOf(one)} looks the same with the focus`];
      return covered ? [`${nameOf(one)} has the focus where nobody can see it`] : [];
    });
  before?.focus?.();
  return found;

  function nameOf(one) {
    const name = one.getAttribute("aria-label") ?? (one.labels?.[0] ?? one).textContent.trim();
    return `${one.localName}.${one.classList[0] ?? ""} “${name.slice(0, 30)}”`;
  }

  /** The sign may be on the thing itself, around it, inside it, or beside it. */
  function looksOf(one) {
    const around = [
      one.parentElement?.parentElement,
      one.parentElement,
      ...(one.parentElement?.children ?? []),
    ];
    const signs = [...around, ...one.querySelectorAll("*")].map(
      (node) => node && signOf(getComputedStyle(node)),
    );
    return [...signs, signOf(getComputedStyle(one, "::after"))].join("|");
  }

  function signOf({ outlineStyle, outlineWidth, boxShadow, borderTopColor, borderTopWidth }) {
    const outline = outlineStyle === "none" || parseFloat(outlineWidth) < 2 ? "" : outlineWidth;
    const border = parseFloat(borderTopWidth) < 2 ? "" : borderTopColor + borderTopWidth;
    return `${outline} ${boxShadow} ${border}`;
  }

  /** Some part of it, or of the label it belongs to, is on top. */
  function inSight(one) {
    const target = one.labels?.[0] ?? one;
    const { left, top, width, height } = target.getBoundingClientRect();
    const parts = [0.1, 0.5, 0.9];
    return parts.some((x) =>
      parts.some((y) => target.contains(document.elementFromPoint(left + x * width, top + y * height))),
    );
  }
}
