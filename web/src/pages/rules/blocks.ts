/** The rules as the page draws them, and the search through them. */

export type Piece =
  | string
  | { readonly bold: string }
  | { readonly italic: string }
  | { readonly mono: string }
  | { readonly label: string; readonly to: string };

export interface Item {
  readonly id: string;
  /** `R14`; empty for what is no clause. */
  readonly name: string;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly is: "heading"; readonly level: number; readonly id: string; readonly text: string }
  | { readonly is: "text"; readonly text: readonly Piece[] }
  | { readonly is: "drawing"; readonly text: string }
  | {
      readonly is: "table";
      readonly head: readonly (readonly Piece[])[];
      readonly rows: readonly (readonly (readonly Piece[])[])[];
    }
  | { readonly is: "list"; readonly numbered: boolean; readonly items: readonly Item[] };

/** The words of a piece. */
export function wordsOf(piece: Piece): string {
  if (typeof piece === "string") return piece;
  if ("bold" in piece) return piece.bold;
  if ("italic" in piece) return piece.italic;
  return "mono" in piece ? piece.mono : piece.label;
}

/** All words of a block. */
export function text(block: Block): string {
  switch (block.is) {
    case "heading":
    case "drawing":
      return block.text;
    case "text":
      return block.text.map(wordsOf).join("");
    case "table":
      return [block.head, ...block.rows].flat(2).map(wordsOf).join(" ");
    case "list":
      return block.items.map((item) => `${item.name} ${item.blocks.map(text).join(" ")}`).join(" ");
  }
}

const plain = (words: string): string => words.toLowerCase();

/** Words of a question that say nothing about what is looked for: "why paradox" looks for "paradox". */
const IDLE = new Set(
  [
    "a an the is are do does did can may must i my you your to of in on at and or if it what when why how who where which",
    "ein eine einen der die das den dem des ist sind kann darf muss ich man wer was wann warum wie wo welche und oder wenn es zu",
  ]
    .join(" ")
    .split(" "),
);
/** The same where words have no blanks between them. */
const IDLE_PARTS = /なぜ|どうして|どうやって|とは|ですか|何が|[？?！!.,]/g;

/** What a question looks for, in lower case; all of its words, if none of them says anything. */
export function termsOf(query: string): readonly string[] {
  const words = plain(query).replace(IDLE_PARTS, " ").split(/\s+/).filter(Boolean);
  const telling = words.filter((word) => !IDLE.has(word));
  return telling.length ? telling : words;
}

/** Letters that words are made of, with blanks between the words; and digits, which numbers are made of. */
const RUNS: readonly RegExp[] = [/\p{Script=Latin}/u, /\p{Nd}/u];

/** Where a term is, from a place on: at the beginning of a word or number. Japanese words have no such beginning. */
function placeIn(words: string, term: string, from = 0): number {
  const low = plain(words);
  const run = RUNS.find((one) => one.test(term[0] ?? ""));
  let at = low.indexOf(term, from);
  while (run && at > 0 && run.test(low[at - 1]!)) at = low.indexOf(term, at + 1);
  return at;
}

/** Whether a text says all that is looked for. */
const says = (words: string, terms: readonly string[]): boolean =>
  terms.every((term) => placeIn(words, term) >= 0);

/**
 * What is left of the rules when something is looked for: blocks that say all of it, under their headings. A heading
 * that says it brings its whole section.
 */
export function found(blocks: readonly Block[], query: string): readonly Block[] {
  const terms = termsOf(query);
  if (!terms.length) return blocks;
  const left: Block[] = [];
  let heading: Block | null = null;
  let whole = false;
  for (const block of blocks) {
    if (block.is === "heading") {
      [heading, whole] = [block, says(block.text, terms)];
    } else if (whole || says(text(block), terms)) {
      if (heading) left.push(heading);
      heading = null;
      left.push(whole ? block : within(block, terms));
    }
  }
  return left;
}

/** The items of a list, or the rows of a table, that say something. */
function within(block: Block, terms: readonly string[]): Block {
  const has = (part: Block): boolean => says(text(part), terms);
  if (block.is === "list") {
    const items = block.items.filter((item) => has({ ...block, items: [item] }));
    return { ...block, items: items.length ? items : block.items };
  }
  if (block.is !== "table") return block;
  const rows = block.rows.filter((row) => has({ ...block, head: [], rows: [row] }));
  return { ...block, rows: rows.length ? rows : block.rows };
}

/** Words cut where a term begins and ends: odd places are hits. */
export function cut(words: string, query: string): readonly string[] {
  const terms = termsOf(query);
  if (!terms.length) return [words];
  const parts: string[] = [];
  let at = 0;
  for (let hit = nextHit(words, terms, 0); hit; hit = nextHit(words, terms, at)) {
    parts.push(words.slice(at, hit.begin), words.slice(hit.begin, hit.end));
    at = hit.end;
  }
  return [...parts, words.slice(at)];
}

/** The first hit from a place on; of several at one place, the longest. */
function nextHit(
  words: string,
  terms: readonly string[],
  from: number,
): { begin: number; end: number } | null {
  const hits = terms
    .map((term) => ({ begin: placeIn(words, term, from), end: 0, term }))
    .filter(({ begin }) => begin >= 0)
    .map(({ begin, term }) => ({ begin, end: begin + term.length }));
  return hits.sort((one, other) => one.begin - other.begin || other.end - one.end)[0] ?? null;
}

/** The headings of the rules, for the list of contents. */
export const headingsOf = (blocks: readonly Block[]): readonly Extract<Block, { is: "heading" }>[] =>
  blocks.filter((block) => block.is === "heading").filter(({ level }) => level > 1);

/** The last chapter: everything on one page. */
export function quickReference(blocks: readonly Block[]): readonly Block[] {
  const begin = blocks.findLastIndex((block) => block.is === "heading" && block.level === 2);
  return begin < 0 ? [] : blocks.slice(begin);
}
