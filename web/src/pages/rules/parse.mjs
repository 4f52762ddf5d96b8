// The rules as blocks that a page can draw. Marked reads the Markdown; here its tokens become blocks.
import { marked } from "marked";

/** @param {string} text @returns {object[]} */
export const parse = (text) => blocksOf(marked.lexer(text));

const blocksOf = (tokens) =>
  tokens.flatMap((token) => (BLOCKS[token.type] ? [BLOCKS[token.type](token)] : []));

/** From a token of Marked to a block; other tokens are the space between blocks. */
const BLOCKS = {
  heading: ({ depth, text }) => ({ is: "heading", level: depth, id: slug(text), text }),
  paragraph: ({ tokens }) => ({ is: "text", text: piecesOf(tokens) }),
  text: ({ tokens }) => ({ is: "text", text: piecesOf(tokens) }), // a paragraph of a list without gaps
  code: ({ text }) => ({ is: "drawing", text }),
  table: ({ header, rows }) => ({ is: "table", head: cellsOf(header), rows: rows.map(cellsOf) }),
  list: ({ ordered, items }) => ({
    is: "list",
    numbered: ordered,
    items: items.map((item) => clause(blocksOf(item.tokens))),
  }),
};

const cellsOf = (cells) => cells.map(({ tokens }) => piecesOf(tokens));

/** An item that begins with an anchor is a clause, and knows its id; the bold word after it is its name. */
function clause(inside) {
  const [first, ...rest] = inside;
  const [begin, ...words] = first?.text ?? [];
  if (!begin?.id) return { id: "", name: "", blocks: inside };
  const named = typeof words[0] === "object" && "bold" in words[0]; // strings have a method `bold`
  const name = named ? words.shift().bold : "";
  return { id: begin.id, name, blocks: [{ ...first, text: trimmed(words) }, ...rest] };
}

const trimmed = ([first, ...rest]) =>
  typeof first === "string" ? [first.trimStart(), ...rest] : [first, ...rest];

const PIECES = {
  strong: ({ text }) => [{ bold: joined(text) }],
  em: ({ text }) => [{ italic: joined(text) }],
  codespan: ({ text }) => [{ mono: text }],
  link: ({ text, href }) => [{ label: joined(text), to: href.startsWith("#") ? href.slice(1) : "" }],
  html: ({ text }) =>
    /^<a id="(\w+)">$/
      .exec(text)
      ?.slice(1)
      .map((id) => ({ id })) ?? [],
};

/** Words in a row; several texts after each other are one. */
function piecesOf(tokens) {
  const pieces = [];
  for (const token of tokens) {
    const found = PIECES[token.type]?.(token) ?? [joined(token.text)];
    const both = typeof pieces.at(-1) === "string" && typeof found[0] === "string";
    if (both) pieces.push(pieces.pop() + found[0]);
    else pieces.push(...found);
  }
  return pieces;
}

/** Lines are one text; Japanese has no blanks between its words. */
const joined = (text) =>
  text
    .replace(/ *\n */g, " ")
    .replace(/(?<=[\u3000-\u9fff\uff00-\uffef]) (?=[\u3000-\u9fff\uff00-\uffef])/g, "");

/** The name of a heading in links, as GitHub makes it. */
const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replace(/\s+/g, "-");

/** Every clause of some rules, in order. */
export const clauses = (blocks) =>
  blocks.flatMap(({ items = [] }) =>
    items.flatMap(({ name, blocks }) => [...(name ? [name] : []), ...clauses(blocks)]),
  );
