// What somebody sees at a table, read from the page in one go.
import { until } from "./check.mjs";
import { wordsOf } from "./words.mjs";

/** Everything on the table, as plain values. */
export const look = (page) => page.evaluate(seen);

function seen() {
  const all = (query, root = document) => [...root.querySelectorAll(query)];
  const text = (node) => node?.textContent.replace(/\s+/g, " ").trim() ?? "";
  const open = document.querySelector("dialog[open]");
  const end = document.querySelector("[data-screen]");
  const sheetOf = (sheet) => ({
    screen: "",
    title: text(sheet.querySelector("h2")),
    rows: all("tbody tr", sheet).map((row) => [...row.children].map(text)),
    buttons: all("footer button, footer a", sheet)
      .filter((one) => !one.disabled)
      .map(text),
  });
  // The end of a round is shown on the table itself; to somebody who looks, it is there like a sheet.
  const endOf = (screen) => ({
    screen: screen.dataset.screen,
    title: text(screen.querySelector(".headline")),
    rows: all(".podium li", screen).map((one) =>
      [".name", ".total"].map((part) => text(one.querySelector(part))),
    ),
    buttons: all(":is(.actions, .count) :is(button:not([aria-disabled=true]), a)", screen).map(text),
  });
  return {
    title: document.title,
    top: text(document.querySelector("header h1")),
    prompt: text(document.querySelector(".prompt h2")),
    hand: all('[role="option"]').map((card) => ({
      rank: Number(card.dataset.rank),
      copies: Number(card.style.getPropertyValue("--copies")), // what is drawn of it may still be on its way
      chosen: card.getAttribute("aria-selected") === "true",
      dead: card.getAttribute("aria-disabled") === "true",
      says: card.getAttribute("aria-label"),
    })),
    choices: all(".colors button").map((button) => ({
      legal: button.getAttribute("aria-disabled") !== "true",
      says: text(button),
    })),
    bids: all(".bids button").length,
    trick: all(".trick li").map(text),
    board: all("table tbody tr", document.querySelector(".board") ?? document).map((row) =>
      [...row.children].map(text),
    ),
    seats: all(".seat .sr, .mine .sr").map(text),
    sheet: open ? sheetOf(open) : end && endOf(end),
  };
}

/** A text where it is seen; the page says many of them aloud as well, in its log. */
export const shown = (page, text, options) =>
  page.getByText(text, options).and(page.locator(":not([role=log] *)"));

/** Wait until a text is seen no longer. */
export const unshown = (page, text) => until(async () => !(await shown(page, text).count()), `${text} goes`);

/** How many cards are in the hand. */
export const handSize = ({ hand }) => hand.reduce((sum, card) => sum + card.copies, 0);

/** The cards of a hand, and nothing about what they could be. */
export const ranks = ({ hand }) => hand.map(({ rank, copies }) => [rank, copies]);

/** What has to be the same for everybody at a table, for every viewer. */
export const common = ({ top, board, trick }) => ({ top, board, trick });

/** A tap beside everything: it ends the looking at a trick that was won, and does nothing else. */
export const tapAside = (page) => page.mouse.click(2, 2);

/** Wait until everybody has heard of the last card, and sees the same board and the same trick: what each of them sees. */
export const agreed = (pages) =>
  until(async () => {
    const seen = await Promise.all(pages.map(look));
    return new Set(seen.map(neutral).map((one) => JSON.stringify(one))).size === 1 && seen;
  }, "everybody sees the same board");

/** The reader is “You” on their own board only. */
const neutral = ({ top, board, trick }) => ({
  top,
  taken: board.map((row) => row.map((cell) => cell !== wordsOf("en")("board_open"))),
  trick: trick.map((one) => one.split(": ").at(-1)).sort(),
});
