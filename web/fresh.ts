import { vi } from "vitest";

// Runs before every test file: one that shares its process with others begins with modules that nobody has used.
vi.resetModules();
