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
  | { readonly is: "table"; readonly head: readonly (readonly Piece[])[]; readonly rows: readonly (readonly (readonly Piece[])[])[] }
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

/** What is left of the rules when only something is looked for: blocks that say it, under their headings. */
export function found(blocks: readonly Block[], query: string): readonly Block[] {
  const wanted = plain(query.trim());
  if (!wanted) return blocks;
  const says = (block: Block): boolean => plain(text(block)).includes(wanted);
  const left: Block[] = [];
  let heading: Block | null = null;
  for (const block of blocks) {
    if (block.is === "heading") heading = block;
    else if (says(block)) {
      if (heading) left.push(heading);
      heading = null;
      left.push(within(block, wanted));
    }
  }
  return left;
}

/** The items of a list, or the rows of a table, that say something. */
function within(block: Block, wanted: string): Block {
  const says = (part: Block): boolean => plain(text(part)).includes(wanted);
  if (block.is === "list") return { ...block, items: block.items.filter((item) => says({ ...block, items: [item] })) };
  if (block.is !== "table") return block;
  const rows = block.rows.filter((row) => says({ ...block, head: [], rows: [row] }));
  return { ...block, rows: rows.length ? rows : block.rows };
}

/** Words cut where a query begins and ends: odd places are hits. */
export function cut(words: string, query: string): readonly string[] {
  const wanted = plain(query.trim());
  if (!wanted) return [words];
  const parts: string[] = [];
  let at = 0;
  for (let hit = plain(words).indexOf(wanted); hit >= 0; hit = plain(words).indexOf(wanted, at)) {
    parts.push(words.slice(at, hit), words.slice(hit, hit + wanted.length));
    at = hit + wanted.length;
  }
  return [...parts, words.slice(at)];
}
