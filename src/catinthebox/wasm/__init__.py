"""The rules as a WebAssembly module, made from their own source (docs/wasm.md)."""
