// The whole client in Japanese.
import { inLanguage } from "../harness/language.mjs";

export default (world) => inLanguage(world, "ja", "日本語");
