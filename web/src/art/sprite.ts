/**
 * The drawings, put into the page once. A `<use>` of a drawing in the same page is built once; of one in another file,
 * browsers build it twice: when it appears, and again a moment later, when the file is said to be there.
 */

import address from "./sprite.svg?url";

/** Fetch the sprite. Drawings that are asked for before it has come appear with it. */
export function loadSprite(): void {
  const request = new XMLHttpRequest();
  request.open("GET", address);
  request.overrideMimeType("image/svg+xml");
  request.responseType = "document"; // the server's policy lets no script turn text into markup
  request.onload = () => show(request.responseXML);
  request.onerror = () => addEventListener("online", loadSprite, { once: true });
  request.send();
}

function show(file: Document | null): void {
  const sprite = file?.documentElement;
  if (!(sprite instanceof SVGSVGElement)) return;
  sprite.style.display = "none";
  document.body.append(sprite);
}
