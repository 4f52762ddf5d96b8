/** Giving a picture to others: by the system's own way, or as a file and a link in the clipboard. */

import { copyLink } from "../../store/share.svelte";

const NAME = "catinthebox.png";

/** What became of it. */
export type Shared = "shared" | "cancelled" | "saved" | "saved-and-copied" | "failed";

export async function sharePicture(
  canvas: HTMLCanvasElement,
  text: string,
  link: string | null,
): Promise<Shared> {
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) return "failed";
  const file = new File([blob], NAME, { type: blob.type });
  const data: ShareData = { files: [file], text, ...(link ? { url: link } : {}) };
  if (navigator.canShare?.(data)) return offer(data);
  save(blob);
  return link && (await copyLink(link)) ? "saved-and-copied" : "saved";
}

async function offer(data: ShareData): Promise<Shared> {
  try {
    await navigator.share(data);
    return "shared";
  } catch (error) {
    return (error as DOMException).name === "AbortError" ? "cancelled" : "failed";
  }
}

function save(blob: Blob): void {
  const address = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: address, download: NAME }).click();
  URL.revokeObjectURL(address);
}
