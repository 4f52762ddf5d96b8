/**
 * The drawings, put into the page once. A `<use>` of a drawing in the same page is built once; of one in another file,
 * browsers build it twice: when it appears, and again a moment later, when the file is said to be there.
 */

import address from "./sprite.svg?url";

/** What a drawing is called in the page, where other things have names, too. */
export const signId = (name: string): string => `sign-${name}`;

let loading: Promise<boolean> | undefined;

/**
 * Put the drawings into the page; whether they are there. Signs that were drawn before appear with them. The browser
 * parses the file while it is fetched: the page's policy lets no text become a document.
 */
export const loadSprite = (): Promise<boolean> =>
  (loading ??= new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document";
    request.overrideMimeType("image/svg+xml");
    request.onloadend = () => {
      const sprite = request.responseXML?.documentElement;
      if (sprite) show(sprite);
      resolve(Boolean(sprite));
    };
    request.send();
  }));

function show(sprite: HTMLElement): void {
  for (const drawing of sprite.querySelectorAll("symbol")) drawing.id = signId(drawing.id);
  sprite.style.display = "none";
  document.body.append(sprite);
}
