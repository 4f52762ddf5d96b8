/** What opens over a game, in one piece that is fetched when the table is there. */

export { default as Menu } from "./Menu.svelte";
export { default as Talk } from "./Talk.svelte";
