/** What a hint is drawn with; it comes after the table. */

export { default as HintMarks } from "./HintMarks.svelte";
export { default as HintPanel } from "./HintPanel.svelte";
export { default as HintVerdict } from "./HintVerdict.svelte";
