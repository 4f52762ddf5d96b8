/** The end of a round and of a game, in one piece that is fetched when the table is there. */

export { default as CeremonyBoard } from "./CeremonyBoard.svelte";
export { default as CeremonyFoot } from "./CeremonyFoot.svelte";
export { default as CountSeat } from "./CountSeat.svelte";
export { Stage } from "./stage.svelte";
export { default as Victory } from "./Victory.svelte";
