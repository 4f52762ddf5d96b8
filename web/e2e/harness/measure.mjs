// Measures of a page, as a thumb and an eye take them.

/** By how many pixels a page is wider and higher than its window. */
export const overflow = (page) =>
  page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth - innerWidth, scrollHeight - innerHeight];
  });

/** Everything that can be tapped and is too small for it. Cells have large buttons that do the same. */
export const cramped = (page, cell = 24) => page.evaluate(findCramped, cell);

function findCramped(cell) {
  const THUMB = 44;
  const inside = document.querySelector("dialog[open]") ?? document;
  const round = (side) => Math.round(side * 10) / 10;
  return [...inside.querySelectorAll("button, a[href], input, select, [role=option]")].flatMap((one) => {
    const target = one.matches("input") ? (one.closest("label") ?? one) : one;
    const { width, height } = target.getBoundingClientRect();
    if (!width || !height || !one.checkVisibility({ visibilityProperty: true })) return [];
    const least = one.matches(".cell") ? cell : THUMB;
    if (Math.min(width, height) >= least - 0.5) return [];
    const name = one.getAttribute("aria-label") ?? one.textContent.trim().slice(0, 30);
    return [`${one.localName}.${one.classList[0] ?? ""} “${name}”: ${round(width)} × ${round(height)}`];
  });
}

/** Texts that do not fit into their boxes. A name that shares its line with signs may be shortened. */
export const cutOff = (page) => page.evaluate(findCutOff);

function findCutOff() {
  const inside = document.querySelector("dialog[open]") ?? document;
  return [...inside.querySelectorAll("button, a, h1, h2, h3, p, b, small, span, th, td, legend, dt, dd")]
    .filter((one) => !one.closest(".sr") && one.checkVisibility() && one.childElementCount === 0)
    .filter((one) => !one.matches(".name") || !one.parentElement.querySelector(".bolt, .crown"))
    .filter((one) => getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1)
    .map((one) => `${one.localName}.${one.className}: “${one.textContent.trim()}”`);
}
