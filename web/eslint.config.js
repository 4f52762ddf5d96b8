import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

const GENERATED = [
  "src/paraglide",
  "src/engine/generated",
  "project.inlang",
  "e2e/out",
  "shots/out",
  "**/node_modules",
];

const TYPED = ["**/*.ts", "**/*.svelte"];

// Rules without types only: `npm run check` has the types, and rules that use them would take three times as long.
export default ts.config(
  { ignores: GENERATED },
  js.configs.recommended,
  { files: TYPED, extends: [ts.configs.strict] },
  svelte.configs["flat/recommended"],
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "prefer-const": ["error", { destructuring: "all" }], // some props can be bound, others not
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-restricted-syntax": [
        "error",
        {
          selector: "SvelteAttribute[key.name='style']",
          message: "The server forbids inline styles (style-src 'self'); use a class or a style: directive.",
        },
      ],
      // The compiler says these, and svelte-check runs it.
      "svelte/no-unused-svelte-ignore": "off",
      "svelte/valid-compile": "off",
      // Most sets and maps of the state are never drawn, or replaced as a whole.
      "svelte/prefer-svelte-reactivity": "off",
    },
  },
  {
    files: TYPED,
    rules: {
      // `noUncheckedIndexedAccess` asks for a `!` wherever an index is known to be good.
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-extraneous-class": "off",
      // TypeScript says it, and svelte-check runs it.
      "@typescript-eslint/no-unused-vars": "off",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig, extraFileExtensions: [".svelte"] } },
  },
  { files: ["offline/sw.js"], languageOptions: { globals: { ...globals.serviceworker, BUILD: "readonly" } } },
);
