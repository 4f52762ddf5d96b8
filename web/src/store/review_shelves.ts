/** Where reviews are kept (reviews.ts) until the games that they are about are dropped (records.ts). */

import { BrowserShelf } from "./shelf";

export const reviewShelf = new BrowserShelf("catinthebox.reviews");
export const accuracyShelf = new BrowserShelf("catinthebox.accuracies");
