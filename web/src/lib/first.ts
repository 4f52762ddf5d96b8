/**
 * The outlines that some pages have before any script (style/first.css). What comes into such a page stays invisible until it is
 * complete, and then takes their place at once.
 */

const OUTLINES = "first";
/** Any page; but not one that is being made, or that says that it is on its way. */
const PAGE = '#app main:not([aria-busy="true"])';

/** Whether the outlines are there: nobody sees what is made meanwhile. */
export const hasOutlines = (): boolean => document.getElementById(OUTLINES) !== null;

/** Take them away once something is in their place: before that is drawn, so that nobody sees both, or neither. */
export function watchOutlines(): void {
  const [outlines, app] = [document.getElementById(OUTLINES), document.getElementById("app")];
  if (!outlines || !app) return;
  const observer = new MutationObserver(() => {
    if (!document.querySelector(PAGE)) return;
    observer.disconnect();
    outlines.remove();
  });
  observer.observe(app, { childList: true, subtree: true, attributeFilter: ["aria-busy"] });
}
