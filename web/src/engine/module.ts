/** The loader of the rules: `catinthebox wasm` writes the same for any program (docs/wasm.md). */
export { start, type Engine } from "./generated/loader";
