/**
 * The drawings, put into the page once. A `<use>` of a drawing in the same page is built once; of one in another file,
 * browsers build it twice: when it appears, and again a moment later, when the file is said to be there.
 */

import address from "./sprite.svg?url";

/** What a drawing is called in the page, where other things have names, too. */
export const signId = (name: string): string => `sign-${name}`;

let loading: Promise<boolean> | null = null;

/** Put the drawings into the page; whether they are there. Signs that were drawn before appear with them. */
export function loadSprite(): Promise<boolean> {
  loading ??= fetchDrawing(address).then((file) => {
    const sprite = file?.documentElement;
    if (sprite instanceof SVGSVGElement) show(sprite);
    else addEventListener("online", retry, { once: true });
    return sprite instanceof SVGSVGElement;
  });
  return loading;
}

function retry(): void {
  loading = null;
  void loadSprite();
}

function show(sprite: SVGSVGElement): void {
  for (const drawing of sprite.querySelectorAll("symbol")) drawing.id = signId(drawing.id);
  sprite.style.display = "none";
  document.body.append(sprite);
}

/** A drawing as the browser parses it while it is fetched: the page's policy lets no text become a document. */
const fetchDrawing = (url: string): Promise<Document | null> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", url);
    request.responseType = "document";
    request.overrideMimeType("image/svg+xml");
    request.onload = () => resolve(request.status === 200 ? request.responseXML : null);
    request.onerror = () => resolve(null);
    request.send();
  });
