/** Texts that are kept small, where the browser can compress. */

/** A text as it is kept: compressed, or as it is. */
export type Compressed = Uint8Array | string;

/** Compress a text. */
export async function compressed(text: string): Promise<Compressed> {
  if (typeof CompressionStream === "undefined") return text;
  return new Uint8Array(await through(text, new CompressionStream("gzip")).arrayBuffer());
}

/** A text that was kept; anything else is an error. */
export async function expanded(kept: unknown): Promise<string> {
  if (typeof kept === "string") return kept;
  if (!(kept instanceof Uint8Array)) throw new TypeError("this is no text that was kept");
  return through(new Uint8Array(kept), new DecompressionStream("gzip")).text();
}

const through = (content: BlobPart, stream: CompressionStream | DecompressionStream): Response =>
  new Response(new Blob([content]).stream().pipeThrough(stream));
