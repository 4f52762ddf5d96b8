import { vi } from "vitest";

// Runs before every test file: a wait lasts up to a minute. Vitest's own limit, a second, is too short on a busy machine.
const PATIENCE_MS = 60_000;
const waitFor = vi.waitFor.bind(vi);
vi.waitFor = (callback, options = PATIENCE_MS) => waitFor(callback, options);
