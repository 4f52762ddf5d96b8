// The rules as blocks that a page can draw: as much of Markdown as they use, and no more.

/** @param {string} text */
export function parse(text) {
  return blocks(text.split("\n"));
}

/** @param {string[]} lines @returns {object[]} */
function blocks(lines) {
  const found = [];
  for (let at = 0; at < lines.length; ) {
    const [block, next] = block1(lines, at);
    if (block) found.push(block);
    at = next;
  }
  return found;
}

function block1(lines, at) {
  const line = lines[at];
  if (!line.trim()) return [null, at + 1];
  const heading = /^(#{1,3}) (.*)$/.exec(line);
  if (heading) return [{ is: "heading", level: heading[1].length, id: slug(heading[2]), text: heading[2] }, at + 1];
  if (line.startsWith("```")) return code(lines, at);
  if (line.startsWith("|")) return table(lines, at);
  if (/^(- |\d+\. )/.test(line)) return list(lines, at);
  const end = until(lines, at, (one) => !one.trim() || /^(#|```|\||- |\d+\. )/.test(one));
  return [{ is: "text", text: inline(joined(lines.slice(at, end))) }, end];
}

/** Lines are one text; Japanese has no blanks between its words. */
const joined = (lines) => lines.map((line) => line.trim()).join(" ").replace(/(?<=[\u3000-\u9fff\uff00-\uffef]) (?=[\u3000-\u9fff\uff00-\uffef])/g, "");

const until = (lines, at, stops) => {
  let end = at + 1;
  while (end < lines.length && !stops(lines[end])) end += 1;
  return end;
};

function code(lines, at) {
  const end = until(lines, at, (line) => line.startsWith("```"));
  return [{ is: "drawing", text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

function table(lines, at) {
  const end = until(lines, at, (line) => !line.startsWith("|"));
  const cells = (line) => line.split("|").slice(1, -1).map((cell) => inline(cell.trim()));
  const [head, , ...rows] = lines.slice(at, end);
  return [{ is: "table", head: cells(head), rows: rows.map(cells) }, end];
}

/** A list; an item goes on as long as its lines are indented. */
function list(lines, at) {
  const numbered = /^\d/.test(lines[at]);
  const items = [];
  while (at < lines.length && /^(- |\d+\. )/.test(lines[at])) {
    const width = /^(- |\d+\. )/.exec(lines[at])[0].length;
    const end = until(lines, at, (line) => line.trim() !== "" && !line.startsWith(" "));
    const inside = [lines[at].slice(width), ...lines.slice(at + 1, end).map((line) => line.slice(width))];
    items.push(clause(blocks(inside)));
    at = end;
  }
  return [{ is: "list", numbered, items }, at];
}

/** An item that begins with an anchor is a clause, and knows its id. */
function clause(inside) {
  const [first, ...rest] = inside;
  const [begin] = first?.text ?? [];
  const anchor = typeof begin === "object" ? begin.anchor : undefined; // texts have an `anchor`, too
  if (!anchor) return { id: "", name: "", blocks: inside };
  const [, name, ...text] = first.text;
  const bold = typeof name === "object" && "bold" in name;
  const words = bold ? text : first.text.slice(1);
  return { id: anchor, name: bold ? name.bold : "", blocks: [{ ...first, text: trimmed(words) }, ...rest] };
}

const trimmed = ([first, ...rest]) => (typeof first === "string" ? [first.trimStart(), ...rest] : [first, ...rest]);

const INLINE = /<a id="(\w+)"><\/a>|\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\[(.+?)\]\((.+?)\)/g;

/** @param {string} text */
function inline(text) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    if (found.index > at) parts.push(text.slice(at, found.index));
    const [, anchor, bold, italic, mono, label, to] = found;
    if (anchor) parts.push({ anchor });
    else if (bold) parts.push({ bold });
    else if (italic) parts.push({ italic });
    else if (mono) parts.push({ mono });
    else parts.push({ label, to: to.startsWith("#") ? to.slice(1) : "" });
    at = found.index + found[0].length;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

/** The name of a heading in links, as GitHub makes it. */
const slug = (text) =>
  text.toLowerCase().replace(/[^\p{L}\p{N}\s-]/gu, "").trim().replace(/\s+/g, "-");

/** Every clause of some rules, in order. */
export function clauses(found) {
  return found.flatMap((block) =>
    block.is === "list" ? block.items.flatMap((item) => [...(item.name ? [item.name] : []), ...clauses(item.blocks)]) : [],
  );
}
